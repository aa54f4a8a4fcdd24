// The levels of a memory hierarchy: their order, and how each looks (src/render/chart/level_style.cpp).
import type { Machine, Profile } from './page';

export type Shape = 'triangle' | 'diamond' | 'square' | 'circle' | 'hexagon' | 'inverted' | 'pentagon';

export interface LevelStyle {
  shape: Shape;
  light: string;
  dark: string;
}

const kStyles: Record<string, LevelStyle> = {
  L1: { shape: 'triangle', light: '#0072b2', dark: '#56b4e9' },
  L2: { shape: 'diamond', light: '#00795a', dark: '#2fc79b' },
  L3: { shape: 'square', light: '#8a6500', dark: '#e6b422' },
  DRAM: { shape: 'circle', light: '#c24e00', dark: '#ff8c42' },
  HBM: { shape: 'hexagon', light: '#a8487d', dark: '#e39bc3' },
  CXL: { shape: 'inverted', light: '#2a7fb0', dark: '#8accf3' },
  NVRAM: { shape: 'pentagon', light: '#666666', dark: '#b0b0b0' },
};
const kSpare = ['HBM', 'CXL', 'NVRAM'];

export function level_style(level: string, index: number): LevelStyle {
  const known = Object.hasOwn(kStyles, level) ? level : (kSpare[index % kSpare.length] as string);
  return kStyles[known] as LevelStyle;
}

/// Caches from L1 outwards, then the memory nodes.
export function machine_levels(machine: Machine): string[] {
  const levels = [...machine.caches, ...machine.memories].map((part) => part.level);
  return [...new Set(levels)];
}

/// Those of the machine, then levels that only traffic names.
export function profile_levels(profile: Profile): string[] {
  const levels = new Set(machine_levels(profile.machine));
  for (const region of profile.regions) {
    for (const level in region.traffic) {
      levels.add(level);
    }
  }
  return [...levels];
}
