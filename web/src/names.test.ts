import { describe, expect, it } from 'vitest';

import type { Region } from './data/page';
import { brief_name, ceiling_words, command_line, plain_name, short_name, source_location } from './names';

const region = (parts: Partial<Region>) => ({ name: '', function: 'f', ...parts }) as Region;

describe('names', () => {
  it('of ceilings are words', () => {
    expect(ceiling_words('compute.fp64.avx512.fma.t1')).toBe('AVX-512 FMA');
    expect(ceiling_words('compute.fp32.scalar.add.t2')).toBe('Scalar ADD fp32');
    expect(ceiling_words('bandwidth.DRAM.load.avx512.t2')).toBe('DRAM load');
    expect(ceiling_words('something else')).toBe('something else');
    expect(ceiling_words('compute.fp64.constructor.fma.t1')).toBe('constructor FMA');
  });

  it('lose template arguments, but not brackets of operators', () => {
    expect(brief_name('Eigen::redux<A<B>, C>::run')).toBe('Eigen::redux::run');
    expect(brief_name('(anonymous namespace)::f')).toBe('f');
    expect(brief_name('operator<<')).toBe('operator<<');
    expect(brief_name('a > b')).toBe('a > b');
    expect(brief_name('broken<')).toBe('broken<');
  });

  it('are shortened to their last components', () => {
    expect(short_name('a::b::c', 20)).toBe('a::b::c');
    expect(short_name('one::two::three::four', 14)).toBe('…three::four');
    expect(short_name('averyveryverylongname', 10)).toBe('averyvery…');
    for (let most = 4; most < 40; most++) {
      expect(short_name('one::two::three::fourfourfour', most).length).toBeLessThanOrEqual(most);
    }
  });

  it('are free of their place, which stands beside', () => {
    const here = region({ name: 'f a.cpp:3', file: '/x/a.cpp', line: 3 });
    expect(plain_name(here)).toBe('f');
    expect(source_location(here)).toBe('/x/a.cpp:3');
    const column = region({ name: 'f a.cpp:3:9', file: '/x/a.cpp', line: 3, column: 9 });
    expect(plain_name(column)).toBe('f');
    expect(source_location(column)).toBe('/x/a.cpp:3:9');
    expect(plain_name(region({}))).toBe('f');
  });

  it('of arguments are quoted where they must be', () => {
    expect(command_line(['./a', 'two words', "it's", ''])).toBe("./a 'two words' 'it'\\''s' ''");
  });
});
