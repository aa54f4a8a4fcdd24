// The values that files of Ridge hold. Made from src/core/describe by
// scripts/generate-formats: change the lists of fields there.
import type { Count } from './count';
import type { CachesElsewhere, Machine } from './page';

/** what a program did, region by region */
export interface Profile {
  ridge_version: string;
  date: string;
  program: Program;
  machine: Machine;
  processes: Process[];
  time: SampledShare;
  origins: Origins;
  caches_elsewhere?: CachesElsewhere[];
  regions: Region[];
  notes?: Note[];
  summary?: string;
}

/** what was run, and how it ended */
export interface Program {
  argv: string[];
  exit_code?: number;
  signal?: number;
  wall_seconds: number; // s
  compiler?: string;
}

/** one process that was measured */
export interface Process {
  pid: Count;
  argv: string[];
  exit_code?: number;
  signal?: number;
  rank?: number;
}

/** how much of the run the samples explain */
export interface SampledShare {
  sampled_seconds: number; // s
  unattributed_fraction: number;
  unattributed_low?: number;
  unattributed_high?: number;
}

/** where the figures of all regions come from */
export interface Origins {
  flops: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
  bytes: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
  traffic: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
  time: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
}

/** a function, loop or library; work, traffic and time without inner and called regions, unless they are named inclusive */
export interface Region {
  id: number;
  process: number;
  kind: 'program' | 'function' | 'loop' | 'library' | 'marker';
  name: string;
  function: string;
  file?: string;
  line?: number;
  column?: number;
  parent?: number;
  partial?: true;
  threads: number;
  entries: Count;
  iterations?: Count;
  trip_counts?: TripCounts;
  time_seconds: Times; // s
  cpu_seconds: Times; // s
  waited_seconds?: number; // s
  page_faults?: PageFaults;
  flops: Work; // flop
  fusible_flops?: Count; // flop
  intops?: Count; // intop
  calls: Record<string, Count>;
  opaque?: Record<string, Count>;
  bytes: RegionBytes;
  accesses?: AccessTerm[]; // byte
  gathered?: Traffic; // byte
  masked?: MaskedOperations;
  chain?: ChainTerm[];
  not_vectorised?: string;
  traffic: Record<string, Traffic>; // byte
  traffic_interval?: Record<string, TrafficInterval>; // byte
  least_traffic?: Record<string, Traffic>; // byte
  traffic_at_share?: Record<string, Traffic>; // byte
  traffic_elsewhere?: Record<string, Record<string, Traffic>>; // byte
  line_use?: number;
  miss_curve?: MissCurvePoint[]; // byte
  memory_nodes?: NodeLines[];
  sharing?: LineSharing;
  thread_work?: ThreadWork[];
  imbalance?: RegionImbalance;
  traffic_mode?: 'exact' | 'sampled';
  intensity: Record<string, number>; // flop/byte
  unbounded?: string[];
  doubtful_traffic?: string[];
  performance?: number; // flop/s
  bound?: RegionBound;
  findings: Finding[];
  notes: Note[];
}

/** iterations each time a loop was entered */
export interface TripCounts {
  shortest: Count;
  longest: Count;
}

/** of the region itself, and with inner and called ones */
export interface Times {
  self?: SampledTime; // s
  inclusive?: SampledTime; // s
}

/** a sampled time: low <= value <= high, its 80 % interval */
export interface SampledTime {
  value: number; // s
  low: number; // s
  high: number; // s
  samples: Count;
}

/** of the kernel's counts, shared out by samples: low between samples that saw this region only, high between any that saw it */
export interface PageFaults {
  value: Count;
  low: Count;
  high: Count;
  major: Count;
  kernel_seconds: number; // s
}

/** the terms add up to total, and those of each precision to its own */
export interface Work {
  total: Count; // flop
  fp64?: Count; // flop
  fp32?: Count; // flop
  fp16?: Count; // flop
  bf16?: Count; // flop
  terms: WorkTerm[]; // flop
  other?: Count;
}

