// What was reached beside what the model allows: the roofs of the file, and each level's traffic
// over the time beside the bandwidth that was measured for it.
import { level_rate } from '../data/ceilings';
import { marked } from '../data/doubt';
import { grouped } from '../data/count';
import type { Bound, Profile, SampledTime } from '../data/page';
import type { Row } from '../data/rows';
import { kUnknown, percent, rate_unit, si } from '../format';
import { ceiling_words } from '../names';
import type { Section } from './section';
import { section, table } from './section';

function bound_row(name: string, bound: Bound) {
  const unit = rate_unit(bound.unit);
  const next = bound.next === undefined ? kUnknown : ceiling_words(bound.next);
  return [
    name,
    { text: ceiling_words(bound.ceiling), title: bound.ceiling },
    si(bound.attainable, unit),
    { text: percent(bound.fraction), bar: bound.fraction },
    bound.next_attainable === undefined ? next : `${next} ${si(bound.next_attainable, unit)}`,
  ];
}

export function roof_section(row: Row, profile: Profile, levels: readonly string[]): Section | undefined {
  const { bound, threads } = row.region;
  const { performance, spread } = row.self;
  const interval = spread === undefined ? '' : `, ${si(spread.low, 'Flop/s')} to ${si(spread.high, 'Flop/s')}`;
  const rates = levels.flatMap((level) => {
    const at = row.self.levels[level];
    const seen = at?.rate;
    const roof = level_rate(profile.machine, level, threads);
    return seen === undefined || roof === undefined ? [] : [[
      { text: level, note: level !== row.self.binding ? undefined : bound?.code?.ceiling.startsWith(`bandwidth.${level}.`) ? 'binds' : 'lowest of these roofs' },
      marked(si(seen, 'B/s'), at?.doubtful),
      si(roof, 'B/s'),
      { text: marked(percent(seen / roof), at?.doubtful), bar: seen / roof },
    ]];
  });
  return section('Roof by roof', {
    text: performance === undefined ? [] : [`${si(performance, 'Flop/s')} measured${interval}.`],
    tables: [
      table('Roofs', ['roof of', 'bound by', 'attainable', 'reached', 'then'], [2, 3], [
        ...(bound?.code === undefined ? [] : [bound_row('this code', bound.code)]),
        ...(bound?.machine === undefined ? [] : [bound_row('the machine', bound.machine)]),
        ...(bound?.code_at_neighbouring_threads ?? []).map((other) => bound_row('at other threads', other)),
      ]),
      table('Rates by level', ['level', 'traffic over time', 'its roof', 'reached'], [1, 2, 3], rates),
    ],
  });
}

export function time_section(row: Row, origin: string): Section | undefined {
  const { time_seconds, cpu_seconds, asleep_seconds: asleep = 0, kernel_seconds: kernel = 0 } = row.region;
  const times: [string, SampledTime | undefined][] = [
    ['wall, self', time_seconds.self],
    ['wall, inclusive', time_seconds.inclusive],
    ['CPU, self', cpu_seconds.self],
    ['CPU, inclusive', cpu_seconds.inclusive],
  ];
  const { share } = row.self;
  return section('Time', {
    origin,
    text: share === undefined ? [] : [`${percent(share, 1)} of the wall time of the program${row.uncertain ? ' (uncertain: a short loop)' : ''}.`],
    tables: [
      table('Times', ['time', 'value', '80 % interval', 'samples'], [1, 2, 3],
        times.flatMap(([name, time]) =>
          time === undefined ? [] : [[name, si(time.value, 's'), `${si(time.low, 's')} to ${si(time.high, 's')}`, grouped(time.samples)]])),
    ],
    pairs: [
      ...(asleep > 0 ? [{ name: 'asleep, of the wall time', value: si(asleep, 's') }] : []),
      ...(kernel > 0 ? [{ name: 'in the kernel, of the CPU time', value: si(kernel, 's') }] : []),
    ],
  });
}
