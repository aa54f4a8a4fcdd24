// Which rows the reader wants.
import type { Figures, Row } from '../data/rows';
import type { View } from './view';

export type Filter = Pick<View, 'min_share' | 'query' | 'file' | 'finding' | 'work'>;

/// Every word must occur, in any order, in the name, the function or the place.
export function words_of(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter((word) => word !== '');
}

export function filter_rows(
  rows: readonly Row[],
  filter: Filter,
  figures: (row: Row) => Figures,
): Row[] {
  const words = words_of(filter.query);
  const least = filter.min_share / 100;
  return rows.filter(
    (row) =>
      (least <= 0 || (figures(row).share ?? 0) >= least) &&
      (filter.work === '' || row.has_work === (filter.work === 'flops')) &&
      (filter.file === '' || row.region.file === filter.file) &&
      (filter.finding === '' || row.region.findings.some((found) => found.code === filter.finding)) &&
      words.every((word) => row.search.includes(word)),
  );
}

export function is_filtering(filter: Filter): boolean {
  return filter.min_share > 0 || filter.query.trim() !== '' || filter.file !== '' || filter.finding !== '' || filter.work !== '';
}

/// Files of the rows with the number of rows in each, most first.
export function files_of(rows: readonly Row[]): [string, number][] {
  return tally(rows.flatMap((row) => row.region.file ?? []));
}

export function findings_of(rows: readonly Row[]): [string, number][] {
  return tally(rows.flatMap((row) => [...new Set(row.region.findings.map((found) => found.code))]));
}

function tally(items: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  items.forEach((item) => counts.set(item, (counts.get(item) ?? 0) + 1));
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
