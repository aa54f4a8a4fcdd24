// Colours as values, not as CSS classes: the chart carries them into exported pictures.
import { level_style } from './data/levels';

export interface Palette {
  name: 'light' | 'dark';
  background: string;
  text: string;
  quiet: string; // secondary text, 4.5:1 on the background
  grid: string;
  grid_major: string;
  frame: string;
  strip: string; // fill behind the familiar kernels
  better: string;
  worse: string;
  zones: [memory: string, compute: string];
  heat: string[]; // by share of the time, from the least on: steps of lightness, away from the background
}

export const kLight: Palette = {
  name: 'light',
  background: '#ffffff',
  text: '#1b1f24',
  quiet: '#596069',
  grid: '#eef0f2',
  grid_major: '#d5d9de',
  frame: '#596069',
  strip: '#f3f5f7',
  better: '#00795a',
  worse: '#b3261e',
  zones: ['#edf4fa', '#fdf3e9'],
  heat: ['#f6eab0', '#f4c04e', '#e8802a', '#bf3a1f', '#7a1029'],
};

export const kDark: Palette = {
  name: 'dark',
  background: '#14171b',
  text: '#e8eaed',
  quiet: '#a3abb5',
  grid: '#20252b',
  grid_major: '#343b44',
  frame: '#8b949e',
  strip: '#1d2228',
  better: '#2fc79b',
  worse: '#ff8a80',
  zones: ['#16202b', '#231c15'],
  heat: ['#4a2a5c', '#85306a', '#c9484f', '#f28d3c', '#fbe58a'],
};

export function level_colour(palette: Palette, level: string, index: number): string {
  return level_style(level, index)[palette.name];
}

/// Ends of the steps, as shares of the time.
export const kHeatSteps: readonly number[] = [0.01, 0.03, 0.1, 0.3];

export function heat_colour(palette: Palette, share: number): string {
  return palette.heat[kHeatSteps.filter((end) => share >= end).length] ?? palette.text;
}

export function heat_words(step: number): string {
  const [from, to] = [kHeatSteps[step - 1], kHeatSteps[step]].map((end) => end && `${Math.round(100 * end)}`);
  return from === undefined ? `below ${to} %` : to === undefined ? `${from} % and more` : `${from} to ${to} %`;
}
