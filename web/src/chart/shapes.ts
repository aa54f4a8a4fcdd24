// Marks of equal area around the origin: the shape names the level where colour cannot.
import type { Shape } from '../data/levels';

const kSides: Partial<Record<Shape, number>> = { triangle: 3, inverted: 3, square: 4, diamond: 4, pentagon: 5, hexagon: 6 };
const kTurns: Partial<Record<Shape, number>> = { triangle: -0.25, inverted: 0.25, square: -0.125, diamond: -0.25, pentagon: -0.25, hexagon: 0 };

/// Path of the mark with the area of a circle of this radius.
export function mark_path(shape: Shape, radius: number): string {
  const sides = kSides[shape];
  if (sides === undefined) {
    const r = radius.toFixed(2);
    return `M-${r},0a${r},${r} 0 1,0 ${(2 * radius).toFixed(2)},0a${r},${r} 0 1,0 -${(2 * radius).toFixed(2)},0Z`;
  }
  const outer = radius * Math.sqrt((2 * Math.PI) / (sides * Math.sin((2 * Math.PI) / sides)));
  const corners = Array.from({ length: sides }, (_, corner) => {
    const angle = 2 * Math.PI * (corner / sides + (kTurns[shape] ?? 0));
    return `${(outer * Math.cos(angle)).toFixed(2)},${(outer * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join('L')}Z`;
}
