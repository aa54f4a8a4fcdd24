// How long the report of 10 000 regions takes to show itself and to filter, in headless Chromium.
//
//   node benchmarks/report_page/measure.mjs [--page FILE] [-o FILE]
//
// --page: how long that page takes to show itself, in place of one of 10 000 regions.
//
// Needs web/node_modules (web/check template fetches them) and a built ridge (RIDGE_BINARY).
//
// First paint: from the start of the navigation to the first frame after the chart stands: with the
// regions that take the most time; "whole" is when all others are there too, and the page can be
// used. Filter: from a key in the search box to the next frame that shows its effect, over all
// regions. Beside the wall time stands the CPU time of the page's thread, which a busy machine does
// not stretch. Medians.
import { statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

import { many_regions, open, report, start_browser } from '../../web/test/support.mjs';

const kRegions = 10_000;
const kRuns = 7;

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const rounded = (values) => values.map((value) => Number(value.toFixed(1)));

/// In the page: sets the search and waits for the frame after the update.
async function filter_ms(page, text) {
  return page.evaluate(async (query) => {
    const box = document.querySelector('input[type=search]');
    const started = performance.now();
    box.value = query;
    box.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - started;
  }, text);
}

/// CPU seconds of the page's main thread in its tasks.
async function cpu_clock(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? NaN);
  };
}

const given = process.argv.indexOf('--page');
const file = given > 0 ? process.argv[given + 1] : report('many', many_regions(kRegions));
const browser = await start_browser();
const paint = [];
const whole = [];
const filter = [];
const filter_cpu = [];
for (let run = 0; run < kRuns; run++) {
  const { page, close } = await open(browser, file);
  await page.locator('.mark').first().waitFor();
  await page.locator('main:not([inert])').waitFor(); // with all regions, which are unpacked after the page was read
  whole.push(await page.evaluate(() => performance.now()));
  // The entry appears after the frame that it names.
  paint.push(await page.evaluate(async () => {
    const entry = () => performance.getEntriesByName('first-contentful-paint')[0];
    while (entry() === undefined) {
      await new Promise((done) => setTimeout(done, 20));
    }
    return entry().startTime;
  }));
  const cpu_ms = await cpu_clock(page);
  for (const query of given > 0 ? [] : ['s', 'so', 'solver_7.cpp', '']) {
    const before = await cpu_ms();
    filter.push(await filter_ms(page, query));
    filter_cpu.push((await cpu_ms()) - before);
  }
  await close();
}
const result = {
  benchmark: 'report_page',
  date: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  cpu: cpus()[0]?.model,
  browser: browser.version(),
  load_average: loadavg()[0],
  regions: given > 0 ? undefined : kRegions,
  page_bytes: statSync(file).size,
  first_paint_ms: { median: median(rounded(paint)), limit: 1000, samples: rounded(paint) },
  whole_page_ms: { median: median(rounded(whole)), samples: rounded(whole) },
  ...(given > 0 ? {} : {
  filter_cpu_ms: { median: median(rounded(filter_cpu)), samples: rounded(filter_cpu) },
  filter_ms: { median: median(rounded(filter)), limit: 100, samples: rounded(filter) } }),
};
await browser.close();
const text = `${JSON.stringify(result, null, 2)}\n`;
const at = process.argv.indexOf('-o');
if (at > 0) {
  writeFileSync(process.argv[at + 1], text);
}
process.stdout.write(text);
