// The values that files of Ridge hold. Made from src/core/describe by
// scripts/generate-formats: change the lists of fields there.
import type { Count } from './count';

/** what is known of a machine: topology, memory levels, ceilings */
export interface Machine {
  ridge_version: string;
  name: string;
  date: string;
  host?: string;
  cpu?: Cpu;
  topology?: Topology;
  caches: Cache[];
  memories: Memory[];
  clock: Clock;
  ceilings: Ceiling[];
  effort?: 'quick' | 'standard' | 'full';
  incomplete?: true;
  measured_roofs?: MeasuredRoof[];
  saturation?: Saturation[];
  concurrency?: Concurrency[];
  sustained?: Sustained[];
  siblings?: Siblings[];
  numa?: NumaEntry[];
  interconnect?: Interconnect;
  notes?: Note[];
}

/** what CPUID says */
export interface Cpu {
  vendor: string;
  name: string;
  family: number;
  model: number;
  stepping: number;
}

/** how many of what */
export interface Topology {
  sockets: number;
  numa_nodes: number;
  cores: number;
  threads: number;
}

/** one level */
export interface Cache {
  level: 'L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM';
  size_bytes: Count; // byte
  ways: number;
  line_bytes: number; // byte
  shared_by_threads: number;
  policy: 'inclusive' | 'non-inclusive' | 'victim';
  write_allocate: 'always' | 'never' | 'when-unsaturated';
}

/** memory of one kind */
export interface Memory {
  level: 'L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM';
  size_bytes?: Count; // byte
}

/** clocks seen while measuring */
export interface Clock {
  core?: Estimate; // Hz
  tsc_hertz?: number; // Hz
  uncertainty?: number;
}

/** order statistics of samples: low <= median <= p90 <= high */
export interface Estimate {
  median: number; // in unit
  p90: number; // in unit
  low: number; // in unit
  high: number; // in unit
  samples: Count;
  unit: 'flop/s' | 'op/s' | 'byte/s' | 's' | 'Hz' | 'cycle';
  origin: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
}

/** one upper limit; the unit of its rates follows the kind: flop/s or op/s, byte/s, s */
export interface Ceiling {
  id: string;
  kind: 'compute' | 'bandwidth' | 'latency';
  precision?: string;
  isa?: 'scalar' | 'sse-legacy' | 'sse' | 'avx2' | 'avx512' | 'amx' | 'neon' | 'sve' | 'vsx';
  operation?: 'add' | 'mul' | 'fma' | 'div' | 'sqrt' | 'fma+add' | 'mul+add' | 'fma-chain' | 'add-chain' | 'dot';
  level?: 'L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM';
  pattern?: 'load' | 'store' | 'copy' | 'triad' | 'update' | '2load1store' | 'nt-store' | 'nt-copy' | 'stride-2' | 'stride-4' | 'stride-8' | 'stride-16' | 'gather' | 'gather-emulated' | 'chase-huge' | 'chase-4k';
  threads: number;
  device?: string;
  value: Estimate;
  traffic_value?: Estimate;
  limit?: number; // in value.unit
  limit_fraction?: number;
  source?: string;
  flags: string[];
  clock_hertz?: number; // Hz
  cycles?: Estimate; // cycle
  modes?: Mode[];
}

/** a rate that samples gather around */
export interface Mode {
  value: number; // in value.unit
  share: number;
}

/** the roof of one level as a loop of loads and fma reaches it */
export interface MeasuredRoof {
  level: 'L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM';
  precision: string;
  isa: 'scalar' | 'sse-legacy' | 'sse' | 'avx2' | 'avx512' | 'amx' | 'neon' | 'sve' | 'vsx';
  threads: number;
  compute: string;
  bandwidth: string;
  points: RoofPoint[];
  greatest_shortfall?: Shortfall;
}

/** loads with so much work per byte ran at this rate */
export interface RoofPoint {
  intensity: number; // flop/byte
  value: Estimate; // flop/s
  fraction: number;
}

/** the point that falls furthest below the roof */
export interface Shortfall {
  intensity: number; // flop/byte
  fraction: number;
}

/** bandwidth over the number of threads */
export interface Saturation {
  level: 'L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM';
  pattern: 'load' | 'store' | 'copy' | 'triad' | 'update' | '2load1store' | 'nt-store' | 'nt-copy' | 'stride-2' | 'stride-4' | 'stride-8' | 'stride-16' | 'gather' | 'gather-emulated' | 'chase-huge' | 'chase-4k';
  isa: 'scalar' | 'sse-legacy' | 'sse' | 'avx2' | 'avx512' | 'amx' | 'neon' | 'sve' | 'vsx';
  points: SaturationPoint[];
  n_sat?: number;
}

