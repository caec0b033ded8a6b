import {
  test as base,
  expect,
  type ConsoleMessage,
  type Page,
  type Request,
} from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { launchBrowser } from './browser.ts';
import { HostPool, type TestHost } from './hostPool.ts';
import { copySample, sampleEvaluation } from './sampleWorkspace.ts';

interface WorkerFixtures {
  hosts: HostPool;
  chromium: Browser;
}
interface Fixtures {
  /** How the workspace of a file begins: with the sample evaluation, or new. */
  startFrom: 'sample' | 'empty';
  /** The program: one for all tests of a file. */
  host: TestHost;
  /**
   * The window of a file, loaded again for each test, with nothing stored; any error on its console
   * fails the test.
   */
  window: Page;
  /** A window of its own, for a test that changes the clock or the connection for good. */
  freshWindow: Page;
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
  host: async ({ hosts, startFrom }, use, { file }) => {
    const prepare = startFrom === 'sample' ? copySample : async () => undefined;
    await use(await hosts.hostFor(file, prepare));
  },
  window: async ({ host, hosts, chromium, colorScheme }, use, info) => {
    const page = await hosts.windowOf(host, async () => openWindow(host, chromium));
    await page.emulateMedia({ colorScheme: colorScheme ?? 'light', reducedMotion: 'reduce' });
    await page.setViewportSize(size);
    await watched(page, async () => {
      // The address changes without the screen, which is loaded only once that way.
      await page.evaluate(() => {
        localStorage.clear();
        history.replaceState(null, '', '#/');
      });
      await page.reload();
      await page.getByRole('navigation').first().waitFor();
      await use(page);
    });
    if (info.status !== info.expectedStatus) await hosts.closeWindow();
  },
  freshWindow: async ({ host, chromium, colorScheme }, use) => {
    const page = host.page ?? (await openWindow(host, chromium));
    await page.emulateMedia({ colorScheme: colorScheme ?? 'light', reducedMotion: 'reduce' });
    await watched(page, async () => {
      await use(page);
    });
    if (host.page === undefined) await page.context().close();
  },
});

export { expect };

const size = { width: 1280, height: 800 };

/** Opens a window in a context of its own with a fresh link. */
async function openWindow(host: TestHost, chromium: Browser): Promise<Page> {
  const context = await chromium.newContext({ viewport: size, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(await host.newUrl());
  await page.getByRole('navigation').first().waitFor();
  return page;
}

/** Expects no error of the page and no request to anywhere else during `use`. */
async function watched(page: Page, use: () => Promise<void>): Promise<void> {
  const faults: string[] = [];
  const foreign: string[] = [];
  const noteError = (error: Error): void => void faults.push(error.message);
  const noteMessage = (message: ConsoleMessage): void => {
    if (message.type() === 'error') faults.push(message.text());
  };
  const noteRequest = (request: Request): void => {
    if (!/^(?:(?:http|ws):\/\/127\.0\.0\.1:|data:|blob:)/.test(request.url()))
      foreign.push(request.url());
  };
  page.on('pageerror', noteError);
  // Electron has a scheme of its own, and logs what it refuses.
  const inBrowser = page.url().startsWith('http:');
  if (inBrowser) page.on('console', noteMessage).on('request', noteRequest);
  await use();
  page.off('pageerror', noteError).off('console', noteMessage).off('request', noteRequest);
  expect(faults, 'errors on the console').toEqual([]);
  expect(foreign, 'requests to anywhere else').toEqual([]);
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

/** Runs the sample suite from the form to the end; returns the address of its result. */
export async function runSample(page: Page): Promise<string> {
  await visit(page, `results/new?suite=${sampleEvaluation().suiteId}`);
  await page.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(page.getByRole('heading', { name: '46 of 61 cases passed' })).toBeVisible();
  // The last case is scored before the evaluation ends, and other pages count only those that ended.
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  return page.url().split('#/')[1] ?? '';
}
