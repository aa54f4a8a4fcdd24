import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { binary_size, number, percent, rate_unit, si, si_prefix } from './format';

describe('numbers', () => {
  it('are written as the rest of Ridge writes them', () => {
    const lines = readFileSync('../src/render/testdata/figures.tsv', 'utf8').trim().split('\n');
    expect(lines.length).toBeGreaterThan(300);
    for (const line of lines) {
      const [value = '', with_unit, plain] = line.split('\t');
      expect([value, si(Number(value), 'B/s'), number(Number(value))]).toEqual([value, with_unit, plain]);
    }
  });

  it('that are unknown are no zero', () => {
    expect([si(undefined, 'B'), si(NaN, 'B'), si(Infinity, 'B'), number(undefined), percent(undefined)]).toEqual(Array(5).fill('-'));
    expect([si(0, 'B'), si(0, ''), number(0), percent(0)]).toEqual(['0 B', '0', '0', '0 %']);
  });

  it('have signs, prefixes and sizes', () => {
    expect(si(-1234, 'B')).toBe('-1.23 kB');
    expect(si(12.345, '')).toBe('12.3');
    expect(number(-0.5)).toBe('-0.500');
    expect(binary_size(32768)).toBe('32 KiB');
    expect(si_prefix(5e10)).toEqual(['G', 1e9]);
    expect(rate_unit('flop/s')).toBe('Flop/s');
    expect(rate_unit('other')).toBe('other');
  });
});
