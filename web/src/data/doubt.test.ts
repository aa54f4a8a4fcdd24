import { describe, expect, it } from 'vitest';

import { dot_words } from '../chart/words';
import { traffic_sections } from '../detail/traffic';
import { roof_section } from '../detail/roof';
import { csv_of } from '../export/csv';
import { ceiling, page, profile, region, seconds } from '../for_tests';
import { all_columns } from '../view/columns';
import { kDoubt, kUnbounded } from './doubt';
import { all_results, type ResultRows, type Row } from './rows';

const kNone = { read: 0, written: 0 };
const outer = region({
  id: 1, name: 'outer', time_seconds: { self: seconds(1), inclusive: seconds(4) }, flops: { total: 1000, terms: [] }, performance: 1000,
  traffic: { L2: { read: 4, written: 1 }, DRAM: kNone }, intensity: { L2: 200 }, unbounded: ['DRAM'], doubtful_traffic: ['L2', 'DRAM'],
  traffic_mode: 'sampled',
});
const inner = region({
  id: 2, name: 'inner', parent: 1, time_seconds: { self: seconds(3), inclusive: seconds(3) }, flops: { total: 300, terms: [] },
  traffic: { L2: { read: 995, written: 0 }, DRAM: kNone }, intensity: { L2: 0.301 }, unbounded: ['DRAM'],
});
const unknown = region({ id: 3, name: 'unknown', time_seconds: { self: seconds(1) }, doubtful_traffic: [] });

const of_regions = (...regions: (typeof outer)[]) =>
  all_results(page(profile(regions, [ceiling('bandwidth.L2.load.avx2.t1', 100)])))[0] as ResultRows;
const result = of_regions(outer, inner, unknown);
const named = (name: string, from = result) => from.rows.find((row) => row.name === name) as Row;
const column = (id: string, row: Row, figures = row.self) =>
  all_columns(result.levels).find((candidate) => candidate.id === id)?.text(row, figures);

describe('a figure in doubt carries its mark', () => {
  it('in the table', () => {
    expect(['i.L2', 'b.L2', 'v.L2', 'i.DRAM', 'v.DRAM'].map((id) => column(id, named('outer')))).toEqual(['200?', '5.00 B/s?', '5.00 B?', 'unb.?', '0 B?']);
    expect(['i.L2', 'v.L2', 'i.DRAM'].map((id) => column(id, named('inner')))).toEqual(['0.301', '995 B', 'unb.']);
    expect(column('i.L2', named('unknown'))).toBe('-');
  });

  it('beside the pointer, with what it means', () => {
    const dot = (level: string, x?: number) => dot_words({ row: named('outer'), level, x, y: 1000, share: 0.1, doubtful: level !== 'L1' }, false);
    expect(dot('L2', 200)).toContain('200? flop/byte at L2');
    expect(dot('L2', 200)).toContain(kDoubt);
    expect(dot('DRAM')).toContain('DRAM is never crossed?');
    expect(dot('L1', 3).join()).not.toContain('?');
  });

  it('in the details', () => {
    const [traffic] = traffic_sections(named('outer'), result.profile, result.levels);
    expect(traffic?.tables[0]?.rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell.text)))).toEqual([
      ['L2', '4.00 B?', '1.00 B?', '-', '-', '200?'],
      ['DRAM', '0 B?', '0 B?', '-', '-', 'unb.?'],
    ]);
    expect(traffic?.text).toContain(kDoubt);
    expect(roof_section(named('outer'), result.profile, result.levels)?.tables.at(-1)?.rows).toEqual([[{ text: 'L2', note: 'lowest of these roofs' }, '5.00 B/s?', '100 B/s', { text: '5 %?', bar: 0.05 }]]);
    expect(traffic_sections(named('inner'), result.profile, result.levels)[0]?.text).toEqual([kUnbounded]);
  });

  it('in the file of values as the names of the levels', () => {
    const [head = '', ...lines] = csv_of([named('outer'), named('inner')], [result], result.levels, false).trim().split('\r\n');
    const at = head.split(',').indexOf('doubtful_traffic');
    expect(lines.map((line) => line.split(',')[at])).toEqual(['L2 DRAM', '']);
  });
});

it('a sum is in doubt where parts in doubt hold one in a hundred of it, or all is nothing', () => {
  const levels = (from: ResultRows) => from.inclusive(named('outer', from)).levels;
  expect(levels(result)['L2']?.doubtful).toBe(false);
  expect(levels(result)['DRAM']).toMatchObject({ unbounded: true, doubtful: true });
  const more = of_regions({ ...outer, traffic: { ...outer.traffic, L2: { read: 10, written: 1 } } }, inner);
  expect(levels(more)['L2']?.doubtful).toBe(true);
  expect(column('i.L2', named('outer', more), more.inclusive(named('outer', more)))).toBe('1.29?');
});
