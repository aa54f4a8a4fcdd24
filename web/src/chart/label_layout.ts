// Where numbers, names and the names of roofs stand: never over a dot, never over one another. What
// finds no place is left out; of regions it is said which.
import { short_name } from '../names';
import type { Frame } from './frame';
import { text_width } from './frame';
import type { Box } from './labels';
import { Taken } from './labels';
import type { PlacedDot, PlacedMark } from './placed';
import type { Level, Line, Slope } from './roof_lines';

const kMostNames = 14;
export const kNameSize = 11;
export const kRoofSize = 12;
/// Of letters above and below the line they stand on.
const [kAscent, kDescent] = [0.95, 0.3];
/// Left and right of them, in pixels: "10" beside "8" would read as 108.
const kSide = 3;

export interface Label {
  x: number;
  y: number; // of the base line
  text: string;
  boxes: Box[];
  angle?: number; // degrees
  leader?: Line;
}

export interface Layout {
  names: Map<string, Label>; // by key of the row
  without: PlacedMark[]; // that found no place for their number
  slopes: (Label | undefined)[][]; // by machine
  levels: (Label | undefined)[][];
  zones: Label[];
}

export interface Zone {
  text: string;
  from: number; // pixels
  to: number;
}

function upright(x: number, y: number, text: string, size: number, bold = false): Label {
  const box = { x: x - kSide, y: y - kAscent * size, width: text_width(text, size, bold) + 2 * kSide, height: (kAscent + kDescent) * size };
  return { x, y, text, boxes: [box] };
}

/// Boxes along a line of text that is turned: each as large as a letter needs in any direction.
function along(x: number, y: number, angle: number, text: string, size: number): Label {
  const width = text_width(text, size, true);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const middle = ((kAscent - kDescent) * size) / 2; // above the base line
  const half = ((kAscent + kDescent) * size) / 2;
  const step = size / 2;
  const reach = [half * Math.abs(sin) + step * Math.abs(cos), half * Math.abs(cos) + step * Math.abs(sin)] as const;
  const boxes: Box[] = [];
  for (let at = step / 2; at < width + step / 2; at += step) {
    const [cx, cy] = [x + at * cos + middle * sin, y + at * sin - middle * cos];
    boxes.push({ x: cx - reach[0], y: cy - reach[1], width: 2 * reach[0], height: 2 * reach[1] });
  }
  return { x, y, text, boxes, angle: (angle * 180) / Math.PI };
}

function leader(dot: PlacedDot, { boxes: [box] }: Label): Line | undefined {
  if (box === undefined) {
    return undefined;
  }
  const clamp = (value: number, low: number, size: number) => Math.max(low, Math.min(low + size, value));
  const [x, y] = [clamp(dot.x, box.x, box.width), clamp(dot.y, box.y, box.height)];
  const length = Math.hypot(x - dot.x, y - dot.y);
  const start = dot.radius / Math.max(length, 1);
  return length - dot.radius < 9 ? undefined : { x1: dot.x + start * (x - dot.x), y1: dot.y + start * (y - dot.y), x2: x, y2: y };
}

/// Beside the dot at first, then further away with a line to it.
function* places_around(dot: PlacedDot, text: string, rings: readonly number[]): Generator<Label> {
  const width = text_width(text, kNameSize);
  for (const ring of rings) {
    const gap = 4 + 13 * ring;
    for (let turn = 0; turn < 12; turn++) {
      // Right, left, above, below, and what lies between.
      const angle = ([0, 6, 9, 3, 10, 2, 8, 4, 11, 1, 7, 5][turn] ?? 0) * (Math.PI / 6);
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const right = dot.box.x + dot.box.width + gap;
      const middle = Math.abs(cos) < 0.3 ? dot.x - width / 2 : cos > 0 ? Math.min(right, dot.x + (dot.radius + gap) * 1.4 * cos + 2) : 0;
      const x = cos <= -0.3 ? Math.max(dot.box.x - gap, dot.x + (dot.radius + gap) * 1.4 * cos - 2) - width : middle;
      const up = sin < 0 ? dot.box.y - gap : dot.box.y + dot.box.height + gap + kNameSize;
      const y = Math.abs(sin) < 0.1 ? dot.y + 4 : Math.abs(cos) < 0.3 ? up : dot.y + 4 + (dot.radius + gap) * 1.2 * sin;
      const label = upright(x, y, text, kNameSize);
      yield ring === 0 ? label : { ...label, leader: leader(dot, label) };
    }
  }
}

