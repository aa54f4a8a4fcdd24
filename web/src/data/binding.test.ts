import { expect, it } from 'vitest';

import { binding_level } from './binding';

const roofs = new Map([['L1', 400], ['L2', 100], ['DRAM', 10]]);
const levels = { L1: { bytes: 4000 }, L2: { bytes: 500 }, DRAM: { bytes: 60 } };

it('the level that binds is that of the bandwidth in the file', () => {
  expect(binding_level(levels, 'bandwidth.L2.load.avx2.t1', roofs)).toBe('L2');
});

it('is the one with the least product of intensity and bandwidth where arithmetic binds', () => {
  expect(binding_level(levels, 'compute.fp64.avx2.fma.t1', roofs)).toBe('L1'); // 10 s, 5 s, 6 s
  expect(binding_level({ ...levels, DRAM: { bytes: 101 } }, undefined, roofs)).toBe('DRAM');
});

it('needs traffic, and is the innermost one where no roof is known', () => {
  expect(binding_level({ L1: { bytes: 1 } }, 'bandwidth.DRAM.load.avx2.t1', roofs)).toBe('L1');
  expect(binding_level(levels, undefined, new Map())).toBe('L1');
  expect(binding_level({ L1: {}, L2: { bytes: 0 } }, undefined, roofs)).toBe('L2');
  expect(binding_level({}, undefined, roofs)).toBeUndefined();
});
