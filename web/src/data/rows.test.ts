import { describe, expect, it } from 'vitest';

import { page, profile, region, seconds } from '../for_tests';
import { all_columns } from '../view/columns';
import { all_results } from './rows';

const outer = region({
  id: 1, name: 'outer', time_seconds: { self: seconds(1), inclusive: seconds(4) }, flops: { total: 10, terms: [] }, performance: 10,
  bytes: { loaded: 40, stored: 10 }, traffic: { DRAM: { read: 4, written: 1 } }, intensity: { DRAM: 2 },
});
const inner = region({
  id: 2, name: 'inner', parent: 1, time_seconds: { self: seconds(3), inclusive: seconds(3) }, flops: { total: '18446744073709551615', terms: [] },
  bytes: { loaded: 1, stored: 0 }, traffic: { DRAM: { read: 5, written: 0 } }, intensity: {},
});

describe('rows', () => {
  const [result] = all_results(page(profile([outer, inner])));
  const by_name = (name: string) => result?.rows.find((row) => row.name === name);

  it('are ranked by time', () => {
    expect(result?.rows.map((row) => [row.rank, row.name])).toEqual([[1, 'inner'], [2, 'outer']]);
  });

  it('have markers behind the regions that they contain, which are no part of a sum', () => {
    const marker = region({ id: 3, kind: 'marker', overlaps: true, name: 'phase', time_seconds: { self: seconds(9) } });
    const only = profile([outer, inner, marker]);
    const [marked] = all_results(page({ ...only, program: { argv: [] }, time: { sampled_seconds: 0, unattributed_fraction: 0 } }));
    expect(marked?.rows.map((row) => [row.rank, row.name])).toEqual([[1, 'inner'], [2, 'outer'], [3, 'phase']]);
    expect(marked?.rows[2]?.place).toContain('marker');
    expect(marked?.seconds).toBe(4);
  });

  it('take shares of the wall time, and the spread of the performance from that of the time', () => {
    const self = by_name('outer')?.self;
    expect(self?.share).toBeCloseTo(0.1);
    expect(self?.spread?.low).toBeCloseTo(10 / 1.1);
    expect(self?.spread?.high).toBeCloseTo(10 / 0.9);
  });

  it('take intensities from the file, that of L1 from what was loaded and stored', () => {
    expect(by_name('outer')?.self.levels['DRAM']?.intensity).toBe(2);
    expect(by_name('outer')?.self.levels['L1']?.intensity).toBeCloseTo(0.2);
    expect(by_name('outer')?.self.levels['L2']).toBeUndefined();
  });

  it('have no rates where the program was cut midway', () => {
    const [cut] = all_results(page(profile([outer, region({ ...inner, partial: true })])));
    const [first, second] = [cut?.rows.find((row) => row.name === 'inner'), cut?.rows.find((row) => row.name === 'outer')];
    expect(first?.self.levels['DRAM']?.bytes).toBe(5);
    expect(first?.self.levels['DRAM']?.rate).toBeUndefined();
    expect(first?.self.spread).toBeUndefined();
    expect(second?.self.levels['DRAM']?.rate).toBe(5);
    expect(second && cut?.inclusive(second).performance).toBeUndefined();
  });

  it('have no rates and no roof where it sleeps or works in the kernel', () => {
    const verdicts = { asleep: 'asleep', kernel: 'in the kernel' } as const;
    for (const [code, words] of Object.entries(verdicts)) {
      const elsewhere = region({ ...outer, bound: { verdict: { code: code as keyof typeof verdicts, text: '' } } });
      const row = all_results(page(profile([elsewhere])))[0]?.rows[0];
      expect(row?.self.levels['DRAM']?.bytes).toBe(5);
      expect(row?.self.levels['DRAM']?.rate).toBeUndefined();
      expect(row?.self.performance).toBeUndefined();
      const bound = all_columns(['DRAM']).find((column) => column.id === 'bound');
      expect(row && bound?.text(row, row.self)).toBe(words);
    }
  });

  it('sum exactly over what a region contains', () => {
    const row = by_name('outer');
    const figures = row && result?.inclusive(row);
    expect(figures?.flops).toBe('18446744073709551625');
    expect(figures?.levels['DRAM']?.bytes).toBe(10);
    expect(figures?.levels['L2']).toBeUndefined();
    expect(figures?.share).toBeCloseTo(0.4);
    expect(figures?.performance).toBeCloseTo(2 ** 64 / 4);
  });

  it('end where parents form a ring', () => {
    const ring = profile([region({ id: 1, parent: 2 }), region({ id: 2, parent: 1 })]);
    const [of] = all_results(page(ring));
    expect(of?.rows.map((row) => of.inclusive(row).flops)).toEqual([0, 0]);
  });
});
