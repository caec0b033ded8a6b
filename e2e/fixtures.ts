import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { launchBrowser } from './browser.ts';
import { HostPool, type TestHost } from './hostPool.ts';
import { copySample } from './sampleWorkspace.ts';

interface WorkerFixtures {
  hosts: HostPool;
  chromium: Browser;
}
interface Fixtures {
  /** How the workspace of a file begins: with the sample evaluation, or new. */
  startFrom: 'sample' | 'empty';
  /**
   * The address of the screen that a window opens at. That of no screen asks the program for nothing:
   * most tests leave it at once.
   */
  opensAt: string;
  /** The program: one for all tests of a file. */
  host: TestHost;
  /** A window opened with a fresh link, as a new one is; any error on its console fails the test. */
  window: Page;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  hosts: [
    async ({}, use) => {
      const hosts = new HostPool();
      await use(hosts);
      await hosts.close();
    },
    { scope: 'worker' },
  ],
  chromium: [
    async ({}, use) => {
      const browser = await launchBrowser();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  startFrom: ['sample', { option: true }],
  opensAt: ['no-such-screen', { option: true }],
  host: async ({ hosts, startFrom }, use, { file }) => {
    const prepare = startFrom === 'sample' ? copySample : async () => undefined;
    await use(await hosts.hostFor(file, prepare));
  },
  window: async ({ hosts, host, chromium, colorScheme, opensAt }, use) => {
    if (host.page !== undefined) {
      await useWindow(host.page, colorScheme ?? 'light', opensAt, use);
      return;
    }
    const page = await hosts.windowIn(chromium);
    await page.emulateMedia({ colorScheme: colorScheme ?? 'light', reducedMotion: 'reduce' });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (
        !/^(http|ws):\/\/127\.0\.0\.1:/.test(request.url()) &&
        !request.url().startsWith('data:') &&
        !request.url().startsWith('blob:')
      )
        foreign.push(request.url());
    });
    await page.goto(`${await host.newUrl()}#/${opensAt}`);
    await page.getByRole('navigation').first().waitFor();
    await use(page);
    await hosts.emptyWindow(page, host);
    expect(faults, 'errors on the console').toEqual([]);
    expect(foreign, 'requests to anywhere else').toEqual([]);
  },
});

export { expect };

/** Resets the one window of Electron, for a test that would get a new one in a browser. */
async function useWindow(
  page: Page,
  colorScheme: 'light' | 'dark' | 'no-preference',
  opensAt: string,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  const note = (error: Error): void => void faults.push(error.message);
  page.on('pageerror', note);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate((path) => void (location.hash = `#/${path}`), opensAt);
  await page.reload();
  await page.getByRole('navigation').first().waitFor();
  await use(page);
  page.off('pageerror', note);
  expect(faults, 'errors in the page').toEqual([]);
}

/** Goes to a screen by its address, as a bookmark would, and waits until it has loaded. */
export async function visit(page: Page, path: string): Promise<void> {
  // Not the origin: the address of Electron's own scheme has none that is written.
  await page.goto(`${page.url().split('#')[0] ?? ''}#/${path}`);
  // The address changes before the screen does: until then everything on the page belongs to the
  // previous screen. An address that moved leads to its new one.
  await page.waitForFunction(
    () =>
      document.querySelector('main')?.dataset['screen'] ===
      (location.hash.slice(1).split('?')[0] ?? ''),
  );
  await expectLoaded(page);
}

/** The line of a server over the table of tools. */
export const serverLine = (page: Page, name: string): Locator =>
  page.getByRole('article', { name: `Server ${name}`, exact: true });

/** Goes from the tools to the page of a server, which may be folded or left out as sample data. */
export async function openServer(page: Page, name: string): Promise<void> {
  await visit(page, 'tools');
  const link = page.getByRole('link', { name: `Open ${name}`, exact: true });
  const folded = page.getByRole('button', { name: /^Show (servers|sample data)$/u });
  await link.or(folded).first().waitFor();
  for (const fold of (await link.isVisible()) ? [] : await folded.all()) await fold.click();
  await link.click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

/** Waits until the screen has its heading and no part of it is a placeholder. */
export async function expectLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect(page.locator('main [role="status"][aria-busy="true"]')).toHaveCount(0);
}

/** Pixels by which the page or the screen in it is wider than its space; 0 where all fits. */
export function horizontalOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const overflowOf = (element: Element | null): number =>
      element === null ? 0 : element.scrollWidth - element.clientWidth;
    return Math.max(
      overflowOf(document.documentElement),
      overflowOf(document.querySelector('main')),
    );
  });
}

const pictures = join(import.meta.dirname, '..', 'docs', 'guide', 'pictures');

/** The readme and the pages of the guide. */
function pagesText(): string {
  const guide = join(pictures, '..');
  const pages = readdirSync(guide).filter((name) => name.endsWith('.md'));
  return [join(guide, '..', '..', 'README.md'), ...pages.map((name) => join(guide, name))]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/**
 * A picture for the guide, if a page shows it. Taken only by `npm run pictures`, because each takes
 * a while.
 */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!process.env['TOUCHSTONE_PICTURES']) return;
  if (!pagesText().includes(`pictures/${name}.webp`)) return;
  await mkdir(pictures, { recursive: true });
  await page.mouse.move(0, 0);
  // By the protocol, because Playwright writes no WebP, which is less than half as large as PNG.
  await page.evaluate(() => {
    document.documentElement.style.caretColor = 'transparent';
  });
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
  await session.detach();
  await writeFile(join(pictures, `${name}.webp`), Buffer.from(data, 'base64'));
}
