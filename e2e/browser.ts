import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright';

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The package is made for cloud functions. A single process dies with its first page, without web
 * security a test of the page's borders proves nothing, and emulating a GPU costs a tenth of the
 * time.
 */
const unwanted = new Set([
  '--single-process',
  '--ignore-gpu-blocklist',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--disable-site-isolation-trials',
  '--hide-scrollbars',
]);

/** Scrollbars take room, as in most windows: what scrolls by a pixel shows one. */
const withScrollbars = ['--hide-scrollbars'];

/**
 * Starts the browser of the tests: the one that TOUCHSTONE_CHROMIUM names, Playwright's own, the
 * system's, or else the one inside an npm package.
 */
export async function launchBrowser(): Promise<Browser> {
  const named = process.env['TOUCHSTONE_CHROMIUM'];
  const installed = [named, playwright.executablePath(), ...systemBrowsers].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (installed !== undefined)
    return playwright.launch({
      executablePath: installed,
      ignoreDefaultArgs: withScrollbars,
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args.filter((arg) => !unwanted.has(arg)), '--disable-gpu'],
    ignoreDefaultArgs: withScrollbars,
  });
}
