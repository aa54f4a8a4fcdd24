// What is to be said beside the roofs that are drawn: another pattern moves more than one of them
// says. The sentences come with the document, one for each roof (src/render/chart/ceilings.cpp).
import type { Machine, Page } from '../data/page';
import type { ChartModel } from './model';

/// As render/chart/chart.cpp says it.
function of_integers(page: Page, model: ChartModel): string[] {
  if (!model.intops) {
    return [];
  }
  const addresses = page.results.some(({ profile }) => profile.notes?.some((note) => note.code === 'engine'))
    ? ['integer operations of a program as it is include those that make addresses']
    : [];
  const ceilings = model.lines.some((lines) => lines.compute.length > 0)
    ? ['ceilings are of integers of 32 and 64 bits; work on narrower ones, or instructions that do several operations at once (rotate, logic of three operands), may stand above them']
    : ['no ceiling of integers was measured with so many threads: run ridge bench again'];
  return [...ceilings, ...addresses];
}

/// `machines`: those whose lines the model has, in its order.
export function above_sentences(page: Page, machines: readonly Machine[], model: ChartModel): string[] {
  const of_machines = machines.flatMap((machine, index) => {
    const threads = model.lines[index]?.threads;
    const of_machine = page.above_roofs.filter(
      (above) => (above.machine === undefined ? page.results[above.result ?? 0]?.profile.machine : page.machines[above.machine]) === machine,
    );
    return of_machine
      .filter((above) => above.threads === threads && model.levels.includes(above.level))
      .map((above) => (machines.length > 1 ? `${machine.name}: ${above.text}` : above.text));
  });
  return [...of_machines, ...of_integers(page, model)];
}
