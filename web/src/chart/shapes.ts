// Marks of equal area around the origin: the shape names the level where colour cannot.
import type { Shape } from '../data/levels';
import type { Box } from './labels';

const kSides: Partial<Record<Shape, number>> = { triangle: 3, inverted: 3, square: 4, diamond: 4, pentagon: 5, hexagon: 6 };
const kTurns: Partial<Record<Shape, number>> = { triangle: -0.25, inverted: 0.25, square: -0.125, diamond: -0.25, pentagon: -0.25, hexagon: 0 };

/// Corners of the mark with the area of a circle of this radius; none of a circle.
function corners_of(shape: Shape, radius: number): [number, number][] {
  const sides = kSides[shape] ?? 0;
  const outer = radius * Math.sqrt((2 * Math.PI) / (sides * Math.sin((2 * Math.PI) / sides)));
  return Array.from({ length: sides }, (_, corner) => {
    const angle = 2 * Math.PI * (corner / sides + (kTurns[shape] ?? 0));
    return [outer * Math.cos(angle), outer * Math.sin(angle)];
  });
}

export function mark_path(shape: Shape, radius: number): string {
  const corners = corners_of(shape, radius);
  if (corners.length === 0) {
    const r = radius.toFixed(2);
    return `M-${r},0a${r},${r} 0 1,0 ${(2 * radius).toFixed(2)},0a${r},${r} 0 1,0 -${(2 * radius).toFixed(2)},0Z`;
  }
  return `M${corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join('L')}Z`;
}

/// The box around the mark at the origin.
export function mark_box(shape: Shape, radius: number): Box {
  const corners = corners_of(shape, radius);
  const [xs, ys] = corners.length === 0 ? [[-radius, radius], [-radius, radius]] : [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