/** bandwidth with one number of threads */
export interface SaturationPoint {
  threads: number;
  p90: number; // byte/s
}

/** lines that one core has on their way while it streams from a level: p90 of the bandwidth times low (10th percentile) of the latency over the size of a line */
export interface Concurrency {
  level: 'L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM';
  lines: number;
  origin: 'modelled';
  bandwidth: string;
  latency: string;
}

/** what is left of a ceiling when it is asked of all cores for seconds: power limits act by then */
export interface Sustained {
  ceiling: string;
  seconds: number; // s
  value: Estimate;
  clock: Estimate; // Hz
  clock_at_start_hertz: number; // Hz
}

/** all hyperthreads of one core together */
export interface Siblings {
  ceiling: string;
  threads: number;
  value: Estimate;
}

/** memory of one node seen from the cores of another, or the same; nodes as the operating system counts them */
export interface NumaEntry {
  cpu_node: number;
  memory_node: number;
  memory: 'L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM';
  threads: number;
  load?: Estimate; // byte/s
  latency?: Estimate; // s
}

/** how fast ranks exchange messages, as ridge bench --mpi measures it */
export interface Interconnect {
  library: string;
  date: string;
  ranks: number;
  nodes: number;
  links: Link[];
}

/** how fast ranks exchange messages in one way */
export interface Link {
  pattern: 'ping-pong' | 'exchange' | 'all-reduce';
  reach: 'intra-node' | 'inter-node';
  ranks: number;
  latency: Estimate; // s
  bandwidth: Estimate; // byte/s
  points: LinkPoint[];
}

/** one size of message */
export interface LinkPoint {
  bytes: Count; // byte
  value: Estimate; // s
}

/** a remark about a result */
export interface Note {
  code: string;
  text: string;
}

/** what a program did, region by region */
export interface Profile {
  ridge_version: string;
  date: string;
  program: Program;
  machine: Machine;
  processes: Process[];
  parallel?: ParallelRun;
  time: SampledShare;
  origins: Origins;
  imports?: Import[];
  caches_elsewhere?: CachesElsewhere[];
  regions: Region[];
  mpi_calls?: MpiCall[];
  library_calls?: LibraryCall[];
  notes?: Note[];
  summary?: string;
  communication?: CommunicationBound;
  next_steps?: NextStep[];
}

/** what was run, and how it ended */
export interface Program {
  argv: string[];
  exit_code?: number;
  signal?: number;
  wall_seconds?: number; // s
  compiler?: string;
}

/** one process that was measured */
export interface Process {
  pid?: Count;
  argv: string[];
  exit_code?: number;
  signal?: number;
  rank?: number;
  cpu_seconds?: number; // s
  flops?: Count; // flop
  bytes?: Count; // byte
  host?: string;
  wall_seconds?: number; // s
  mpi_seconds?: number; // s
}

/** the ranks of a parallel program */
export interface ParallelRun {
  ranks: number;
  measured: number;
  lost?: number[];
  hosts?: RankHost[];
  oversubscribed?: true;
}

/** a machine on which ranks ran */
export interface RankHost {
  name?: string;
  ranks: number;
  cpus?: number;
  wall_seconds?: number; // s
  cpu_seconds?: number; // s
  mpi_seconds?: number; // s
  flops?: Count; // flop
  bytes?: Count; // byte
  memory_bytes?: Count; // byte
}

/** how much of the run the samples explain */
export interface SampledShare {
  sampled_seconds: number; // s
  unattributed_fraction: number;
  unattributed_low?: number;
  unattributed_high?: number;
}

/** where figures come from */
export interface Origins {
  flops: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
  bytes: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
  traffic: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
  time: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
}

/** a file of another tool whose figures stand in the profile */
export interface Import {
  tool: string;
  version?: string;
  file: string;
}

/** caches that the program did not run on, with a name that stands once */
export interface CachesElsewhere {
  name: string;
  caches: CacheOfCores[];
  memory: 'L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM';
}

/** one cache level, whose sharing is counted in cores */
export interface CacheOfCores {
  level: 'L1' | 'L2' | 'L3' | 'L4';
  size_bytes: number; // byte
  ways: number;
  line_bytes: number; // byte
  shared_by_cores: number;
  policy: 'inclusive' | 'non-inclusive' | 'victim';
  write_allocate: 'always' | 'never' | 'when-unsaturated';
}

