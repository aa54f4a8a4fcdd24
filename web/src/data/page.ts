// The document inside the report: ridge.page/1 and what it holds (docs/formats). An absent key is
// an unknown value.
import { parse_exactly } from './count';
import type { Page as StoredPage, PageResult as StoredResult, Profile as StoredProfile, Region as StoredRegion, Traffic } from './stored';

export type { AboveRoof, Bound, Cache, CachesElsewhere, Ceiling, Change, ComparedLoop, Comparison, Estimate, FigureValue, Finding, Imbalance, Machine, MeasuredRoof, Note, Place, SampledTime, SourceExcerpt, Times, Traffic, WorkTerm } from './stored';

/** By level: `L1` is what registers and L1 exchange. */
export type TrafficByLevel = Record<string, Traffic>;

/** What gains the most, over the whole program: a finding of one region or of several. */
export interface NextStep {
  region?: number; // the one with the most to gain
  code: string; // of the finding
  where: string;
  reason: string; // parts of sentences
  remedy: string;
  gain_program?: { low: number; high: number }; // times as fast, of the time that the steps before leave
  bound?: boolean; // nothing exceeds the gain; else an estimate
  assumes?: string; // what the gain holds under
  regions?: number[]; // all that the remedy helps
}

/** Older files do not say what was spilled. */
export type Region = StoredRegion & { bytes?: { spilled?: Traffic } };

/** Files of older versions have no next steps. */
export type Profile = Omit<StoredProfile, 'regions' | 'next_steps'> & { regions: Region[]; next_steps?: NextStep[] };
export type PageResult = Omit<StoredResult, 'profile'> & { profile: Profile };

/** Lists that are not in the document are empty. */
export type Page = Omit<StoredPage, 'results'> & Required<Pick<StoredPage, 'machines' | 'sources' | 'above_roofs'>> & { results: PageResult[] };

const kSchema = 'ridge.page/1';

/// Throws an Error that says what is wrong.
export function parse_page(text: string): Page {
  const document = parse_exactly(text) as Partial<StoredPage> & { schema?: string };
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
