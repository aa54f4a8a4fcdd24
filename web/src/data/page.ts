// The document inside the report: ridge.page/1 and what it holds (docs/formats). An absent key is
// an unknown value.
import { parse_exactly } from './count';
import type { Page as StoredPage, Traffic } from './stored';

export type { AboveRoof, Bound, Cache, CachesElsewhere, Ceiling, Change, ComparedLoop, Comparison, Estimate, FigureValue, Finding, Imbalance, Machine, MeasuredRoof, Note, PageResult, Place, Profile, Region, SampledTime, SourceExcerpt, Times, Traffic, WorkTerm } from './stored';

/** By level: `L1` is what registers and L1 exchange. */
export type TrafficByLevel = Record<string, Traffic>;

/** Lists that are not in the document are empty. */
export type Page = StoredPage & Required<Pick<StoredPage, 'machines' | 'sources' | 'above_roofs'>>;

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
