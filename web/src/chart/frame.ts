// Where things lie in the drawing, in pixels.
import type { Axis, Scale } from './scale';
import { log_scale } from './scale';

export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number; // x of the right edge of the plot
  top: number;
  bottom: number; // y of the lower edge of the plot
  narrow: boolean;
  x: Scale;
  y: Scale;
}

const kNarrow = 640;

/// `labels`: width of the longest label to the right of the plot.
export function make_frame(width: number, strip: boolean, labels: number, x: Axis, y: Axis): Frame {
  const narrow = width < kNarrow;
  const height = Math.round(Math.min(620, Math.max(340, width * 0.5)));
  const left = narrow ? 46 : 62;
  const right = width - (narrow ? 10 : labels + 14);
  const top = strip ? 30 : 10;
  const bottom = height - 46;
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    narrow,
    x: log_scale(x, [left, right]),
    y: log_scale(y, [bottom, top]),
  };
}

/// Estimated, since an exported picture has no page to ask: 0.62 em for a sans-serif letter, 0.7 where it is bold.
export function text_width(text: string, size: number, bold = false): number {
  return text.length * size * (bold ? 0.7 : 0.62);
}
