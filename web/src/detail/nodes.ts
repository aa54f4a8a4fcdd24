// The machines on which ranks ran, side by side: rates of each against the roofs of one of them.
// By the rules of src/render/document/run/node_table.cpp.
import { compute_lines, level_rate, main_precision, threads_for } from '../data/ceilings';
import { known } from '../data/count';
import type { Profile } from '../data/page';
import type { RankHost } from '../data/stored';
import { percent, si } from '../format';
import type { Table } from './section';
import { table } from './section';

const kMost = 16;
const kOfEachEnd = 2;
const kMemories = ['DRAM', 'HBM', 'CXL', 'NVRAM'];

type Figure = (host: RankHost) => number | undefined;

/// By which machines can differ.
const kFigures: [string, Figure][] = [
  ['work', (host) => known(host.flops)],
  ['bytes to memory', (host) => known(host.memory_bytes)],
  ['CPU time', (host) => host.cpu_seconds],
  ['time in MPI', (host) => host.mpi_seconds],
];
const wall: Figure = (host) => host.wall_seconds;

export interface Nodes {
  heading: string;
  table: Table;
  text: string;
}

function heading_of(hosts: RankHost[]): string {
  const uneven = kFigures.flatMap(([name, figure]) => {
    const values = hosts.flatMap((host) => figure(host) ?? []);
    const sum = values.reduce((a, b) => a + b, 0);
    return values.length < hosts.length || !(sum > 0) ? [] : [`${name} ${((Math.max(...values) * hosts.length) / sum).toFixed(2)}`];
  });
  return `By node: ${hosts.length} machines${uneven.length === 0 ? '' : `; most / mean: ${uneven.join(', ')}`}`;
}

/// All, or of very many those at either end of a figure.
function listed(hosts: RankHost[]): Set<number> {
  if (hosts.length <= kMost) {
    return new Set(hosts.keys());
  }
  const ends = [...kFigures.map(([, figure]) => figure), wall].flatMap((figure) => {
    const order = hosts
      .flatMap((host, at) => (figure(host) === undefined ? [] : [{ at, value: figure(host) ?? 0 }]))
      .sort((a, b) => a.value - b.value || a.at - b.at)
      .map(({ at }) => at);
    return [...order.slice(0, kOfEachEnd), ...order.slice(-kOfEachEnd)];
  });
  return new Set([0, ...ends]);
}

/// Of one machine with all its threads: that of the profile is all machines together.
function roofs_of(profile: Profile, nodes: number) {
  const machine = profile.machine;
  const precision = main_precision(profile);
  const threads = threads_for(machine, Infinity);
  const levels = new Set([...machine.memories.map(({ level }) => level as string), ...profile.regions.flatMap(({ traffic }) => Object.keys(traffic ?? {}))]);
  const memories = kMemories.filter((level) => levels.has(level) && level_rate(machine, level, threads) !== undefined);
  const share = (rate: number | undefined) => (rate === undefined ? undefined : rate / nodes);
  return {
    precision,
    compute: share(compute_lines(machine, precision, threads)[0]?.rate),
    memory: memories.length === 1 ? share(level_rate(machine, memories[0] ?? '', threads)) : undefined,
  };
}

const ratio = (part: number | undefined, whole: number | undefined) => (part === undefined || whole === undefined || !(whole > 0) ? undefined : part / whole);

/// Undefined where ranks ran on one machine.
export function node_table(profile: Profile): Nodes | undefined {
  const hosts = profile.parallel?.hosts ?? [];
  if (hosts.length < 2) {
    return undefined;
  }
  const roofs = roofs_of(profile, hosts.length);
  const chosen = listed(hosts);
  // Of chosen ranks nobody knows how many of a machine's they are.
  const all_measured = hosts.reduce((sum, { ranks }) => sum + ranks, 0) === profile.parallel?.measured;
  const rows = hosts.flatMap((host, at) => {
    const seconds = host.wall_seconds;
    const flops = ratio(known(host.flops), seconds);
    const bytes = ratio(known(host.memory_bytes), seconds);
    const cells = [
      host.name ?? `node ${at + 1}`, String(host.ranks), host.cpus === undefined ? '-' : String(host.cpus), si(seconds, 's'),
      si(flops, 'Flop/s'), percent(ratio(flops, roofs.compute)), si(bytes, 'B/s'), percent(ratio(bytes, roofs.memory)),
      percent(ratio(host.mpi_seconds, seconds === undefined || !all_measured ? undefined : seconds * host.ranks)),
    ];
    return chosen.has(at) ? [cells] : [];
  });
  const heads = ['node', 'ranks', 'CPUs', 'time', 'flop/s', 'of compute roof', 'memory', 'of memory roof', 'in MPI'];
  const shown = heads.map((_, column) => rows.some((row) => row[column] !== '-'));
  const keep = <T>(cells: T[]) => cells.filter((_, column) => shown[column]);
  const origins = profile.regions.find(({ kind }) => kind === 'program')?.origins ?? profile.origins;
  const left_out = hosts.length - rows.length;
  return {
    heading: heading_of(hosts),
    table: table('By node', keep(heads), keep(heads).slice(1).map((_, at) => at + 1), rows.map(keep)),
    text: [
      ...(left_out > 0 ? [`${left_out} more between these are in profile.json.`] : []),
      `time: of the slowest rank. flop/s and memory: flops (${origins.flops}) and bytes to memory (${origins.traffic}) of the node's ranks in that time.`,
      ...(roofs.compute === undefined && roofs.memory === undefined ? [] : [`of roof: of the ${roofs.precision} roof, and of the roof of memory, of one machine with all its threads; all are taken to be alike.`]),
      ...(all_measured ? (shown.at(-1) ? ['in MPI: of the time of its ranks.'] : []) : ['Figures are those of the measured ranks.']),
    ].join(' '),
  };
}
