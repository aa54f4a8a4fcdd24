import { describe, expect, it } from 'vitest';

import type { SourceExcerpt } from '../data/page';
import { region } from '../for_tests';
import { region_source } from './code';

const kFile = '/src/axpy.cpp';
const excerpt = (first_line: number, count: number): SourceExcerpt => ({
  file: kFile, first_line, lines: Array.from({ length: count }, (_, index) => `line ${first_line + index}`),
});
const loop = (parts = {}) => region({
  file: kFile, line: 20, flops: { total: 3000, terms: [] }, bytes: { loaded: 16000, stored: 8000 },
  lines: [
    { line: 21, flops: 2000, bytes_loaded: 8000, bytes_stored: 8000 },
    { file: '/usr/include/vec.h', line: 7, flops: 1000, bytes_loaded: 8000, bytes_stored: 0 },
  ],
  ...parts,
});
const texts = (figures: { text: string }[] | undefined) => figures?.map(({ text }) => text);

describe('source with figures', () => {
  it('gives each line its own, nothing for none', () => {
    const source = region_source(loop(), [excerpt(17, 16)]);
    expect(source.heads).toEqual(['work', 'loaded', 'stored']);
    const at = (number: number) => source.lines.find((line) => line.number === number);
    expect(texts(at(21)?.figures)).toEqual(['2.00 kFlop', '8.00 kB', '8.00 kB']);
    expect(at(21)?.heat).toBe(1);
    expect(texts(at(20)?.figures)).toEqual(['', '', '']);
    expect(source.others.map((other) => [other.place, ...(texts(other.figures) ?? [])])).toEqual([['vec.h:7', '1.00 kFlop', '8.00 kB', '']]);
    expect(source.sum).toBe('');
  });

  it('marks what is unknown, and says what the lines lack', () => {
    const lines = [{ line: 21, flops: 1500 }];
    const source = region_source(loop({ lines }), [excerpt(17, 16)]);
    expect(source.heads).toEqual(['work']);
    expect(source.sum).toMatch(/50\.0 % of its flops, 0\.0 % of its loaded bytes, 0\.0 % of its stored bytes/);
    expect(texts(region_source(loop({ lines: [{ line: 21, flops: 1 }, { line: 22, bytes_loaded: 8 }] }), [excerpt(17, 16)])
      .lines.find((line) => line.number === 22)?.figures)).toEqual(['-', '8.00 B']);
  });

  it('does not hold the lines of one rank against the sum over all', () => {
    const ranks = { time_seconds: { ranks: 2, least: 1, least_rank: 0, median: 2, most: 3, most_rank: 1, mean: 2 } };
    expect(region_source(loop({ lines: [{ line: 21, flops: 1500 }], ranks }), [excerpt(17, 16)]).sum).toBe('');
  });

  it('lists lines that no excerpt shows', () => {
    const source = region_source(loop(), []);
    expect(source.lines).toEqual([]);
    expect(source.others.map(({ place }) => place)).toEqual(['axpy.cpp:21', 'vec.h:7']);
  });

  it('shows several excerpts of the file, each line once', () => {
    const source = region_source(loop({ lines: [{ line: 70, flops: 3000 }] }), [excerpt(17, 16), excerpt(69, 3), { ...excerpt(20, 3), file: '/other.cpp' }]);
    const numbers = source.lines.map(({ number }) => number);
    expect(numbers).toContain(20);
    expect(numbers).toContain(70);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(source.others).toEqual([]);
  });

  it('leaves out the indentation that all lines share', () => {
    const lines = ['    for (;;) {', '', '      work();', '    }'];
    expect(region_source(loop(), [{ file: kFile, first_line: 20, lines }]).lines.map(({ text }) => text)).toEqual(['for (;;) {', '', '  work();', '}']);
  });

  it('is empty without a file or a line', () => {
    const source = region_source(region({}), [excerpt(1, 3)]);
    expect([source.lines.length, source.others.length, source.sum]).toEqual([0, 0, '']);
  });
});
