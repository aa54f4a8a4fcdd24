import { expect, it } from 'vitest';

import { page, profile, region } from '../for_tests';
import { gain_words, next_steps } from './next';
import type { NextStep } from './page';
import { all_results, type ResultRows } from './rows';

const step: NextStep = { region: 2, code: 'narrow-vectors', where: 'f (a.cpp:3)', reason: 'narrow', remedy: 'wide', regions: [2, 1, 99] };

function of(steps: NextStep[] | undefined) {
  const found = { code: 'narrow-vectors', text: 'text', evidence: { width_bits: 128 } };
  const made = { ...profile([region({ id: 1, name: 'e' }), region({ id: 2, name: 'f', findings: [found] })]), next_steps: steps };
  return next_steps(all_results(page(made))[0] as ResultRows);
}

it('next steps lead to their regions and to the evidence', () => {
  const [shown] = of([step]);
  expect([shown?.row?.name, shown?.others.map((row) => row.name), shown?.finding?.evidence]).toEqual(['f', ['e'], { width_bits: 128 }]);
});

it('next steps are five at most, none in older files, and may be about the program', () => {
  expect(of(undefined)).toEqual([]);
  expect(of(Array.from({ length: 7 }, () => step)).length).toBe(5);
  const [shown] = of([{ ...step, region: undefined, regions: [] }]);
  expect([shown?.row, shown?.others, shown?.finding]).toEqual([undefined, [], undefined]);
});

it('gains are intervals, bounds or unknown', () => {
  const words = (low: number, high: number, bound?: boolean) => gain_words({ ...step, gain_program: { low, high }, bound });
  expect(words(1.2, 1.5)).toBe('1.20 to 1.50×');
  expect(words(1.201, 1.202)).toBe('about 1.20×');
  expect(words(1, 2, true)).toBe('at most 2.00×');
  expect(gain_words(step)).toBe('');
});
