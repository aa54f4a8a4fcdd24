// The document inside the report: ridge.page/1 and what it holds (docs/formats). An absent key is
// an unknown value.
import type { Count } from './count';
import { parse_exactly } from './count';
import type { Cache, Machine, Note, Profile, Traffic } from './stored';

export type { Bound, Cache, Ceiling, Estimate, Finding, Imbalance, Machine, MeasuredRoof, Note, Profile, Region, SampledTime, Times, Traffic, WorkTerm } from './stored';

/** By level: `L1` is what registers and L1 exchange. */
export type TrafficByLevel = Record<string, Traffic>;

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
