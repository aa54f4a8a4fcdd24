// What the tests of the page share: pages written by `ridge report`, and a browser to read them in.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';

import { chromium } from 'playwright-core';

const kRoot = fileURLToPath(new URL('../../', import.meta.url));
const kRidge = process.env.RIDGE_BINARY ?? join(kRoot, 'build-dev/bin/ridge');
const kChromium = process.env.RIDGE_CHROMIUM ?? '/usr/bin/chromium';

export const folder = mkdtempSync(join(tmpdir(), 'ridge-page-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/// The fixture of serialize: two threads, five levels of nesting, a machine with ceilings.
export function fixture() {
  return JSON.parse(readFileSync(join(kRoot, 'src/serialize/testdata/profile-heat2d.json'), 'utf8'));
}

export function machine_fixture() {
  return JSON.parse(readFileSync(join(kRoot, 'src/serialize/testdata/machine-zen5.json'), 'utf8'));
}

/// The page that Ridge makes of profiles; `text` where a profile cannot be a JavaScript value.
export function report(name, ...profiles) {
  const files = profiles.map((profile, index) => {
    const file = join(folder, `${name}-${index}.json`);
    writeFileSync(file, typeof profile === 'string' ? profile : JSON.stringify(profile));
    return file;
  });
  const page = join(folder, `${name}.html`);
  execFileSync(kRidge, ['report', ...files, '-o', page, '--force'], { stdio: ['ignore', 'ignore', 'inherit'] });
  return page;
}

/// The page of a document that no command writes.
export function page_of(name, document) {
  const template = readFileSync(join(kRoot, 'web/dist/report.html'), 'utf8');
  const data = JSON.stringify(document).replace(/[<>&]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
  const file = join(folder, `${name}.html`);
  writeFileSync(file, template.replace('RIDGE_PAGE_DATA', () => data).replace('RIDGE_PAGE_REST', ''));
  return file;
}

export function start_browser() {
  return chromium.launch({ executablePath: kChromium, args: ['--no-sandbox'] });
}

/// An open page; `problems` collects every error and every request but the file itself.
export async function open(browser, file, { fragment = '', ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const own = request.url().startsWith(`file://${file}`);
    if (!own && !/^(data:image\/svg|blob:)/.test(request.url())) {
      problems.push(`request: ${request.url()}`);
    }
  });
  await page.goto(`file://${file}${fragment}`);
  await page.waitForSelector('main');
  return { page, problems, close: () => context.close() };
}

/// The document as the page holds it: where a line of the first part ends, one of the other follows,
/// which is packed.
export async function document_of(page) {
  const [first, rest] = await Promise.all(['#ridge-page', '#ridge-rest'].map((part) => page.locator(part).textContent()));
  const others = (rest === '' ? '' : inflateSync(Buffer.from(rest, 'base64')).toString('utf8')).split('\n');
  return JSON.parse(first.split('\n').map((text, at) => text + others[at]).join(''));
}

export async function downloaded(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/// Three digits and an SI prefix, written apart from the page's own code.
export function si(value, unit) {
  if (value === undefined) {
    return '-';
  }
  if (value === 0) {
    return `0 ${unit}`;
  }
  const [digits, exponent] = value.toExponential(2).split('e').map(Number);
  const group = Math.floor(exponent / 3);
  const prefix = { '-3': 'n', '-2': 'u', '-1': 'm', 0: '', 1: 'k', 2: 'M', 3: 'G', 4: 'T', 5: 'P', 6: 'E' }[group];
  const inside = exponent - 3 * group;
  return `${(digits * 10 ** inside).toFixed(2 - inside)} ${prefix}${unit}`;
}

export function percent(value, decimals = 0) {
  return value === undefined ? '-' : `${(100 * value).toFixed(decimals)} %`;
}

/// `count` loops of a long run: the first loop of the fixture with other numbers.
export function many_regions(count) {
  const profile = fixture();
  const program = profile.regions.find((region) => region.kind === 'program');
  const model = profile.regions.find((region) => region.kind === 'loop' && region.flops.total > 0 && region.time_seconds.self);
  const total = profile.program.wall_seconds;
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const loops = Array.from({ length: count }, (_, index) => {
    const loop = structuredClone(model);
    const seconds = (total * 0.9 * 2 ** (-index / 800)) / 1200;
    const flops = Math.round(seconds * 10 ** (8 + 2 * random()));
    const times = { value: seconds, low: seconds * 0.9, high: seconds * 1.1, samples: 1 + Math.floor(1000 * seconds) };
    Object.assign(loop, {
      id: index + 1,
      name: `loop_${index} solver_${index % 300}.cpp:${10 + (index % 997)}`,
      function: `solver::kernel_${index % 1500}(double*, int)`,
      file: `/src/solver_${index % 300}.cpp`,
      line: 10 + (index % 997),
      parent: undefined,
      time_seconds: { self: times, inclusive: times },
      cpu_seconds: { self: times, inclusive: times },
      flops: { total: flops, fp64: flops, terms: [{ precision: 'fp64', kind: 'fma', width_bits: 256, flops }] },
      bytes: { loaded: flops * 3, stored: flops },
      accesses: undefined,
      gathered: undefined,
      fusible_flops: undefined,
      thread_work: undefined,
      imbalance: undefined,
    });
    for (const level of Object.keys(loop.traffic)) {
      const bytes = Math.round(flops * 10 ** (1.5 - 2.5 * random()));
      loop.traffic[level] = { read: Math.round(bytes * 0.7), written: bytes - Math.round(bytes * 0.7) };
    }
    return loop;
  });
  profile.regions = [{ ...program, id: 0 }, ...loops];
  return profile;
}
