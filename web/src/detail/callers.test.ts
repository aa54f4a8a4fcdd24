import { expect, it } from 'vitest';

import { region } from '../for_tests';
import { callers_section } from './callers';

it('callers, the nearest first, with the place that is known', () => {
  const callers = [
    { function: 'dgemm_nn in libopenblas.so.0', share: 1 },
    { function: 'main', file: 'main.c', line: 12, share: 0.75 },
  ];
  expect(callers_section(region({ callers }), 'measured')?.tables[0]?.rows).toEqual([
    [{ text: 'dgemm_nn in libopenblas.so.0' }, { text: '100 %', bar: 1 }],
    [{ text: 'main', note: 'main.c:12' }, { text: '75 %', bar: 0.75 }],
  ]);
});

it('nothing where no stacks were looked at', () => {
  expect(callers_section(region({}), 'measured')).toBeUndefined();
});
