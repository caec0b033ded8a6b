import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright';

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** The browser of the tests: the one that is named, Playwright's own, the system's, else the one inside an npm package. */
export async function launchBrowser(): Promise<Browser> {
  const named = process.env['TOUCHSTONE_CHROMIUM'];
  const installed = [named, playwright.executablePath(), ...systemBrowsers].find((path) => path !== undefined && existsSync(path));
  if (installed !== undefined) return playwright.launch({ executablePath: installed, args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
  return playwright.launch({ executablePath: await chromium.executablePath(), args: chromium.args });
}