/** work of one precision, kind and SIMD width */
export interface WorkTerm {
  precision: 'fp64' | 'fp32' | 'fp16' | 'bf16';
  kind: 'add' | 'mul' | 'fma' | 'div' | 'sqrt';
  width_bits: number; // bit
  flops: Count; // flop
}

/** that the region's instructions load and store */
export interface RegionBytes {
  loaded: Count; // byte
  stored: Count; // byte
  non_temporal?: Count; // byte
  overwritten?: Count; // byte
}

/** bytes loaded or stored with one pattern of addresses */
export interface AccessTerm {
  pattern: 'unknown' | 'unit' | 'constant' | 'invariant' | 'indirect';
  write: boolean;
  stride_bytes?: number; // byte
  bytes: Count; // byte
}

/** bytes that cross one boundary */
export interface Traffic {
  read: Count; // byte
  written: Count; // byte
}

/** vector operations that leave out lanes by a mask */
export interface MaskedOperations {
  operations: Count;
  lanes: Count;
  active_lanes: Count;
}

/** instructions of one kind in the longest chain in which each waits for the one before */
export interface ChainTerm {
  operation: 'add' | 'mul' | 'fma' | 'div' | 'sqrt' | 'other' | 'call' | 'load';
  precision?: 'fp64' | 'fp32' | 'fp16' | 'bf16';
  reduction: boolean;
  operations: Count;
}

/** bytes read and written together */
export interface TrafficInterval {
  low: Count; // byte
  high: Count; // byte
}

/** what one capacity would leave to read from below */
export interface MissCurvePoint {
  capacity_bytes: Count; // byte
  misses_bytes: Count; // byte
}

/** sampled lines from memory by the node that asked and the one that has the page */
export interface NodeLines {
  thread_node: number;
  memory_node: number;
  samples: Count;
}

/** lines that two or more cores write within the region at about the same time */
export interface LineSharing {
  lines: Count;
  falsely: Count;
  truly: Count;
  invalidations: Count;
  turns?: Count;
}

/** what one thread did in the region itself, without inner ones */
export interface ThreadWork {
  thread: number;
  flops: Count; // flop
  bytes: Count; // byte
  iterations: Count;
  cpu_seconds?: SampledTime; // s
}

/** of the work and of the CPU time of thread_work */
export interface RegionImbalance {
  work?: Imbalance;
  cpu?: Imbalance;
}

/** how unevenly threads share a region */
export interface Imbalance {
  quantity: 'flops' | 'bytes' | 'iterations' | 'cpu_seconds';
  max_over_mean: number;
  threads: number;
}

/** how fast the region could be, and what explains it */
export interface RegionBound {
  code?: Bound;
  machine?: Bound;
  code_at_neighbouring_threads?: Bound[];
  gain?: number;
  verdict?: Verdict;
  notes?: Note[];
}

/** a roof over a region */
export interface Bound {
  ceiling: string;
  unit: 'flop/s' | 'byte/s' | 'intop/s';
  attainable: number; // in unit
  fraction?: number;
  next?: string;
  next_attainable?: number; // in unit
}

/** what explains the time of the region */
export interface Verdict {
  code: 'arithmetic' | 'bandwidth' | 'latency' | 'calls' | 'library' | 'blocked' | 'no-traffic' | 'no-roof' | 'few-samples' | 'partial';
  resource?: string;
  text: string;
  by_cpu_time?: true;
}

/** a remark about a result */
export interface Note {
  code: string;
  text: string;
}

/** something that is in the way, and its evidence */
export interface Finding {
  code: string;
  text: string;
  evidence: Record<string, number>;
  speed_up?: number;
  speed_up_least?: number;
  speed_up_is_bound?: true;
  speed_up_note?: string;
  gain_program?: number;
  origin?: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
}
