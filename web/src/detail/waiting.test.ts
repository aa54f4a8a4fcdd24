import { expect, it } from 'vitest';

import { region } from '../for_tests';
import { waiting_section } from './waiting';

const kNone = { imbalance: 0, serial: 0, oversubscribed: 0, busy: 0, unexplained: 0 };

it('causes of waiting, the largest first, without those that are not there', () => {
  const rows = waiting_section(region({ wait_causes: { ...kNone, imbalance: 1, busy: 3 } }), 'measured')?.tables[0]?.rows;
  expect(rows?.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell.text)))).toEqual([
    ['no CPU for a thread: other programs had it', '3.00 s', '75.0 %'],
    ['others had more work', '1.00 s', '25.0 %'],
  ]);
});

it('what others waited for says how long', () => {
  expect(waiting_section(region({ caused_wait_seconds: 0.5 }), 'measured')?.pairs).toEqual(
    [{ name: 'thread time that others waited for it', value: '500 ms' }]);
  expect(waiting_section(region({ caused_wait_seconds: 0 }), 'measured')).toBeUndefined();
  expect(waiting_section(region({}), 'measured')).toBeUndefined();
});
