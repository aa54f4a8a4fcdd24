// The rows shown as comma-separated values: base units, every digit, an empty field where a value
// is unknown.
import type { Figures, ResultRows, Row } from '../data/rows';
import { source_location } from '../names';

/// A field that spreadsheets must not take for a formula begins with a quote mark of its own.
export function csv_field(value: string | number | undefined): string {
  if (value === undefined) {
    return '';
  }
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const kHeads = [
  'result', 'rank', 'id', 'kind', 'name', 'function', 'place', 'threads', 'entries', 'iterations',
  'seconds', 'seconds_low', 'seconds_high', 'share', 'flop', 'intop', 'flop_per_second',
  'bound_by', 'bound_unit', 'attainable', 'fraction', 'fraction_of_machine', 'gain',
  'doubtful_traffic',
];
const kLevelHeads = ['read_byte', 'written_byte', 'flop_per_byte', 'byte_per_second'];

function fields(row: Row, figures: Figures, label: string, levels: readonly string[], inclusive: boolean) {
  const { region } = row;
  const bound = inclusive ? undefined : region.bound;
  const shared: (string | number | undefined)[] = [
    label, row.rank, region.id, region.kind, row.name, region.function, source_location(region),
    region.threads, region.entries, region.iterations,
    figures.time?.value, figures.time?.low, figures.time?.high, figures.share,
    figures.flops, inclusive ? undefined : region.intops, figures.performance,
    bound?.code?.ceiling, bound?.code?.unit, bound?.code?.attainable, bound?.code?.fraction,
    bound?.machine?.fraction, bound?.gain,
    levels.filter((level) => figures.levels[level]?.doubtful).join(' ') || undefined,
  ];
  const by_level = levels.flatMap((level) => {
    const at = figures.levels[level];
    const crossing = inclusive || at === undefined ? undefined : region.traffic[level];
    return [crossing?.read, crossing?.written, at?.intensity, at?.rate];
  });
  return [...shared, ...by_level];
}

export function csv_of(
  rows: readonly Row[],
  results: readonly ResultRows[],
  levels: readonly string[],
  inclusive: boolean,
): string {
  const heads = [...kHeads, ...levels.flatMap((level) => kLevelHeads.map((head) => `${level}_${head}`))];
  const lines = rows.flatMap((row) => {
    const of = results.find((result) => result.index === row.result);
    if (of === undefined) {
      return [];
    }
    const figures = inclusive ? of.inclusive(row) : row.self;
    return [fields(row, figures, of.label, levels, inclusive)];
  });
  return [heads, ...lines].map((line) => `${line.map(csv_field).join(',')}\r\n`).join('');
}

