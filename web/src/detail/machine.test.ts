import { expect, it } from 'vitest';

import type { Estimate } from '../data/page';
import { ceiling, profile } from '../for_tests';
import { machine_tables } from './machine';

it('quotes rates at p90 and latencies at p10: their fast ends', () => {
  const value = (unit: Estimate['unit'], low: number, median: number, p90: number): Estimate =>
    ({ median, p90, low, high: p90, samples: 100, unit, origin: 'measured' });
  const tables = machine_tables(profile([], [
    ceiling('bandwidth.DRAM.load.avx2.t1', 0, { value: value('byte/s', 30e9, 33e9, 34e9) }),
    ceiling('latency.L3.chase-huge.t1', 0, { value: value('s', 16e-9, 26e-9, 105e-9) }),
  ]).machine);
  const [bandwidth, latency] = ['Bandwidth', 'Latency'].map((title) => tables.find((table) => table.name.startsWith(title)));
  expect([bandwidth?.heads.slice(1, 4), bandwidth?.rows[0]?.slice(1, 4)]).toEqual(
    [['p90', 'median', '80 % of samples'], ['34.0 GB/s', '33.0 GB/s', '30.0 GB/s to 34.0 GB/s']]);
  expect([latency?.heads.slice(1, 4), latency?.rows[0]?.slice(1, 4)]).toEqual(
    [['p10', 'median', '80 % of samples'], ['16.0 ns', '26.0 ns', '16.0 ns to 105 ns']]);
});
