// The document inside the report: ridge.page/1 and what it holds (docs/formats). An absent key is
// an unknown value.
import type { Count } from './count';
import { parse_exactly } from './count';
import type { Note, Profile, Traffic } from './stored';

export type { Bound, Finding, Imbalance, Note, Profile, Region, SampledTime, Times, Traffic, WorkTerm } from './stored';

/** By level: `L1` is what registers and L1 exchange. */
export type TrafficByLevel = Record<string, Traffic>;

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

export interface CachesElsewhere {
  name: string;
  caches: Cache[];
  memory: string;
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
