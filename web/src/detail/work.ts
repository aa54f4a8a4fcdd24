// Work by kind and width, and how it was done.
import type { Count } from '../data/count';
import { grouped, to_number } from '../data/count';
import type { Region } from '../data/page';
import { number, percent, si } from '../format';
import { its_rank } from './ranks';
import type { Cell, Pair, Section } from './section';
import { section, table } from './section';

/// Three digits, every digit in the tooltip.
export function count_cell(count: Count, unit: string): Cell {
  return { text: si(to_number(count), unit), title: grouped(count) };
}

function count_pair(name: string, count: Count | undefined, unit: string): Pair[] {
  return count === undefined ? [] : [{ name, value: si(to_number(count), unit), title: grouped(count) }];
}

export function work_section(region: Region, origin: string): Section | undefined {
  const { flops, masked } = region;
  const spilled = region.bytes?.spilled;
  const total = to_number(flops?.total ?? 0);
  const terms = [...(flops?.terms ?? [])].sort((a, b) => to_number(b.flops) - to_number(a.flops));
  const lanes = masked === undefined ? 0 : to_number(masked.lanes);
  const calls = [
    ...Object.entries(region.calls).map(([name, count]) => [name, 'counted', grouped(count)]),
    ...Object.entries(region.opaque ?? {}).map(([name, count]) => [name, 'not instrumented', grouped(count)]),
  ];
  return section('Work', {
    origin,
    tables: [
      table('Work by kind and width', ['kind', 'precision', 'width', 'work', 'share'], [2, 3, 4],
        terms.map((term) => [
          term.kind, term.precision, `${term.width_bits} bit`, count_cell(term.flops, 'Flop'),
          percent(total > 0 ? to_number(term.flops) / total : undefined, 1),
        ])),
      table(`Calls (${calls.length})`, ['function', 'work', 'calls'], [2], calls, true),
    ],
    pairs: [
      ...count_pair('all', flops?.total, 'Flop'),
      ...count_pair('before the back end', region.ir_flops, 'Flop'),
      ...count_pair('at least', region.flops_interval?.low, 'Flop'),
      ...count_pair('at most', region.flops_interval?.high, 'Flop'),
      ...count_pair('could be fused to FMA', region.fusible_flops, 'Flop'),
      ...count_pair('min, max, compare, convert ...', flops?.other, 'Op'),
      ...count_pair('integer operations on data', region.intops, 'IntOp'),
      ...count_pair('registers spilled to the stack', spilled?.written, 'B'),
      ...count_pair('fetched back from the stack', spilled?.read, 'B'),
      ...(masked !== undefined && lanes > 0
        ? [{ name: 'active lanes under masks', value: percent(to_number(masked.active_lanes) / lanes, 1) }]
        : []),
    ],
  });
}

const kPatterns: Record<string, string> = {
  unknown: 'unknown pattern',
  unit: 'without gaps',
  constant: 'equal steps',
  invariant: 'same address',
  indirect: 'indirect',
};

export function execution_section(region: Region): Section | undefined {
  const { accesses = [], chain = [], page_faults: faults } = region;
  return section('Execution', {
    pairs:
      faults === undefined
        ? []
        : [
            { name: 'page faults', value: `${grouped(faults.low)} to ${grouped(faults.high)}` },
            { name: 'CPU time in the kernel', value: si(faults.kernel_seconds, 's') },
          ],
    text: region.not_vectorised === undefined ? [] : [`Not vectorised, the compiler says: ${region.not_vectorised}`],
    tables: [
      table('Accesses', ['accesses', 'direction', 'step', 'bytes'], [2, 3],
        accesses.map((access) => [
          kPatterns[access.pattern] ?? access.pattern, access.write ? 'write' : 'read',
          access.stride_bytes === undefined ? '-' : `${access.stride_bytes} B`, count_cell(access.bytes, 'B'),
        ])),
      table('Longest chain', ['longest chain', 'precision', 'order', 'operations'], [3],
        chain.map((link) => [link.operation, link.precision ?? '-', link.reduction ? 'a reduction' : 'fixed', count_cell(link.operations, '')])),
    ],
  });
}

/// What each thread did, beside the busiest.
export function thread_section(region: Region): Section | undefined {
  const { thread_work = [], imbalance } = region;
  const uneven = [imbalance?.work, imbalance?.cpu].flatMap((part) => part ?? []);
  const of_flops = thread_work.some((work) => to_number(work.flops) > 0);
  const amount = (work: (typeof thread_work)[number]) => to_number(of_flops ? work.flops : work.bytes);
  const most = Math.max(1, ...thread_work.map(amount));
  const most_seconds = Math.max(0, ...thread_work.map((work) => work.cpu_seconds?.value ?? 0));
  return section(its_rank(region) === '' ? 'Threads' : `Threads of ${its_rank(region)}`, {
    text: uneven.map((part) => `${part.quantity.replace('_', ' ')}: the busiest of ${part.threads} threads has ${number(part.max_over_mean)}× the mean.`),
    tables: [
      table('Threads', ['thread', 'work', 'bytes', 'CPU time'], [1, 2, 3],
        thread_work.map((work) => [
          String(work.thread),
          { ...count_cell(work.flops, 'Flop'), bar: of_flops ? amount(work) / most : undefined },
          { ...count_cell(work.bytes, 'B'), bar: of_flops ? undefined : amount(work) / most },
          { text: si(work.cpu_seconds?.value, 's'), bar: work.cpu_seconds === undefined || most_seconds === 0 ? undefined : work.cpu_seconds.value / most_seconds },
        ])),
    ],
  });
}
