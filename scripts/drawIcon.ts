/**
 * Draws the application's icon from packaging/icon.svg at the sizes that an installer is made from.
 * First argument: the folder, else packaging.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchBrowser } from '../e2e/browser.ts';

const packaging = join(import.meta.dirname, '..', 'packaging');
const folder = process.argv[2] ?? packaging;
const drawing = await readFile(join(packaging, 'icon.svg'), 'utf8');
const browser = await launchBrowser();
try {
  for (const [name, size] of [
    ['icon.png', 512],
    ['icon-256.png', 256],
  ] as const) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(
      `<style>body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px ` +
        `}</style>${drawing}`,
    );
    await writeFile(join(folder, name), await page.screenshot({ omitBackground: true }));
    await page.close();
  }
} finally {
  await browser.close();
}
