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
};

export function level_colour(palette: Palette, level: string, index: number): string {
  return level_style(level, index)[palette.name];
}
