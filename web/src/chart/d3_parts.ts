// What d3-scale needs of d3-interpolate and d3-array for a logarithmic axis of two ends. The packages
// themselves also blend colours, dates and texts: a tenth of the page.

export function interpolateNumber(a: number, b: number): (t: number) => number {
  return (t) => a * (1 - t) + b * t;
}

export const interpolate = interpolateNumber;

export function interpolateRound(a: number, b: number): (t: number) => number {
  return (t) => Math.round(a * (1 - t) + b * t);
}

function unused(): never {
  throw new Error('this page uses no such scale');
}

export {
  unused as InternMap,
  unused as ascending,
  unused as bisect,
  unused as bisector,
  unused as piecewise,
  unused as quantile,
  unused as quantileSorted,
  unused as range,
  unused as tickIncrement,
  unused as tickStep,
  unused as ticks,
};
