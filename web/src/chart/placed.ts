// Marks in pixels.
import { level_style } from '../data/levels';
import type { Frame } from './frame';
import type { Box } from './labels';
import type { Dot, Mark } from './model';
import { mark_box } from './shapes';

const kSmallest = 2.5;
const kLargest = 21.5;
/// Of the dots at other levels, beside the one at the level that binds.
const kBeside = 0.55;

export interface PlacedDot {
  dot: Dot;
  x: number;
  y: number;
  radius: number;
  unbounded: boolean; // at the right edge: the level is never crossed
  box: Box;
}

export interface PlacedMark {
  mark: Mark;
  main: PlacedDot; // at the level that binds
  dots: PlacedDot[]; // of all levels, those inside of the frame
  drawn: PlacedDot[]; // until the pointer comes
  path: string; // from dot to dot, beyond the frame too
}

/// By the share of the whole time, not by that of the hottest: 0.1 % looks small wherever it stands.
export function radius_of(share: number): number {
  return kSmallest + (kLargest - kSmallest) * Math.sqrt(Math.min(1, share));
}

export function place_dot(dot: Dot, frame: Frame, radius: number, levels: readonly string[]): PlacedDot {
  const unbounded = dot.x === undefined;
  const x = dot.x === undefined ? frame.right - radius - 3 : frame.x(dot.x);
  const y = frame.y(dot.y);
  const around = mark_box(level_style(dot.level, levels.indexOf(dot.level)).shape, radius);
  return { dot, x, y, radius, unbounded, box: { ...around, x: x + around.x, y: y + around.y } };
}

/// A circle, whatever its level.
export function place_speck(mark: Mark, frame: Frame): PlacedDot {
  const placed = place_dot(mark.main, frame, kSpeckRadius, []);
  return { ...placed, box: { x: placed.x - kSpeckRadius, y: placed.y - kSpeckRadius, width: 2 * kSpeckRadius, height: 2 * kSpeckRadius } };
}

export function inside(dot: PlacedDot, frame: Frame): boolean {
  return dot.x >= frame.left && dot.x <= frame.right && dot.y >= frame.top && dot.y <= frame.bottom;
}

/// Undefined where its main dot lies outside of the frame.
export function place_mark(mark: Mark, frame: Frame, levels: readonly string[]): PlacedMark | undefined {
  const radius = radius_of(mark.share);
  const all = mark.dots.map((dot) => place_dot(dot, frame, dot === mark.main ? radius : Math.max(kSmallest, kBeside * radius), levels));
  const dots = all.filter((dot) => inside(dot, frame));
  const main = dots.find((dot) => dot.dot === mark.main);
  const path = all.length > 1 ? `M${all.map((dot) => `${dot.x},${dot.y}`).join('L')}` : '';
  return main && { mark, main, dots, drawn: mark.expanded ? dots : [main], path };
}

export function place_marks(marks: readonly Mark[], frame: Frame, levels: readonly string[]): PlacedMark[] {
  return marks.flatMap((mark) => place_mark(mark, frame, levels) ?? []);
}

/// Radii of the specks, and of where a click still means one.
export const kSpeckRadius = 1.5;
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
