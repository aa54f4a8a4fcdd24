// Traffic per level: here, with less cache, and on other caches.
import { grouped, to_number } from '../data/count';
import { intensity_text, legend, marked } from '../data/doubt';
import type { Traffic, Profile, TrafficByLevel } from '../data/page';
import { crossing_at, total_of, type Row } from '../data/rows';
import { binary_size, number, percent, si } from '../format';
import type { Cell, Pair, Section } from './section';
import { section, table } from './section';
import { count_cell } from './work';

function level_rows(row: Row, levels: readonly string[]): (string | Cell)[][] {
  const { region } = row;
  return levels.flatMap((level) => {
    const crossing = crossing_at(region, level);
    if (crossing === undefined) {
      return [];
    }
    const figures = row.self.levels[level];
    const cell = (text: Cell): Cell => ({ ...text, text: marked(text.text, figures?.doubtful) });
    const least = region.least_traffic?.[level];
    const excess = least !== undefined && total_of(least) > 0 ? `${number(total_of(crossing) / total_of(least))}×` : '-';
    return [[
      Object.hasOwn(region.traffic, level) ? level : `${level} (counted)`,
      cell(count_cell(crossing.read, 'B')),
      cell(count_cell(crossing.written, 'B')),
      least === undefined ? '-' : si(total_of(least), 'B'),
      marked(excess, figures?.doubtful),
      intensity_text(figures),
    ]];
  });
}

/// Innermost first: as the caches stand, then the memory.
function elsewhere_rows(name: string, traffic: TrafficByLevel, profile: Profile): (string | Cell)[][] {
  const of = profile.caches_elsewhere?.find((caches) => caches.name === name);
  const order = [...(of?.caches ?? []).map((cache) => cache.level), of?.memory ?? ''];
  const title = (of?.caches ?? []).map((cache) => `${cache.level} ${binary_size(to_number(cache.size_bytes))}`).join(', ');
  return Object.entries(traffic)
    .sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]))
    .map(([level, crossing]) => [{ text: name, title }, level, count_cell(crossing.read, 'B'), count_cell(crossing.written, 'B')]);
}

function traffic_pairs(row: Row, memory: string): Pair[] {
  const { bytes, gathered, line_use, sharing, traffic_at_share = {}, doubtful_traffic } = row.region;
  const both = (crossing: Traffic) => `${si(to_number(crossing.read), 'B')} / ${si(to_number(crossing.written), 'B')}`;
  const past = to_number(bytes?.non_temporal ?? 0);
  const pairs: [string, string | undefined][] = [
    ['stored past the caches', past > 0 ? si(past, 'B') : undefined],
    ['by gather / scatter', gathered === undefined ? undefined : both(gathered)],
    ['used of each line in L1', line_use === undefined ? undefined : percent(line_use)],
    ...Object.entries(traffic_at_share).map(([share, crossing]): [string, string] => [`memory, with ${share} of the last cache`, marked(si(total_of(crossing), 'B'), (doubtful_traffic as readonly string[] | undefined)?.includes(memory))]),
    ['lines shared falsely / truly', sharing === undefined ? undefined : `${grouped(sharing.falsely)} / ${grouped(sharing.truly)} of ${grouped(sharing.lines)}`],
  ];
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

export function traffic_sections(row: Row, profile: Profile, levels: readonly string[]): (Section | undefined)[] {
  const { region } = row;
  const curve = region.miss_curve ?? [];
  const most = Math.max(1, ...curve.map((point) => to_number(point.misses_bytes)));
  const elsewhere = Object.entries(region.traffic_elsewhere ?? {});
  return [
    section('Traffic', {
      text: legend(levels.flatMap((level) => row.self.levels[level] ?? [])),
      origin: `${profile.origins.traffic}${region.traffic_mode === 'sampled' ? ', sampled' : ''}`,
      tables: [
        table('Traffic by level', ['level', 'read', 'written', 'least', 'excess', 'flop/byte'], [1, 2, 3, 4, 5], level_rows(row, levels)),
        table('Reads beyond a cache of each size', ['capacity', 'read'], [1],
          curve.map((point) => [
            binary_size(to_number(point.capacity_bytes)),
            { ...count_cell(point.misses_bytes, 'B'), bar: to_number(point.misses_bytes) / most },
          ]), true),
      ],
      pairs: traffic_pairs(row, profile.machine.memories[0]?.level ?? ''),
    }),
    section('Traffic on other caches', {
      origin: 'simulated',
      tables: [
        table('Traffic on other caches', ['caches', 'level', 'read', 'written'], [2, 3],
          elsewhere.flatMap(([name, traffic]) => elsewhere_rows(name, traffic, profile))),
      ],
    }),
  ];
}
