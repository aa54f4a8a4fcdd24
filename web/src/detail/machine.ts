// A machine's caches and ceilings.
import { grouped, to_number } from '../data/count';
import type { Ceiling, Machine } from '../data/page';
import { binary_size, percent, rate_unit, si } from '../format';
import type { Table } from './section';
import { table } from './section';

const kKinds: [Ceiling['kind'], string][] = [
  ['bandwidth', 'Bandwidth'],
  ['compute', 'Compute'],
  ['latency', 'Latency'],
];

function ceiling_row(ceiling: Ceiling) {
  const { value } = ceiling;
  const unit = rate_unit(value.unit);
  return [
    ceiling.id,
    si(ceiling.kind === 'latency' ? value.low : value.p90, unit),
    si(value.median, unit),
    `${si(value.low, unit)} to ${si(value.high, unit)}`,
    grouped(value.samples),
    value.origin,
    si(ceiling.traffic_value?.p90, unit),
    { text: si(ceiling.limit, unit), title: ceiling.source },
    percent(ceiling.limit_fraction),
    ceiling.flags.join(', '),
  ];
}

export function machine_facts(machine: Machine): string {
  const { cpu, topology } = machine;
  const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;
  return [
    cpu === undefined ? 'CPU unknown' : `${cpu.name}, family ${cpu.family}, model ${cpu.model}, stepping ${cpu.stepping}`,
    topology === undefined
      ? 'number of cores unknown'
      : [plural(topology.cores, 'core'), plural(topology.threads, 'thread'), plural(topology.sockets, 'socket'), plural(topology.numa_nodes, 'NUMA node')].join(', '),
    `measured ${machine.date}${machine.effort === undefined ? '' : `, effort ${machine.effort}`}, ridge ${machine.ridge_version}${machine.host === undefined ? '' : `, on ${machine.host}`}`,
  ].join('; ');
}

export function machine_tables(machine: Machine): Table[] {
  const caches = machine.caches.map((cache) => [
    cache.level, binary_size(to_number(cache.size_bytes)), String(cache.ways), `${cache.line_bytes} B`,
    String(cache.shared_by_threads), cache.policy, cache.write_allocate,
  ]);
  const memories = machine.memories.map((memory) => [
    memory.level, memory.size_bytes === undefined ? '-' : binary_size(to_number(memory.size_bytes)), '', '', '', '', '',
  ]);
  const ceilings = kKinds.map(([kind, title]) => {
    const rows = machine.ceilings.filter((ceiling) => ceiling.kind === kind).map(ceiling_row);
    // The fast end of either: disturbances only lengthen a chain of loads (decision 0152).
    const heads = ['ceiling', kind === 'latency' ? 'p10' : 'p90', 'median', '80 % of samples', 'samples', 'origin', 'across the boundary', 'limit', 'of limit', 'flags'];
    return table(`${title}: ${rows.length} ceilings`, heads, [1, 2, 3, 4, 6, 7, 8], rows, true);
  });
  return [
    table('Caches and memories', ['level', 'size', 'ways', 'line', 'shared by threads', 'policy', 'write-allocate'], [1, 2, 3, 4], [...caches, ...memories]),
    ...ceilings,
  ].filter((part) => part.rows.length > 0);
}
