// What the page shows at the first look, at several sizes: as text, to be held against a recording,
// and as pictures, for eyes.
import { many_regions, open, report } from './support.mjs';

/// A program of `count` loops; each takes `ratio` of the time of the one before, all of them 95 %.
function hot_regions(count, ratio) {
  const profile = many_regions(count);
  const whole = (0.95 * profile.program.wall_seconds * (1 - ratio)) / (1 - ratio ** count);
  profile.regions.filter((region) => region.kind === 'loop').forEach((loop, index) => {
    const seconds = whole * ratio ** index;
    const rate = loop.flops.total / loop.time_seconds.self.value;
    const times = { value: seconds, low: 0.97 * seconds, high: 1.03 * seconds, samples: 1 + Math.round(2000 * seconds) };
    const scaled = (bytes) => Math.round((bytes * rate * seconds) / loop.flops.total);
    for (const level of Object.values(loop.traffic)) {
      Object.assign(level, { read: scaled(level.read), written: scaled(level.written) });
    }
    const flops = Math.round(rate * seconds);
    Object.assign(loop, {
      time_seconds: { self: times, inclusive: times },
      cpu_seconds: { self: times, inclusive: times },
      bytes: { loaded: 3 * flops, stored: flops },
      flops: { total: flops, fp64: flops, terms: [{ precision: 'fp64', kind: 'fma', width_bits: 256, flops }] },
    });
  });
  return profile;
}

const kPrograms = [[3, 0.5], [40, 0.9], [3000, 0.995]];
const kSizes = {
  wide: { viewport: { width: 1500, height: 1000 } },
  narrow: { viewport: { width: 420, height: 900 } },
  dark: { viewport: { width: 1500, height: 1000 }, colorScheme: 'dark' },
};

export const screens = kPrograms.flatMap(([count, ratio]) =>
  Object.entries(kSizes).map(([size, options]) => ({ name: `${count}_regions_${size}`, count, ratio, options })));

const pages = new Map();

/// Calls `use` with the page of a screen, once it holds all regions.
export async function with_screen(browser, { count, ratio, options }, use) {
  if (!pages.has(count)) {
    pages.set(count, report(`screen-${count}`, hot_regions(count, ratio)));
  }
  const opened = await open(browser, pages.get(count), options);
  try {
    await opened.page.waitForSelector('main:not([inert])');
    await opened.page.waitForTimeout(250);
    await use(opened.page);
  } finally {
    await opened.close();
  }
}

/// Facts that do not depend on the fonts of a machine by a few pixels.
export function described(page) {
  return page.evaluate(() => {
    const box = (element) => element.getBoundingClientRect();
    const all = (selector) => [...document.querySelectorAll(selector)];
    const marks = all('.mark path[transform]').map(box);
    // The box of an inclined text is larger than the text: the units hold those.
    const is_level = (text) => text.textContent.trim() !== '' && text.getScreenCTM().b === 0;
    const texts = all('.chart svg text').filter(is_level).map(box);
    // Less than two pixels of a box are the air around its letters.
    const cover = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    const pairs = (some, others) => some.reduce((count, a, at) => count + others.filter((b, other) => (some !== others || other > at) && cover(a, b)).length, 0);
    const parts = { verdict: 'header, .verdict', 'what to do next': '.next', chart: '.chart', table: '#panel table' };
    const order = Object.entries(parts)
      .map(([name, selector]) => [name, document.querySelector(selector)])
      .filter(([, element]) => element !== null)
      .sort(([, a], [, b]) => box(a).top - box(b).top);
    return [
      `from the top: ${order.map(([name]) => name).join(', ')}`,
      `begin in the first screen: ${order.filter(([, element]) => box(element).top < innerHeight).map(([name]) => name).join(', ')}`,
      `steps: ${all('.next li').length}`,
      `chart: ${all('.mark').length} regions with a mark, numbers and names ${all('.chart svg g[pointer-events=none] text').map((text) => text.textContent.trim()).sort().join(' | ')}`,
      `text on text: ${pairs(texts, texts)}, text on marks: ${pairs(texts, marks)}`,
      `columns: ${all('#panel thead th').filter((head) => box(head).width > 0).map((head) => head.innerText.replace(/\s+/g, ' ').trim()).join(' | ')}`,
      `rows: ${all('#panel tbody tr').length}`,
      `wider than the screen: ${document.documentElement.scrollWidth > innerWidth ? 'yes' : 'no'}`,
      `background: ${getComputedStyle(document.body).backgroundColor}`,
    ].join('\n');
  });
}
