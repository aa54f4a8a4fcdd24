// The document inside the report: ridge.page/1 and what it holds (docs/formats). An absent key is
// an unknown value.
import type { Count } from './count';
import { parse_exactly } from './count';

export interface SampledTime {
  value: number;
  low: number;
  high: number;
  samples: Count;
}

export interface Times {
  self?: SampledTime;
  inclusive?: SampledTime;
}

export interface Crossing {
  read: Count;
  written: Count;
}

export type TrafficByLevel = Record<string, Crossing>;

export interface Bound {
  ceiling: string;
  unit: 'flop/s' | 'byte/s' | 'intop/s';
  attainable: number;
  fraction?: number;
  next?: string;
  next_attainable?: number;
}

export interface Note {
  code: string;
  text: string;
}

export interface Finding {
  code: string;
  text: string;
  evidence: Record<string, number>;
  speed_up?: number; // of the loop; gain is always the whole program's
  speed_up_least?: number;
  speed_up_is_bound?: true;
  speed_up_note?: string;
  gain_program?: number;
  origin?: string;
}

export interface WorkTerm {
  precision: string;
  kind: string;
  width_bits: number;
  flops: Count;
}

export interface Imbalance {
  quantity: string;
  max_over_mean: number;
  threads: number;
}

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
  partial?: boolean;
  threads: number;
  entries: Count;
  iterations?: Count;
  trip_counts?: { shortest: Count; longest: Count };
  time_seconds: Times;
  cpu_seconds: Times;
  flops: { total: Count; terms: WorkTerm[]; other?: Count } & Record<string, unknown>;
  fusible_flops?: Count;
  intops?: Count;
  calls: Record<string, Count>;
  opaque?: Record<string, Count>;
  bytes: { loaded: Count; stored: Count; non_temporal?: Count; overwritten?: Count };
  accesses?: { pattern: string; write: boolean; stride_bytes?: number; bytes: Count }[];
  gathered?: Crossing;
  masked?: { operations: Count; lanes: Count; active_lanes: Count };
  chain?: { operation: string; precision?: string; reduction: boolean; operations: Count }[];
  not_vectorised?: string;
  traffic: TrafficByLevel;
  least_traffic?: TrafficByLevel;
  traffic_at_share?: TrafficByLevel;
  traffic_elsewhere?: Record<string, TrafficByLevel>;
  line_use?: number;
  miss_curve?: { capacity_bytes: Count; misses_bytes: Count }[];
  sharing?: { lines: Count; falsely: Count; truly: Count; invalidations: Count; turns?: Count };
  thread_work?: { thread: number; flops: Count; bytes: Count; iterations: Count; cpu_seconds?: SampledTime }[];
  imbalance?: { work?: Imbalance; cpu?: Imbalance };
  traffic_mode?: 'exact' | 'sampled';
  page_faults?: { value: Count; low: Count; high: Count; major: Count; kernel_seconds: number };
  intensity: Record<string, number>;
  unbounded?: string[];
  doubtful_traffic?: string[]; // levels
  performance?: number;
  bound?: { code?: Bound; machine?: Bound; code_at_neighbouring_threads?: Bound[]; notes?: Note[]; gain?: number; verdict?: Note };
  findings: Finding[];
  notes: Note[];
}

export interface Estimate {
  median: number;
  p90: number;
  low: number;
  high: number;
  samples: Count;
  unit: string;
  origin: string;
}

export interface Ceiling {
  id: string;
  kind: 'compute' | 'bandwidth' | 'latency';
  precision?: string;
  isa?: string;
  operation?: string;
  level?: string;
  pattern?: string;
  threads: number;
  device?: string;
  value: Estimate;
  traffic_value?: Estimate;
  limit?: number;
  limit_fraction?: number;
  source?: string;
  flags: string[];
}

export interface Cache {
  level: string;
  size_bytes: Count;
  ways: number;
  line_bytes: number;
  shared_by_threads: number;
  policy: string;
  write_allocate: string;
}

export interface MeasuredRoof {
  level: string;
  precision: string;
  isa: string;
  threads: number;
  compute: string;
  bandwidth: string;
  points: { intensity: number; value: Estimate; fraction: number }[];
}

export interface Machine {
  ridge_version: string;
  name: string;
  date: string;
  host?: string;
  cpu: { vendor: string; name: string; family: number; model: number; stepping: number };
  topology: { sockets: number; numa_nodes: number; cores: number; threads: number };
  caches: Cache[];
  memories: { level: string; size_bytes?: Count }[];
  ceilings: Ceiling[];
  effort?: string;
  measured_roofs?: MeasuredRoof[];
  notes?: Note[];
}

export interface Profile {
  ridge_version: string;
  date: string;
  program: { argv: string[]; exit_code?: number; signal?: number; wall_seconds: number; compiler?: string };
  machine: Machine;
  caches_elsewhere?: { name: string; caches: Cache[]; memory: string }[];
  processes: { pid: number; argv: string[]; exit_code?: number; signal?: number; rank?: number }[];
  time: { sampled_seconds: number; unattributed_fraction: number; unattributed_low?: number; unattributed_high?: number };
  origins: { flops: string; bytes: string; traffic: string; time: string };
  regions: Region[];
  notes?: Note[];
  summary?: string;
}

export interface PageResult {
  label: string;
  profile: Profile;
}

export interface SourceExcerpt {
  file: string;
  first_line: number;
  lines: string[];
}

export type Verdict = 'same' | 'within-spread' | 'changed' | 'one-run' | 'doubtful' | 'unknown' | 'not-comparable';

export interface ComparedValue {
  value: Count;
  low?: number;
  high?: number;
  origin: string;
  doubtful?: string;
}

export interface Change {
  quantity: string;
  unit: string;
  before?: ComparedValue;
  after?: ComparedValue;
  ratio?: number;
  verdict: Verdict;
}

export interface Place {
  result: number;
  region: number;
  name: string;
  function: string;
  file?: string;
  line?: number;
  threads: number;
  matched_by: string;
  limit?: string;
  ceiling?: string;
  fraction?: number;
  figures: (ComparedValue & { quantity: string; unit: string })[];
}

export interface ComparedLoop {
  kind: string;
  name: string;
  function: string;
  places: Place[];
  steps: { step: number; changes: Change[] }[];
}

export interface Comparison {
  summary: string;
  results: { label: string; seconds?: number }[];
  steps: {
    from: number;
    to: number;
    times_comparable: boolean;
    traffic_comparable: boolean;
    summary: string;
    notes: Note[];
    ambiguous: { before: number[]; after: number[]; text: string }[];
  }[];
  program?: ComparedLoop;
  loops: ComparedLoop[];
}

export interface AboveRoof {
  result?: number; // whose machine it is, or
  machine?: number;
  threads: number;
  level: string;
  text: string;
}

export interface Page {
  comparison?: Comparison;
  results: PageResult[];
  machines: Machine[];
  sources: SourceExcerpt[];
  above_roofs: AboveRoof[];
}

const kSchema = 'ridge.page/1';

/// Throws an Error that says what is wrong.
export function parse_page(text: string): Page {
  const document = parse_exactly(text) as Partial<Page> & { schema?: string };
  if (document.schema !== kSchema || document.results === undefined) {
    throw new Error(`the document in this page is not ${kSchema}`);
  }
  return {
    results: document.results,
    machines: document.machines ?? [],
    sources: document.sources ?? [],
    above_roofs: document.above_roofs ?? [],
    comparison: document.comparison,
  };
}