function name_places(mark: PlacedMark, named: boolean, narrow: boolean, prefix: string): Label[] {
  const { row } = mark.mark;
  const number = `${prefix}${row.rank}`;
  const full = `${number} ${short_name(row.name, narrow ? 16 : 26)}`;
  return [
    ...(named ? places_around(mark.main, full, [0, 1]) : []),
    ...places_around(mark.main, number, [0, 1, 2, 3]),
  ];
}

/// Along the line, above it and below.
function* slope_places({ line, text }: Slope): Generator<Label> {
  const length = Math.hypot(line.x2 - line.x1, line.y2 - line.y1);
  const angle = Math.atan2(line.y2 - line.y1, line.x2 - line.x1);
  for (let from = 12; from + text_width(text, kRoofSize, true) < length; from += 12) {
    for (const offset of [6, -kRoofSize - 3]) {
      const x = line.x1 + from * Math.cos(angle) + offset * Math.sin(angle);
      const y = line.y1 + from * Math.sin(angle) - offset * Math.cos(angle);
      yield along(x, y, angle, text, kRoofSize);
    }
  }
}

/// From the right end leftwards, above the line and below.
function* level_places({ line, label: { text } }: Level, frame: Frame): Generator<Label> {
  const width = text_width(text, 10, true);
  for (let x = frame.right - 4 - width; x > line.x1; x -= 12) {
    for (const offset of [-5, 13]) {
      yield upright(x, line.y2 + offset, text, 10, true);
    }
  }
}

/// In the lowest rows of the plot.
function* zone_places(zone: Zone, frame: Frame): Generator<Label> {
  const width = text_width(zone.text, kNameSize);
  for (const y of [frame.bottom - 7, frame.top + 14, frame.bottom - 24]) {
    for (let x = zone.from + 8; x + width < zone.to - 4; x += 16) {
      yield upright(x, y, zone.text, kNameSize);
    }
  }
}

/// Small boxes along the lines, which names of roofs avoid where they can.
function over_lines(lines: readonly Line[]): Taken {
  const everywhere = { x: -1e6, y: -1e6, width: 2e6, height: 2e6 };
  const taken = new Taken(everywhere);
  for (const { x1, y1, x2, y2 } of lines) {
    const steps = Math.ceil(Math.hypot(x2 - x1, y2 - y1) / 5);
    for (let at = 0; at <= steps; at++) {
      taken.take({ x: x1 + ((x2 - x1) * at) / Math.max(1, steps) - 1, y: y1 + ((y2 - y1) * at) / Math.max(1, steps) - 1, width: 2, height: 2 });
    }
  }
  return taken;
}

export interface LayoutInput {
  frame: Frame;
  marks: readonly PlacedMark[]; // by descending share: the hottest get their names first
  specks: readonly PlacedDot[];
  roofs: readonly { slopes: readonly Slope[]; levels: readonly Level[] }[]; // by machine
  zones: readonly Zone[];
  prefix: (mark: PlacedMark) => string;
}

export function lay_out({ frame, marks, specks, roofs, zones, prefix }: LayoutInput): Layout {
  const taken = new Taken({ x: frame.left + 1, y: frame.top + 1, width: frame.right - frame.left - 2, height: frame.bottom - frame.top - 2 });
  taken.take(...marks.flatMap((mark) => mark.drawn.map((dot) => dot.box)), ...specks.map((dot) => dot.box));
  const names = new Map<string, Label>();
  const without: PlacedMark[] = [];
  const most = frame.narrow ? 5 : kMostNames;
  marks.forEach((mark, at) => {
    const found = taken.first(name_places(mark, at < most, frame.narrow, prefix(mark)));
    if (found === undefined) {
      without.push(mark);
    } else {
      names.set(mark.mark.row.key, found);
    }
  });
  const lines = over_lines(roofs.flatMap((of) => [...of.slopes, ...of.levels].map(({ line }) => line)));
  const roof_label = (places: Label[]) => {
    const clear = places.filter(({ boxes }) => boxes.every((box) => lines.is_free(box)));
    return taken.first([...clear, ...places]);
  };
  return {
    names,
    without,
    slopes: roofs.map((of) => of.slopes.map((slope) => roof_label([...slope_places(slope)]))),
    levels: roofs.map((of) => of.levels.map((level) => (frame.narrow ? roof_label([...level_places(level, frame)]) : undefined))),
    zones: zones.flatMap((zone) => taken.first(zone_places(zone, frame)) ?? []),
  };
}
