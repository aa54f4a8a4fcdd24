import { describe, expect, it } from 'vitest';

import type { Region } from './data/page';
import { brief_name, called, ceiling_words, command_line, plain_name, short_name, source_location, told_apart } from './names';

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

  it('keep the template arguments that tell them apart', () => {
    const shown = (...names: string[]) => names.map((name) => told_apart(names).get(name));
    expect(shown('bude<4>', 'bude<16>')).toEqual(['bude<4>', 'bude<16>']);
    expect(shown('a::bude<double, 4>::run', 'a::bude<double, 16>::run', 'other<3>')).toEqual(['a::bude<4>::run', 'a::bude<16>::run', 'other']);
    expect(shown('f<A<B, C>, D>', 'f<A<B, E>, D>')).toEqual(['f<A<B, C>>', 'f<A<B, E>>']);
    expect(shown('f', 'f<1>', '(anonymous namespace)::f')).toEqual(['f', 'f<1>', '(anonymous namespace)::f']);
    expect(shown('f<1>', 'f<1, 2>')).toEqual(['f<1>', 'f<1, 2>']);
    expect(shown('operator<<', 'operator<')).toEqual(['operator<<', 'operator<']);
    expect(short_name('a::b<c::d>::e<4>', 9)).toBe('…e<4>');
  });

  it('that differ stay different, whatever they are', () => {
    let state = 11;
    const random = (below: number) => Math.floor(((state = (state * 48271) % 2147483647) / 2147483647) * below);
    const pieces = ['f', 'g', 'a::', '<', '>', ',', '4', '16', '(anonymous namespace)::', 'operator', ' ', '-'];
    for (let round = 0; round < 300; round++) {
      const names = new Set(Array.from({ length: 12 }, () => Array.from({ length: 1 + random(7) }, () => pieces[random(pieces.length)]).join('')));
      expect(new Set(told_apart(names).values()).size, [...names].join('  ')).toBe(names.size);
    }
  });

  it('of functions stand without parameters', () => {
    expect(called('solver::kernel<4>(double*, int)')).toBe('solver::kernel');
    expect(called('(anonymous namespace)::f(int)')).toBe('f');
    expect(called('A::operator()(int)')).toBe('A::operator()');
    expect(called('main')).toBe('main');
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
