// Writes the pictures of all screens into a folder, and with --record their descriptions beside the tests.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { described, screens, with_screen } from './screens.mjs';
import { start_browser } from './support.mjs';

const [folder, record] = process.argv.slice(2);
const recordings = fileURLToPath(new URL('./screens/', import.meta.url));
mkdirSync(folder, { recursive: true });
mkdirSync(recordings, { recursive: true });
const browser = await start_browser();
for (const screen of screens) {
  await with_screen(browser, screen, async (page) => {
    await page.screenshot({ path: join(folder, `${screen.name}.png`) });
    const text = await described(page);
    console.log(`${screen.name}\n${text}\n`);
    if (record === '--record') {
      writeFileSync(join(recordings, `${screen.name}.txt`), `${text}\n`);
    }
  });
}
await browser.close();
