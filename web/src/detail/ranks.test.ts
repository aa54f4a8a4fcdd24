import { expect, it } from 'vitest';

import { region } from '../for_tests';
import { its_rank, rank_section, ranks_text } from './ranks';

const spread = { ranks: 2, least: 1, least_rank: 1, median: 2, most: 3, most_rank: 0, mean: 2, max_over_mean: 1.5 };

it('a region says how it spreads over ranks', () => {
  const made = rank_section(region({ ranks: { time_seconds: spread, by_rank: [{ rank: 0, time_seconds: 3, flops: 20 }, { rank: 1, time_seconds: 1 }] } }));
  expect(made?.tables[0]?.rows).toEqual([['time', '1.00 s (rank 1)', '2.00 s', '3.00 s (rank 0)', '1.50']]);
  expect(made?.tables[1]?.rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell.text)))).toEqual(
    [['0', '3.00 s', '20.0 Flop', '-'], ['1', '1.00 s', '-', '-']]);
  expect(rank_section(region({}))).toBeUndefined();
});

it('says whose figures stand where they cannot be added', () => {
  const longest = { ...spread, most_rank: 1 };
  expect(its_rank(region({ ranks: { time_seconds: longest } }))).toBe('rank 1');
  expect(its_rank(region({ ranks: { time_seconds: { ...longest, ranks: 1 } } }))).toBe('');
  expect(its_rank(region({ ranks: { flops: spread } }))).toBe('one rank');
  expect(its_rank(region({}))).toBe('');
});

it('of very many ranks there are bins', () => {
  const made = rank_section(region({ ranks: { time_seconds: { ...spread, bins: [3, 1] } } }));
  expect(made?.tables[1]?.rows).toEqual([['1.00 s to 2.00 s', { text: '3', bar: 1 }], ['2.00 s to 3.00 s', { text: '1', bar: 1 / 3 }]]);
});

it('names who ran where, and who is lost', () => {
  expect(ranks_text({ ranks: 4, measured: 4 })).toBe('4 ranks');
  expect(ranks_text({ ranks: 4, measured: 3, lost: [2], hosts: [{ name: 'a', ranks: 1 }, { name: 'b', ranks: 2 }] })).toBe('3 of 4 ranks on 2 machines, lost: 2');
  expect(ranks_text(undefined)).toBeUndefined();
});
