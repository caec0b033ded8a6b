import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { launchBrowser } from './browser.ts';
import { launchElectron } from './launchElectron.ts';
import { launchLoopback, runBeside, type LaunchedHost } from './launchLoopback.ts';

/**
 * `TOUCHSTONE_E2E_HOST=electron` runs the same tests in the window of Electron, where its binary is
 * installed.
 */
const inElectron = process.env['TOUCHSTONE_E2E_HOST'] === 'electron';

interface WorkerFixtures {
  /** The file of the test. Each sets it, so that none finds what another one made. */
  file: string;
  /** One program for all tests of a file: what one test made, the next one finds. */
  host: LaunchedHost & { page?: Page };
  chromium: Browser;
}
interface Fixtures {
  /** A window of its own, opened with a fresh link; any error on its console fails the test. */
  window: Page;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  file: ['', { scope: 'worker', option: true }],
  host: [
    async ({}, use) => {
      const host = inElectron ? await hostOfElectron() : await launchLoopback();
      await use(host);
      await host.close();
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
  window: async ({ host, chromium, colorScheme }, use) => {
    if (host.page !== undefined) {
      await useWindow(host.page, colorScheme ?? 'light', use);
      return;
    }
    const context = await chromium.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: colorScheme ?? 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
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
    await page.goto(await host.newUrl());
    await page.getByRole('navigation').first().waitFor();
    await use(page);
    await context.close();
    expect(faults, 'errors on the console').toEqual([]);
    expect(foreign, 'requests to anywhere else').toEqual([]);
  },
});

export { expect };

/**
 * The one window of the program: what needs a link to open another one is for the loopback window.
 */
async function hostOfElectron(): Promise<LaunchedHost & { page: Page }> {
  const { page, workspace, close } = await launchElectron();
  const newUrl = async (): Promise<never> => {
    base.skip(true, 'Needs more than one window: run in the loopback window.');
    throw new Error('not in Electron');
  };
  return {
    page,
    workspace,
    close,
    url: page.url(),
    newUrl,
    command: (args) => runBeside(workspace, args),
  };
}

async function useWindow(
  page: Page,
  colorScheme: 'light' | 'dark' | 'no-preference',
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  const note = (error: Error): void => void faults.push(error.message);
  page.on('pageerror', note);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => void (location.hash = '#/'));
  await page.reload();
  await page.getByRole('navigation').first().waitFor();
  await use(page);
  page.off('pageerror', note);
  expect(faults, 'errors in the page').toEqual([]);
}

/** Goes to a screen by its address, as a bookmark would. */
export async function visit(page: Page, path: string): Promise<void> {
  // Not the origin: the address of Electron's own scheme has none that is written.
  await page.goto(`${page.url().split('#')[0] ?? ''}#/${path}`);
  // The address changes before the screen does: until then everything on the page belongs to the
  // one before.
  await page.locator(`main[data-screen="/${path.split('?')[0] ?? ''}"]`).waitFor();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** No violation of WCAG 2.2 A and AA that can be found without a person. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ target }) => target.join(' '))
          .slice(0, 3)
          .join(' | ')}`,
    ),
  ).toEqual([]);
}

const root = join(import.meta.dirname, '..');
const pictures = process.env['TOUCHSTONE_PICTURES']
  ? join(root, 'docs', 'guide', 'pictures')
  : join(root, 'test-results', 'pictures');

export async function takePicture(page: Page, name: string): Promise<void> {
  await mkdir(pictures, { recursive: true });
  await page.mouse.move(0, 0);
  await page.screenshot({
    path: join(pictures, `${name}.png`),
    animations: 'disabled',
    caret: 'hide',
  });
}

/**
 * Runs the sample suite from the form, to the finished result; answers with the address of its
 * page.
 */
export async function runSample(page: Page): Promise<string> {
  await visit(page, 'suites');
  await page.getByText('todo-sample').first().click();
  await expect(page).toHaveURL(/#\/suites\/[0-9a-f-]{36}/);
  const [, id = ''] = /suites\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
  await visit(page, `evaluations/new?suite=${id}`);
  await page.getByRole('button', { name: 'Run evaluation' }).click();
  await expect(page.getByText('61 of 61 runs scored')).toBeVisible();
  return page.url().split('#/')[1] ?? '';
}
