import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { ceiling } from '../for_tests';
import { widest_within_noise } from './ceilings';
import type { Ceiling } from './page';

/// Columns: case, id, low, p90, high, whether it is the one.
function cases(): Map<string, { ceilings: Ceiling[]; wanted: string }> {
  const all = new Map<string, { ceilings: Ceiling[]; wanted: string }>();
  for (const line of readFileSync('../src/core/testdata/widest_ceiling.tsv', 'utf8').trim().split('\n')) {
    const [name = '', id = '', low, p90, high, wanted] = line.split('\t');
    const entry = all.get(name) ?? { ceilings: [], wanted: '' };
    const made = ceiling(id, Number(p90));
    entry.ceilings.push({ ...made, value: { ...made.value, low: Number(low), high: Number(high) } });
    entry.wanted = wanted === '1' ? id : entry.wanted;
    all.set(name, entry);
  }
  return all;
}

it('the roof is the widest within noise, as in every other output', () => {
  const all = cases();
  expect(all.size).toBe(10);
  for (const [name, { ceilings, wanted }] of all) {
    expect([name, widest_within_noise(ceilings)?.id, widest_within_noise([...ceilings].reverse())?.id]).toEqual([name, wanted, wanted]);
  }
  expect(widest_within_noise([])).toBeUndefined();
});
