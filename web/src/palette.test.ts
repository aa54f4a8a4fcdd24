import { expect, it } from 'vitest';

import { heat_colour, heat_words, kDark, kLight, type Palette } from './palette';

/// Relative luminance: what remains to those who see no colours.
function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (parts[0] ?? 0) + 0.7152 * (parts[1] ?? 0) + 0.0722 * (parts[2] ?? 0);
}

const contrast = (a: string, b: string) => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((first, second) => first - second);
  return (light + 0.05) / (dark + 0.05);
};

function check(palette: Palette): void {
  const steps = palette.heat.map((colour) => contrast(colour, palette.background));
  steps.slice(1).forEach((step, at) => expect(step / (steps[at] ?? step), `${palette.name} ${at}`).toBeGreaterThan(1.25));
  expect(steps.at(-1)).toBeGreaterThan(7);
}

it('heat grows in contrast with the background, step by step, without hues too', () => {
  check(kLight);
  check(kDark);
});

it('heat follows the share of the time', () => {
  const steps = [0, 0.0099, 0.01, 0.05, 0.2, 0.3, 1].map((share) => kLight.heat.indexOf(heat_colour(kLight, share)));
  expect(steps).toEqual([0, 0, 1, 2, 3, 4, 4]);
  expect([0, 2, 4].map(heat_words)).toEqual(['below 1 %', '3 to 10 %', '30 % and more']);
});
