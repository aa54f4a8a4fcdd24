// How a region, and the program, spread over the ranks of a parallel program.
import { to_number } from '../data/count';
import type { ParallelRun, RankSpread, Region } from '../data/stored';
import { number, si } from '../format';
import type { Section } from './section';
import { section, table } from './section';

/// "4 ranks on 2 machines, lost: 3".
export function ranks_text(run: ParallelRun | undefined): string | undefined {
  if (run === undefined) {
    return undefined;
  }
  const hosts = run.hosts?.length ?? 1;
  return `${run.measured === run.ranks ? '' : `${run.measured} of `}${run.ranks} ranks${hosts > 1 ? ` on ${hosts} machines` : ''}${run.lost === undefined ? '' : `, lost: ${run.lost.join(', ')}`}`;
}

/// Of figures that cannot be added over ranks: "rank 1", the one that was longest in the region.
/// Empty where it ran on one, or in a program without ranks.
export function its_rank({ ranks }: Region): string {
  const spreads = [ranks?.time_seconds, ranks?.flops, ranks?.bytes, ranks?.cpu_seconds];
  return spreads.every((spread) => (spread?.ranks ?? 0) <= 1) ? ''
    : ranks?.time_seconds !== undefined && ranks.time_seconds.ranks > 1 ? `rank ${ranks.time_seconds.most_rank}` : 'one rank';
}

/// Least, median, most and mean; the bins of very many ranks as bars.
function spread_row(name: string, unit: string, spread: RankSpread | undefined): string[][] {
  if (spread === undefined) {
    return [];
  }
  const at = (value: number, rank: number) => `${si(value, unit)} (rank ${rank})`;
  return [[name, at(spread.least, spread.least_rank), si(spread.median, unit), at(spread.most, spread.most_rank),
    spread.max_over_mean === undefined ? '-' : number(spread.max_over_mean)]];
}

function bin_rows(spread: RankSpread | undefined) {
  const { bins = [], least, most } = spread ?? { least: 0, most: 0 };
  const fullest = Math.max(1, ...bins);
  const edge = (bin: number) => si(least + ((most - least) * bin) / bins.length, 's');
  return bins.map((ranks, bin) => [`${edge(bin)} to ${edge(bin + 1)}`, { text: String(ranks), bar: ranks / fullest }]);
}

export function rank_section(region: Region): Section | undefined {
  const { ranks } = region;
  if (ranks === undefined) {
    return undefined;
  }
  const by_rank = ranks.by_rank ?? [];
  const longest = Math.max(0, ...by_rank.map((work) => work.time_seconds ?? 0));
  return section('Ranks', {
    tables: [
      table('Spread over ranks', ['figure', 'least', 'median', 'most', 'most / mean'], [1, 2, 3, 4], [
        ...spread_row('time', 's', ranks.time_seconds), ...spread_row('CPU time', 's', ranks.cpu_seconds),
        ...spread_row('work', 'Flop', ranks.flops), ...spread_row('bytes', 'B', ranks.bytes)]),
      table('Ranks', ['rank', 'time', 'work', 'bytes'], [1, 2, 3],
        by_rank.map((work) => [
          String(work.rank),
          { text: si(work.time_seconds, 's'), bar: work.time_seconds === undefined || longest === 0 ? undefined : work.time_seconds / longest },
          si(work.flops === undefined ? undefined : to_number(work.flops), 'Flop'),
          si(work.bytes === undefined ? undefined : to_number(work.bytes), 'B'),
        ])),
      table('Ranks by time', ['time', 'ranks'], [1], bin_rows(ranks.time_seconds)),
    ],
  });
}
