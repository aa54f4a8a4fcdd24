// The code of a region: its source with figures by line, its hottest block of machine code.
import type { Count } from '../data/count';
import { grouped, to_number } from '../data/count';
import type { Region, SourceExcerpt } from '../data/page';
import type { LineWork } from '../data/stored';
import { percent, si } from '../format';
import { its_rank } from './ranks';

export interface Figure {
  text: string; // empty: none
  title?: string; // every digit
}

export interface CodeLine {
  number: number;
  text: string;
  figures: Figure[]; // of the heads
  heat: number; // its part of the line with most work, 0 to 1
}

export interface OtherLine {
  place: string;
  title: string;
  figures: Figure[];
}

export interface RegionSource {
  heads: string[]; // of the figures; empty where the file has none
  lines: CodeLine[];
  others: OtherLine[]; // that no excerpt shows, most work first
  more: number; // others beyond
  sum: string; // how far the lines hold the figures of the region; empty: they do
}

const kHeads = ['samples', 'work', 'loaded', 'stored'] as const;
const kUnits = { samples: '', work: 'Flop', loaded: 'B', stored: 'B' };
const kMostOthers = 8;
const kMostRows = 160;
/// As much as the file holds, within reason: the panel scrolls to the line.
const kBefore = 20;
const kAfter = 60;

function figure_of(line: LineWork, head: (typeof kHeads)[number]): Count | undefined {
  return { samples: line.samples, work: line.flops, loaded: line.bytes_loaded, stored: line.bytes_stored }[head];
}

function weight(line: LineWork): number {
  return to_number(line.flops ?? 0) + to_number(line.bytes_loaded ?? 0) + to_number(line.bytes_stored ?? 0);
}

/// Nothing for 0, since most lines do not compute; "-" is unknown.
function figures(line: LineWork | undefined, heads: readonly (typeof kHeads)[number][]): Figure[] {
  return heads.map((head) => {
    const count = line === undefined ? 0 : figure_of(line, head);
    return count === undefined ? { text: '-', title: 'not known' }
      : to_number(count) === 0 ? { text: '' }
        : { text: si(to_number(count), kUnits[head]), title: grouped(count) };
  });
}

/// Of `excerpts` those of the region's own file, near its line or with figures.
function shown_lines(region: Region, excerpts: readonly SourceExcerpt[], own: ReadonlyMap<number, LineWork>): { number: number; text: string }[] {
  const line = region.line;
  if (region.file === undefined || line === undefined) {
    return [];
  }
  const here = excerpts.filter((part) => part.file === region.file);
  if (!here.some((part) => part.first_line <= line && line < part.first_line + part.lines.length)) {
    return [];
  }
  const last = Math.max(line, ...[...own.keys()].filter((number) => number <= line + kMostRows));
  return here
    .flatMap((part) => part.lines.map((text, index) => ({ number: part.first_line + index, text })))
    .filter((entry) => entry.number >= line - kBefore && entry.number <= Math.max(line + kAfter, last + 3))
    .slice(0, kMostRows);
}

/// What all lines begin with tells nothing and takes room.
function dedented<Line extends { text: string }>(lines: Line[]): Line[] {
  const blank = (text: string) => text.length - text.trimStart().length;
  const common = Math.min(...lines.filter(({ text }) => text.trim() !== '').map(({ text }) => blank(text)));
  return Number.isFinite(common) ? lines.map((line) => ({ ...line, text: line.text.slice(common) })) : lines;
}

/// "98.0 % of its flops"; empty where the lines hold all of it, or it is not known.
function part_held(whole: Count | undefined, lines: readonly LineWork[], head: (typeof kHeads)[number], what: string): string {
  const all = to_number(whole ?? 0);
  const part = all > 0 ? lines.reduce((sum, line) => sum + to_number(figure_of(line, head) ?? 0), 0) / all : 1;
  return part >= 0.995 && part <= 1.005 ? '' : `${percent(part, 1)} of its ${what}`;
}

export function region_source(region: Region, excerpts: readonly SourceExcerpt[]): RegionSource {
  const work = region.lines ?? [];
  const heads = kHeads.filter((head) => work.some((line) => to_number(figure_of(line, head) ?? 0) > 0));
  const own = new Map(work.flatMap((line) => (line.file === undefined ? [[line.line, line] as const] : [])));
  const most = Math.max(1, ...work.map(weight));
  const lines = dedented(shown_lines(region, excerpts, own)).map((entry) => {
    const line = own.get(entry.number);
    return { ...entry, figures: figures(line, heads), heat: line === undefined ? 0 : weight(line) / most };
  });
  const shown = new Set(lines.map((line) => line.number));
  const others = work
    .filter((line) => line.file !== undefined || !shown.has(line.line))
    .sort((a, b) => weight(b) - weight(a));
  const held = [
    part_held(region.flops?.total, work, 'work', 'flops'),
    part_held(region.bytes?.loaded, work, 'loaded', 'loaded bytes'),
    part_held(region.bytes?.stored, work, 'stored', 'stored bytes'),
  ].filter(Boolean);
  return {
    heads,
    lines,
    others: others.slice(0, kMostOthers).map((line) => {
      const file = line.file ?? region.file ?? '';
      return { place: `${file.split('/').at(-1) ?? ''}:${line.line}`, title: `${file}:${line.line}`, figures: figures(line, heads) };
    }),
    more: Math.max(0, others.length - kMostOthers),
    // The lines of one rank do not hold the sum over all: nothing is missing.
    sum: work.length === 0 || held.length === 0 || its_rank(region) !== '' ? '' : `The lines hold ${held.join(', ')}: they are read from the machine code.`,
  };
}
