// Labels of random profiles: never over a dot, never over one another. The geometry here is that of
// turned rectangles and circles, not that of the boxes the layout works with.
import { describe, expect, it } from 'vitest';

import { level_style } from '../data/levels';
import { all_results } from '../data/rows';
import { ceiling, page, profile, region, seconds } from '../for_tests';
import { kDefaultView } from '../view/view';
import { make_frame, text_width } from './frame';
import { kNameSize, kRoofSize, lay_out, type Label } from './label_layout';
import { chart_model } from './model';
import { inside, place_marks, place_speck, type PlacedDot } from './placed';
import { mark_path } from './shapes';
import { labels_width, levels, slopes, zones } from './roof_lines';

type Point = [number, number];

let state = 20;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;

/// Corners of the letters as they are drawn: 0.72 em above the line, 0.2 em below.
function corners(label: Label, size: number, bold: boolean): Point[] {
  const angle = ((label.angle ?? 0) * Math.PI) / 180;
  const width = text_width(label.text, size, bold);
  return ([[0, 0.2], [width, 0.2], [width, -0.72], [0, -0.72]] as Point[]).map(([x, up]) => {
    const y = up * size;
    return [label.x + x * Math.cos(angle) - y * Math.sin(angle), label.y + x * Math.sin(angle) + y * Math.cos(angle)];
  });
}

/// Separating axes.
function apart(a: Point[], b: Point[]): boolean {
  const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = []] = [a[0], b[0]];
  return Math.hypot(ax - bx, ay - by) > 500 || [a, b].some((shape) =>
    shape.some(([x1, y1], at) => {
      const [x2, y2] = shape[(at + 1) % shape.length] as Point;
      const along = (points: Point[]) => points.map(([x, y]) => (x - x1) * (y2 - y1) - (y - y1) * (x2 - x1));
      const [pa, pb] = [along(a), along(b)];
      return Math.max(...pa) <= Math.min(...pb) || Math.max(...pb) <= Math.min(...pa);
    }),
  );
}

function circle(x: number, y: number, radius: number): Point[] {
  return Array.from({ length: 16 }, (_, at) => [x + radius * Math.cos((at * Math.PI) / 8), y + radius * Math.sin((at * Math.PI) / 8)]);
}

/// As it is drawn.
function outline(dot: PlacedDot): Point[] {
  const path = mark_path(level_style(dot.dot.level, 0).shape, dot.radius);
  const points = [...path.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]): Point => [dot.x + Number(x), dot.y + Number(y)]);
  return path.includes('a') ? circle(dot.x, dot.y, dot.radius) : points;
}

function random_page(count: number) {
  const roofs = ['L1', 'L2', 'DRAM'].map((level, at) => ceiling(`bandwidth.${level}.load.avx2.t1`, 400e9 / (1 + 8 * at * random())));
  const peaks = ['avx512.fma', 'avx2.fma', 'scalar.fma', 'scalar.add'].map((kind) => ceiling(`compute.fp64.${kind}.t1`, 1e9 * 10 ** (2 * random())));
  const centre = 8 + 2 * random();
  const regions = Array.from({ length: count }, (_, id) => {
    const flops = 10 ** (centre + (random() - 0.5) * (random() < 0.5 ? 0.3 : 3));
    const bytes = () => Math.round(flops * 10 ** (2 * random() - 1));
    const time = 10 * random() ** 6;
    return region({
      id, name: 'name_of_a_loop'.slice(0, 2 + Math.floor(12 * random())), file: 'a.cpp', line: id, time_seconds: { self: seconds(time) },
      flops: { total: Math.round(flops), fp64: Math.round(flops), terms: [] }, performance: flops / time, bytes: { loaded: bytes(), stored: 1 },
      traffic: { L2: { read: bytes(), written: 0 }, DRAM: { read: random() < 0.1 ? 0 : bytes(), written: 0 } },
    });
  });
  return page(profile(regions, [...roofs, ...peaks]));
}

function drawing(count: number, width: number, axis: string) {
  const document = random_page(count);
  const results = all_results(document);
  const rows = results.flatMap((result) => result.rows);
  const model = chart_model({ page: document, results, rows, figures: (row) => row.self, view: { ...kDefaultView, axis } });
  const frame = make_frame(width, true, labels_width(model.lines, () => ''), model.x, model.y);
  const marks = place_marks(model.marks, frame, model.all_levels);
  const specks = model.specks.map((speck) => place_speck(speck, frame)).filter((speck) => inside(speck, frame));
  const roofs = model.lines.map((lines) => ({ slopes: slopes(lines, frame, model.x, model.y, ''), levels: levels(lines, frame, model.x, model.y, '') }));
  const layout = lay_out({ frame, marks, specks, roofs, zones: zones(model.lines[0], model.dot_levels, frame), prefix: () => '' });
  return { frame, marks, specks, layout };
}

describe('labels of random profiles', () => {
  it('cover neither dots nor one another, and lie in the plot', () => {
    let seen = 0;
    for (let round = 0; round < 200; round++) {
      const count = [3, 12, 40, 400][round % 4] ?? 3;
      const { frame, marks, specks, layout } = drawing(count, [1500, 900, 600, 330][Math.floor(random() * 4)] ?? 900, random() < 0.2 ? 'all' : '');
      const texts = [
        ...[...layout.names.values(), ...layout.zones].map((label) => corners(label, kNameSize, false)),
        ...layout.slopes.flat().flatMap((label) => (label === undefined ? [] : [corners(label, kRoofSize, true)])),
        ...layout.levels.flat().flatMap((label) => (label === undefined ? [] : [corners(label, 10, true)])),
      ];
      const dots = [...marks.flatMap((mark) => mark.drawn).map(outline), ...specks.map((dot) => circle(dot.x, dot.y, dot.radius))];
      texts.forEach((text, at) => {
        expect(dots.every((dot) => apart(text, dot)), `round ${round}, label ${at} over a dot`).toBe(true);
        expect(texts.slice(at + 1).every((other) => apart(text, other)), `round ${round}, label ${at} over a label`).toBe(true);
        expect(text.every(([x, y]) => x >= frame.left && x <= frame.right && y >= frame.top && y <= frame.bottom)).toBe(true);
      });
      const numbers = [...layout.names.values()].map((label) => ({ left: label.x, right: label.x + text_width(label.text, kNameSize), y: label.y }));
      numbers.forEach((a, at) => numbers.slice(at + 1).forEach((b) => {
        const gap = Math.max(a.left, b.left) - Math.min(a.right, b.right);
        expect(gap >= 5 || Math.abs(a.y - b.y) > kNameSize / 2, `round ${round}: two numbers read as one`).toBe(true);
      }));
      seen += texts.length;
      expect(layout.names.size + layout.without.length).toBe(marks.length);
    }
    expect(seen).toBeGreaterThan(2000);
  }, 60_000);

  it('of the hottest are there', () => {
    for (let round = 0; round < 40; round++) {
      const { marks, layout } = drawing(20, 1500, '');
      const [hottest] = marks;
      expect(hottest === undefined || layout.names.has(hottest.mark.row.key), `round ${round}`).toBe(true);
    }
  });
});
