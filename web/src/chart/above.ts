// What is to be said beside the roofs that are drawn: another pattern moves more than one of them
// says. The sentences come with the document, one for each roof (src/render/chart/ceilings.cpp).
import type { Machine, Page } from '../data/page';
import type { ChartModel } from './model';

/// `machines`: those whose lines the model has, in its order.
export function above_sentences(page: Page, machines: readonly Machine[], model: ChartModel): string[] {
  return machines.flatMap((machine, index) => {
    const threads = model.lines[index]?.threads;
    const of_machine = page.above_roofs.filter(
      (above) => (above.machine === undefined ? page.results[above.result ?? 0]?.profile.machine : page.machines[above.machine]) === machine,
    );
    return of_machine
      .filter((above) => above.threads === threads && model.levels.includes(above.level))
      .map((above) => (machines.length > 1 ? `${machine.name}: ${above.text}` : above.text));
  });
}
