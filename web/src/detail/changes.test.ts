import { expect, it } from 'vitest';

import type { Comparison, FigureValue, Place } from '../data/page';
import { step_changes } from './changes';

it('changes show both values, the ratio and what it proves', () => {
  const place = (result: number, ceiling: string): Place => ({ result, region: 7 + result, name: 'f', function: 'f()', threads: 1, matched_by: 'moved', figures: [], ceiling });
  const value = (count: number | string): FigureValue => ({ value: count, origin: 'counted' });
  const result = (label: string) => ({ label, argv: [], date: '', machine: 'm', processes: 1, threads: 1, levels: [] });
  const comparison: Comparison = {
    summary: '', results: [result('a'), result('b')],
    steps: [{ from: 0, to: 1, times_comparable: true, traffic_comparable: true, summary: '', notes: [], ambiguous: [] }],
    loops: [
      {
        kind: 'loop', name: 'f', function: 'f()', places: [place(0, 'bandwidth.DRAM.load.avx2.t1'), place(1, 'bandwidth.L2.load.avx2.t1')],
        steps: [{ step: 0, changes: [
          { quantity: 'time', unit: 's', before: value(2), after: value(1), ratio: 0.5, verdict: 'changed' },
          { quantity: 'performance', unit: 'flop/s', before: value(2e9), after: value(1e9), ratio: 0.5, verdict: 'changed' },
          { quantity: 'traffic.L2', unit: 'byte', before: value(100), after: { ...value(200), doubtful: 'sampled-uneven' }, ratio: 2, verdict: 'doubtful' },
          { quantity: 'traffic.DRAM', unit: 'byte', before: value('18446744073709551615'), verdict: 'unknown' },
        ] }],
      },
      { kind: 'loop', name: 'g', function: 'g()', places: [place(0, 'x')], steps: [] },
    ],
  };
  const changes = step_changes(comparison, 0);
  expect(changes.table.heads).toEqual(['region', 'time', 'performance', 'L2 traffic', 'DRAM traffic', 'bound by']);
  expect(changes.table.rows[0]).toEqual([
    { text: 'f', title: 'f()', key: '1.8', note: 'matched: moved' },
    { text: '2.00 s → 1.00 s', note: '0.500× changed', tone: 'better' },
    { text: '2.00 GFlop/s → 1.00 GFlop/s', note: '0.500× changed', tone: 'worse' },
    { text: '100 B → 200 B?', title: expect.stringContaining('does not vouch'), note: '2.00× doubtful', tone: undefined },
    { text: '18.4 EB → -', note: 'unknown', tone: undefined },
    'DRAM load → L2 load',
  ]);
  expect(changes.gone.map((cell) => cell.text)).toEqual(['g']);
  expect(changes.fresh).toEqual([]);
});
