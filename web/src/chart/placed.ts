// Marks in pixels, with their numbers and names where these cover nothing.
import type { Frame } from './frame';
import { short_name } from '../names';
import { text_width } from './frame';
import type { Box } from './labels';
import { first_free } from './labels';
import type { Dot, Mark } from './model';

const kSmallest = 3.5;
const kLargest = 17;
const kMostNames = 14;
const kNameSize = 11;

export interface PlacedDot {
  dot: Dot;
  x: number;
  y: number;
  radius: number;
  unbounded: boolean; // at the right edge: the level is never crossed
}

export interface PlacedMark {
  mark: Mark;
  radius: number;
  dots: PlacedDot[];
  main: PlacedDot; // of the outermost level
  label?: { x: number; y: number; text: string; leader?: { x: number; y: number } };
}

/// The area of a mark follows the time.
export function radius_of(share: number, largest: number): number {
  return largest > 0 ? kSmallest + (kLargest - kSmallest) * Math.sqrt(share / largest) : kSmallest + 2;
}

export function place_dot(dot: Dot, frame: Frame, radius: number): PlacedDot {
  const unbounded = dot.x === undefined;
  const x = dot.x === undefined ? frame.right - radius - 3 : frame.x(dot.x);
  return { dot, x, y: frame.y(dot.y), radius, unbounded };
}

function inside(dot: PlacedDot, frame: Frame): boolean {
  return dot.x >= frame.left && dot.x <= frame.right && dot.y >= frame.top && dot.y <= frame.bottom;
}

export function label_box(dot: PlacedDot, dx: number, dy: number, width: number): Box {
  return { x: dot.x + dx, y: dot.y + dy - kNameSize, width, height: kNameSize + 3 };
}

function places_around(dot: PlacedDot, width: number): Box[] {
  const r = dot.radius + 4;
  return [
    [r, 4], [-r - width, 4], [-width / 2, -r], [-width / 2, r + 9], [r, -r + 2], [r, r + 6],
    [-r - width, -r + 2], [-r - width, r + 6], [-width / 2, -r - 16], [-width / 2, r + 25],
    [r + 14, -r - 12], [r + 14, r + 18],
  ].map(([dx = 0, dy = 0]) => label_box(dot, dx, dy, width));
}

/// `marks` come by descending share, so the most important ones get their names first.
export function place_marks(marks: readonly Mark[], frame: Frame, prefix: (mark: Mark) => string): PlacedMark[] {
  const largest = Math.max(0, ...marks.map((mark) => mark.share));
  const placed = marks.flatMap((mark): PlacedMark[] => {
    const radius = radius_of(mark.share, largest);
    const dots = mark.dots.map((dot) => place_dot(dot, frame, radius)).filter((dot) => inside(dot, frame));
    const main = dots.at(-1);
    return main === undefined ? [] : [{ mark, radius, dots, main }];
  });
  const taken: Box[] = placed.flatMap((mark) =>
    mark.dots.map((dot) => ({ x: dot.x - dot.radius, y: dot.y - dot.radius, width: 2 * dot.radius, height: 2 * dot.radius })),
  );
  const plot = { x: frame.left, y: frame.top, width: frame.right - frame.left, height: frame.bottom - frame.top };
  const most = frame.narrow ? 5 : kMostNames;
  placed.slice(0, most).forEach((mark) => {
    const number = `${prefix(mark.mark)}${mark.mark.row.rank}`;
    const full = `${number} ${short_name(mark.mark.row.name, frame.narrow ? 14 : 24)}`;
    const candidates = [full, number].flatMap((text) =>
      places_around(mark.main, text_width(text, kNameSize)).map((box) => ({ text, box })),
    );
    const box = first_free(candidates.map((candidate) => candidate.box), plot, taken);
    const text = candidates.find((candidate) => candidate.box === box)?.text;
    if (box !== undefined && text !== undefined) {
      mark.label = { x: box.x, y: box.y + kNameSize, text };
    }
  });
  return placed;
}

/// Radii of the small points, and of where a click still means one.
export const kPointRadius = 2;
const kReach = 18;

export function nearest(dots: readonly PlacedDot[], x: number, y: number): PlacedDot | undefined {
  let best: PlacedDot | undefined;
  let least = Infinity;
  for (const dot of dots) {
    const distance = Math.hypot(dot.x - x, dot.y - y) - dot.radius;
    if (distance < least && distance < kReach) {
      least = distance;
      best = dot;
    }
  }
  return best;
}
