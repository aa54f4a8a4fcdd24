// The columns of the table of regions. Sorting uses the value, the cell shows the text.
import { known } from '../data/count';
import { outside_code, type Figures, type Row } from '../data/rows';
import { intensity_text, marked } from '../data/doubt';
import { kUnknown, number, percent, rate_unit, si } from '../format';
import { ceiling_words } from '../names';

export interface Column {
  id: string;
  title: string;
  hint: string;
  numeric: boolean;
  value: (row: Row, figures: Figures) => number | string | undefined;
  text: (row: Row, figures: Figures) => string;
  bar?: (row: Row, figures: Figures) => number | undefined;
  /// Of the roof, which inclusive figures have none of.
  only_self?: boolean;
  /// What it is about: its traffic may be in doubt.
  level?: string;
  binding?: boolean; // about the level that binds
}

function numeric(
  id: string,
  title: string,
  hint: string,
  value: (row: Row, figures: Figures) => number | undefined,
  text: (value: number, row: Row) => string,
  more: Partial<Column> = {},
): Column {
  return {
    id,
    title,
    hint,
    numeric: true,
    value,
    text: (row, figures) => {
      const known = value(row, figures);
      return known === undefined ? kUnknown : text(known, row);
    },
    ...more,
  };
}

function textual(id: string, title: string, hint: string, text: (row: Row) => string): Column {
  return { id, title, hint, numeric: false, value: text, text };
}

function fraction_column(id: string, title: string, hint: string, which: 'code' | 'machine'): Column {
  const value = (row: Row) => row.region.bound?.[which]?.fraction;
  return numeric(id, title, hint, value, (known) => percent(known), { bar: value, only_self: true });
}

function level_columns(level: string): Column[] {
  const at = (figures: Figures) => figures.levels[level];
  const column = (id: string, title: string, hint: string, value: (figures: Figures) => number | undefined, text: (figures: Figures) => string): Column =>
    ({ id: `${id}.${level}`, title, hint, numeric: true, level, value: (_row, figures) => value(figures), text: (_row, figures) => text(figures) });
  return [
    column('i', `I ${level}`, `intensity at ${level}: flop per byte`,
      (figures) => at(figures)?.unbounded ? Infinity : at(figures)?.intensity, (figures) => intensity_text(at(figures))),
    column('b', `${level} rate`, `traffic at ${level} over the time`,
      (figures) => at(figures)?.rate, (figures) => marked(si(at(figures)?.rate, 'B/s'), at(figures)?.doubtful)),
    column('v', `${level} traffic`, `bytes read and written across ${level}`,
      (figures) => at(figures)?.bytes, (figures) => marked(si(at(figures)?.bytes, 'B'), at(figures)?.doubtful)),
  ];
}

const kShare = numeric('share', 'time', 'share of the wall time of the program',
  (_row, figures) => figures.share, (known, row) => `${row.uncertain ? '~' : ''}${percent(known, 1)}`,
  { bar: (_row, figures) => figures.share });

/// In flop/s, and in byte/s at the level that binds of what does no floating-point work.
/// Sorted, what is in byte/s comes last: there is no order between the two.
const kRate: Column = {
  id: 'rate', title: 'rate', hint: 'work over wall time; of regions without flops: traffic over wall time at the level that binds', numeric: true, binding: true,
  value: (row, figures) => (row.has_work ? figures.performance : undefined),
  text: (row, figures) => {
    const at = figures.levels[figures.binding ?? ''];
    return row.has_work ? si(figures.performance, 'Flop/s') : marked(si(at?.rate, 'B/s'), at?.doubtful);
  },
};

const kAt: Column = {
  id: 'at', title: 'I at level', hint: 'intensity in flop per byte, at the level that binds; where arithmetic binds, at the one with the lowest roof', numeric: true, binding: true,
  value: (row, figures) => (row.has_work ? figures.levels[figures.binding ?? '']?.intensity : undefined),
  text: (row, figures) => {
    const { binding = '' } = figures;
    return row.has_work && binding !== '' ? `${intensity_text(figures.levels[binding])} ${binding}` : binding || kUnknown;
  },
};

const kFixed: Column[] = [
  kShare,
  kRate,
  kAt,
  numeric('seconds', 'seconds', 'wall time with at least one thread in the region',
    (_row, figures) => figures.time?.value, (known) => si(known, 's')),
  numeric('performance', 'performance', 'work over wall time',
    (_row, figures) => figures.performance, (known) => si(known, 'Flop/s')),
  numeric('flops', 'work', 'floating-point operations',
    (_row, figures) => known(figures.flops), (value) => si(value, 'Flop')),
];

const kRoof: Column[] = [
  { ...textual('bound', 'bound by', 'ceiling that binds this code',
    (row) => outside_code(row.region) ?? (row.region.bound?.code === undefined ? kUnknown : ceiling_words(row.region.bound.code.ceiling))), only_self: true },
  numeric('attainable', 'attainable', 'what this code could reach: its own mix, widths and threads',
    (row) => row.region.bound?.code?.attainable,
    (known, row) => si(known, rate_unit(row.region.bound?.code?.unit ?? '')), { only_self: true }),
  fraction_column('fraction', '% of roof', 'of what this code could reach', 'code'),
  fraction_column('machine', '% of machine', 'of what the machine could reach: best instruction set, all cores', 'machine'),
];

const kRest: Column[] = [
  numeric('findings', 'findings', 'remarks with evidence', (row) => row.region.findings.length, String),
  numeric('gain', 'gain', 'of the whole program, if the loop reached its roof',
    (row) => row.region.bound?.gain, (known) => `${number(known)}×`, { only_self: true }),
  numeric('threads', 'threads', 'most threads seen in it at once', (row) => row.region.threads, String),
  numeric('intops', 'int ops', 'integer operations on data',
    (row) => known(row.region.intops), (value) => si(value, 'IntOp'), { only_self: true }),
  numeric('entries', 'entries', 'times entered', (row) => known(row.region.entries), (value) => si(value, '')),
  numeric('iterations', 'iterations', 'of the source loop',
    (row) => known(row.region.iterations), (value) => si(value, '')),
  textual('kind', 'kind', 'loop, function, library or marker', (row) => row.region.kind),
];

export function all_columns(levels: readonly string[]): Column[] {
  return [...kFixed, ...levels.flatMap(level_columns), ...kRoof, ...kRest];
}

/// What is shown until the reader chooses.
export const default_columns: readonly string[] = ['share', 'rate', 'at', 'bound', 'attainable', 'fraction', 'machine', 'gain', 'findings'];

/// `sort` is the id of a column, "-" before it for descending. Unknown values come last either way.
export function sorted(rows: readonly Row[], sort: string, columns: readonly Column[], figures: (row: Row) => Figures): Row[] {
  const down = sort.startsWith('-');
  const id = down ? sort.slice(1) : sort;
  const column = columns.find((candidate) => candidate.id === id);
  const key = id === 'rank' ? (row: Row) => row.rank
    : id === 'name' ? (row: Row) => row.name.toLowerCase()
      : column === undefined ? undefined : (row: Row) => column.value(row, figures(row));
  if (key === undefined) {
    return [...rows];
  }
  const keyed = rows.map((row) => ({ row, value: key(row) }));
  return keyed.sort((a, b) => compared(a.value, b.value, down)).map((entry) => entry.row);
}

function compared(a: number | string | undefined, b: number | string | undefined, down: boolean): number {
  if (a === undefined || b === undefined || a === kUnknown || b === kUnknown) {
    const last = (value: unknown) => (value === undefined || value === kUnknown ? 1 : 0);
    return last(a) - last(b);
  }
  return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
}