/** a function, loop, library or marker; work, traffic and time without inner and called regions, unless they are named inclusive or it overlaps */
export interface Region {
  id: number;
  process: number;
  kind: 'program' | 'function' | 'loop' | 'library' | 'marker' | 'kernel';
  name: string;
  function: string;
  file?: string;
  line?: number;
  column?: number;
  parent?: number;
  device?: string;
  partial?: true;
  overlaps?: true;
  wait?: 'join' | 'barrier' | 'lock' | 'task' | 'other';
  time_seconds: Times; // s
  cpu_seconds: Times; // s
  waited_seconds?: number; // s
  asleep_seconds?: number; // s
  kernel_seconds?: number; // s
  page_faults?: PageFaults;
  wait_causes?: WaitCauses; // s
  caused_wait_seconds?: number; // s
  share_seconds?: number; // s
  callers?: Caller[];
  entries?: Count;
  iterations?: Count;
  trip_counts?: TripCounts;
  flops?: Work; // flop
  ir_flops?: Count; // flop
  flops_interval?: WorkInterval;
  fusible_flops?: Count; // flop
  intops?: Count; // intop
  calls: Record<string, Count>;
  opaque?: Record<string, Count>;
  bytes?: RegionBytes;
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
  traffic_mode?: 'exact' | 'sampled';
  traffic_origins?: Record<string, 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed'>;
  line_use?: number;
  miss_curve?: MissCurvePoint[]; // byte
  memory_nodes?: NodeLines[];
  sharing?: LineSharing;
  threads: number;
  thread_work?: ThreadWork[];
  lines?: LineWork[];
  hottest_block?: CodeBlock;
  origins?: Origins;
  ranks?: RegionRanks;
  imbalance?: RegionImbalance;
  intensity: Record<string, number>; // flop/byte
  unbounded?: ('L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM')[];
  doubtful_traffic?: ('L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM')[];
  performance?: number; // flop/s
  bound?: RegionBound;
  findings: Finding[];
  notes: Note[];
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

/** why threads waited, summed over those that did */
export interface WaitCauses {
  imbalance: number; // s
  serial: number; // s
  oversubscribed: number; // s
  busy: number; // s
  unexplained: number; // s
}

/** a function on the way by which a region is reached */
export interface Caller {
  function: string;
  file?: string;
  line?: number;
  share: number;
}

/** iterations each time a loop was entered */
export interface TripCounts {
  shortest: Count;
  longest: Count;
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

/** between which flops lie */
export interface WorkInterval {
  low: Count; // flop
  high: Count; // flop
}

/** bytes that cross one boundary */
export interface Traffic {
  read: Count; // byte
  written: Count; // byte
}

/** that the region's instructions load and store */
export interface RegionBytes {
  loaded?: Count; // byte
  stored?: Count; // byte
  non_temporal?: Count; // byte
  overwritten?: Count; // byte
  spilled?: Traffic; // byte
}

/** bytes loaded or stored with one pattern of addresses */
export interface AccessTerm {
  pattern: 'unknown' | 'unit' | 'constant' | 'invariant' | 'indirect';
  write: boolean;
  stride_bytes?: number; // byte
  bytes: Count; // byte
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

/** what a line of the source did, over the whole run and all threads */
export interface LineWork {
  file?: string;
  line: number;
  samples?: Count;
  flops?: Count; // flop
  bytes_loaded?: Count; // byte
  bytes_stored?: Count; // byte
}

/** instructions that run one after the other, without a way in or out between them */
export interface CodeBlock {
  executions: Count;
  instructions: CodeInstruction[];
}

/** a machine instruction; figures are those of one execution */
export interface CodeInstruction {
  address: Count;
  text: string;
  line?: number;
  flops?: Count; // flop
  bytes_loaded?: Count; // byte
  bytes_stored?: Count; // byte
}

/** how a region spreads over ranks */
export interface RegionRanks {
  time_seconds?: RankSpread; // s
  cpu_seconds?: RankSpread; // s
  flops?: RankSpread; // flop
  bytes?: RankSpread; // byte
  by_rank?: RankWork[];
}

/** one figure over the ranks that have it, in the unit of its key */
export interface RankSpread {
  ranks: number;
  least: number;
  least_rank: number;
  median: number;
  most: number;
  most_rank: number;
  mean: number;
  bins?: number[];
  max_over_mean?: number;
}

/** what one rank did in a region itself */
export interface RankWork {
  rank: number;
  time_seconds?: number; // s
  cpu_seconds?: number; // s
  flops?: Count; // flop
  bytes?: Count; // byte
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
  code: 'arithmetic' | 'bandwidth' | 'latency' | 'calls' | 'library' | 'blocked' | 'asleep' | 'kernel' | 'no-traffic' | 'no-roof' | 'few-samples' | 'partial';
  resource?: string;
  text: string;
  by_cpu_time?: true;
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

/** calls of one MPI function, summed over ranks */
export interface MpiCall {
  name: string;
  region?: number;
  calls: Count;
  bytes?: Count; // byte
  seconds: number; // s
  waiting_seconds?: number; // s
  seconds_by_rank?: RankSpread; // s
}

/** calls of one function of a numerical library with the same sizes, summed over threads and ranks */
export interface LibraryCall {
  name: string;
  sizes?: string;
  region?: number;
  calls: Count;
  flops?: Count; // flop
  bytes?: Count; // byte
  seconds: number; // s
}

/** what the interconnect allows a program of several ranks */
export interface CommunicationBound {
  messages: Count;
  bytes: Count; // byte
  flops_per_byte?: number; // flop/byte
  bandwidth: number; // byte/s
  latency: number; // s
  roof?: number; // flop/s
  performance?: number; // flop/s
  least_seconds: number; // s
  transfer_seconds?: number; // s
  partial?: true;
}

/** a change that is worth trying, over all regions that it helps */
export interface NextStep {
  region?: number;
  code: string;
  where: string;
  reason: string;
  remedy: string;
  gain_program?: SpeedUp;
  bound?: true;
  assumes?: string;
  regions: number[];
}

/** how many times as fast: between both */
export interface SpeedUp {
  low: number;
  high: number;
}

/** what changed between results of one program */
export interface Comparison {
  summary: string;
  results: ComparedResult[];
  steps: ComparedStep[];
  program?: ComparedLoop;
  loops: ComparedLoop[];
}

/** one of the results */
export interface ComparedResult {
  label: string;
  argv: string[];
  date: string;
  machine: string;
  host?: string;
  compiler?: string;
  processes: number;
  threads: number;
  seconds?: number; // s
  exit_code?: number;
  signal?: number;
  levels: ('L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM')[];
}

/** from one result to another */
export interface ComparedStep {
  from: number;
  to: number;
  times_comparable: boolean;
  traffic_comparable: boolean;
  summary: string;
  notes: Note[];
  ambiguous: AmbiguousMatch[];
}

/** regions that could be each other in more than one way: not compared */
export interface AmbiguousMatch {
  before: number[];
  after: number[];
  text: string;
}

/** a loop, function, library or marker through all results that have it */
export interface ComparedLoop {
  kind: 'program' | 'function' | 'loop' | 'library' | 'marker' | 'kernel';
  name: string;
  label?: string;
  function: string;
  places: Place[];
  steps: LoopStep[];
}

/** a region of one result */
export interface Place {
  result: number;
  region: number;
  name: string;
  function: string;
  file?: string;
  line?: number;
  threads: number;
  partial?: true;
  matched_by: 'first' | 'position' | 'moved' | 'template-arguments' | 'renamed';
  limit?: string;
  ceiling?: string;
  fraction?: number;
  figures: RegionFigure[];
}

/** one quantity of a region */
export interface RegionFigure {
  quantity: string;
  unit: 's' | 'flop' | 'op' | 'byte' | 'flop/s' | 'byte/s' | 'flop/byte' | '';
  value: Count; // in unit
  low?: number; // in unit
  high?: number; // in unit
  origin: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
  doubtful?: string;
}

/** the changes of a loop in one step */
export interface LoopStep {
  step: number;
  changes: Change[];
}

/** how one quantity of a loop changed */
export interface Change {
  quantity: string;
  unit: 's' | 'flop' | 'op' | 'byte' | 'flop/s' | 'byte/s' | 'flop/byte' | '';
  before?: FigureValue;
  after?: FigureValue;
  ratio?: number;
  verdict: 'same' | 'within-spread' | 'changed' | 'one-run' | 'doubtful' | 'unknown' | 'not-comparable';
}

/** the value of a quantity, with its spread */
export interface FigureValue {
  value: Count; // in unit
  low?: number; // in unit
  high?: number; // in unit
  origin: 'measured' | 'counted' | 'simulated' | 'modelled' | 'datasheet' | 'assumed';
  doubtful?: string;
}

/** the document inside report.html */
export interface Page {
  results: PageResult[];
  machines?: Machine[];
  comparison?: Comparison;
  sources?: SourceExcerpt[];
  above_roofs?: AboveRoof[];
}

/** one result on the page */
export interface PageResult {
  label: string;
  profile: Profile;
}

/** lines around regions */
export interface SourceExcerpt {
  file: string;
  first_line: number;
  lines: string[];
}

/** a roof of memory that another pattern of as many threads beats by more than 5 % */
export interface AboveRoof {
  result?: number;
  machine?: number;
  threads: number;
  level: 'L1' | 'L2' | 'L3' | 'L4' | 'DRAM' | 'HBM' | 'CXL' | 'NVRAM';
  text: string;
}
