import { expect, test } from '@playwright/test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStandInBrowser } from './browser.ts';
import { copyStarted } from './sampleWorkspace.ts';
import { startInStandIn, watchWindows, type StandInWindow } from './standIn.ts';

// The built desktop program in the stand-in for Electron, whose windows are pages of a real browser:
// preload, port, content policy, permissions and navigation are those of a window.
/** What a new workspace shows of its sample. */
const passed = 'cases passed';

let browser: Awaited<ReturnType<typeof startStandInBrowser>>;
let windows: Awaited<ReturnType<typeof watchWindows>>;
let workspace: string;
const started: StandInWindow[] = [];

test.beforeAll(async () => {
  browser = await startStandInBrowser();
  windows = await watchWindows(browser.address);
});
test.beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'touchstone-e2e-'));
  await copyStarted(workspace);
});
test.afterEach(async () => {
  for (const { process: child, exited } of started.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  }
  await rm(workspace, { recursive: true, force: true, maxRetries: 5 });
});
test.afterAll(async () => {
  await windows.close();
  await browser.close();
});

const start = (...args: string[]) => {
  const made = startInStandIn(browser.address, workspace, ...args);
  started.push(made);
  return made;
};

/** Starts the program, and waits for its window. */
async function open(...args: string[]) {
  const coming = windows.next();
  const program = start(...args);
  const page = await coming;
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { ...program, page };
}

test('the desktop program evaluates the sample of a new workspace, and after a kill the next start has the result', async () => {
  await rm(workspace, { recursive: true });
  await mkdir(workspace);
  const { page, process: child, exited } = await open();
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text());
  });
  await expect(page.getByText(passed).first()).toBeVisible();
  expect(violations).toEqual([]);
  expect(await page.evaluate(() => [typeof require, typeof process, isSecureContext])).toEqual([
    'undefined',
    'undefined',
    true,
  ]);

  // No window of it is left.
  const gone = page.waitForEvent('close');
  child.kill('SIGKILL');
  await Promise.all([gone, exited]);
  const next = await open('--page=/results');
  await expect(next.page.getByText('office-sample').first()).toBeVisible();
});

test('the window copies text, denies what else a page may ask for, goes nowhere, and asks before it shows a web page', async () => {
  const { page, asked } = await open();
  // Only the page that has the focus may copy.
  await page.bringToFront();
  await page.waitForFunction(() => document.hasFocus());
  const results = await page.evaluate(async () => {
    const after = (promise: Promise<unknown>) =>
      promise.then(
        () => 'granted',
        (error: unknown) => (error as Error).name,
      );
    return [
      await after(navigator.clipboard.writeText('x')),
      await after(navigator.clipboard.readText()),
      await Notification.requestPermission(),
    ];
  });
  expect(results).toEqual(['granted', 'NotAllowedError', 'denied']);

  const address = page.url();
  await page.evaluate(() => void (location.href = 'https://touchstone.invalid/'));
  await page.evaluate(() => void (location.pathname = '/other.html'));
  expect(await page.evaluate(() => window.open('https://touchstone.invalid/a'))).toBeNull();
  await expect.poll(() => asked).toEqual(['Open touchstone.invalid in your browser?']);
  const loads = await page.evaluate(() =>
    fetch('https://touchstone.invalid/').then(
      () => 'loaded',
      () => 'refused',
    ),
  );
  expect([loads, page.url()]).toEqual(['refused', address]);
});

test('a page that loads itself again gets a new port, and a shutdown of the system ends the program without a question', async () => {
  const { page, process: child, exited, asked } = await open();
  for (let load = 0; load < 2; load += 1) {
    await Promise.all([page.waitForEvent('load'), page.evaluate(() => location.reload())]);
    await expect(page.getByText(passed).first()).toBeVisible();
  }
  child.send({ shutdown: true });
  expect([await exited, asked]).toEqual([[0, null], []]);
});

const waitForResult = `new Promise((resolve) => {
  const look = () => {
    if (globalThis.seen || !document.body?.innerText.includes('${passed}')) return;
    changes.disconnect();
    resolve('shown');
  };
  const changes = new MutationObserver(look);
  changes.observe(document, { childList: true, characterData: true, subtree: true });
  look();
})`;

test('a page that crashes comes back, on the same work', async () => {
  // A page that Playwright looks at does not come back.
  await windows.close();
  const { process: child } = start();
  const value = new Promise((resolve) => {
    child.on('message', (message: { value?: unknown }) => {
      if (message.value === 'shown') resolve(message.value);
      else if (message.value === 'first') {
        child.send({ crash: true });
        child.send({ script: waitForResult });
      }
    });
  });
  child.send({
    script: `${waitForResult}.then(() => { globalThis.seen = true; return 'first'; })`,
  });
  expect(await value).toBe('shown');
  windows = await watchWindows(browser.address);
});

test('a second start, with a link or a page, is one window', async () => {
  const { page, process: child, asked } = await open();
  const second = start('--page=/suites');
  expect(await second.exited).toEqual([0, null]);
  await expect(page.getByRole('heading', { level: 1, name: /^\d+ suites? with /u })).toBeVisible();
  child.send({ press: 1 });
  const third = start('touchstone-open://results');
  expect(await third.exited).toEqual([0, null]);
  await expect(page.getByRole('heading', { level: 1, name: 'Results' })).toBeVisible();
  expect(asked).toEqual(['Another app wants to open a page in Touchstone.']);
  child.send({ link: 'touchstone-open://workshop' });
  await expect(page.getByRole('heading', { level: 1, name: 'Workshop' })).toBeVisible();
});

test('two workspaces are two windows', async () => {
  const first = await open();
  const other = await mkdtemp(join(tmpdir(), 'touchstone-e2e-'));
  await copyStarted(other);
  const coming = windows.next();
  const second = startInStandIn(browser.address, other);
  started.push(second);
  const page = await coming;
  await expect(page.getByText(passed).first()).toBeVisible();
  await expect(first.page.getByText(passed).first()).toBeVisible();
  second.process.kill('SIGKILL');
  await second.exited;
  await rm(other, { recursive: true, force: true, maxRetries: 5 });
});
