import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page, test } from '@playwright/test';
import type { Browser, BrowserContext } from 'playwright';
import { launchElectron } from './launchElectron.ts';
import { type LaunchedHost, launchLoopback } from './launchLoopback.ts';
import { runCommand } from './runCommand.ts';

/**
 * `TOUCHSTONE_E2E_HOST=electron` runs the same tests in the window of Electron, where its binary is
 * installed.
 */
const inElectron = process.env['TOUCHSTONE_E2E_HOST'] === 'electron';

const viewport = { width: 1280, height: 800 };

/** What tests listen to in a window. */
const heard = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'pageerror',
  'popup',
  'request',
  'response',
  'websocket',
] as const;

/** The program under test; `page` is its one window in Electron. */
export type TestHost = LaunchedHost & { page?: Page };

/**
 * The program that the tests of one file share: what one test makes, the next one finds. It starts
 * with the first test of a file and ends with the first test of another one.
 */
export class HostPool {
  #file: string | null = null;
  #host: TestHost | null = null;
  #context: BrowserContext | null = null;

  /** The program for the tests of `file`; `prepare` fills its workspace before it starts. */
  async hostFor(file: string, prepare: (workspace: string) => Promise<void>): Promise<TestHost> {
    if (this.#host !== null && this.#file === file) return this.#host;
    await this.close();
    const workspace = await mkdtemp(join(tmpdir(), 'touchstone-e2e-'));
    await prepare(workspace);
    this.#host = inElectron
      ? await launchInElectron(workspace)
      : await launchLoopback({ workspace });
    this.#file = file;
    return this.#host;
  }

  /**
   * The window of a file, empty. The tests of a file share it, and so the process of its pages, the
   * files of the program and their compiled code: opening the program in it takes less.
   */
  async windowIn(browser: Browser): Promise<Page> {
    this.#context ??= await browser.newContext({ viewport, reducedMotion: 'reduce' });
    return this.#context.pages()[0] ?? this.#context.newPage();
  }

  /** Closes the other windows of a file, and leaves nothing of a test in this one. */
  async emptyWindow(page: Page, { url }: TestHost): Promise<void> {
    const context = page.context();
    for (const other of context.pages()) if (other !== page) await other.close();
    if (page.isClosed()) return;
    for (const event of heard) page.removeAllListeners(event);
    // A page of the program without a script, whose storage is that of the window.
    await page.goto(new URL('/empty', url).href);
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await context.clearCookies();
    await page.setViewportSize(viewport);
    await page.mouse.move(0, 0);
  }

  async close(): Promise<void> {
    const [host, context] = [this.#host, this.#context];
    this.#host = null;
    this.#context = null;
    await context?.close();
    if (host === null) return;
    await host.close();
    await rm(host.workspace, { recursive: true, force: true });
  }
}

/** Electron has one window: a test that opens another one by a link is skipped. */
async function launchInElectron(workspace: string): Promise<TestHost> {
  const { page, close } = await launchElectron(workspace);
  return {
    page,
    workspace,
    close,
    url: page.url(),
    newUrl: async () => {
      test.skip(true, 'Needs more than one window: run in the loopback window.');
      throw new Error('not in Electron');
    },
    command: (args) => runCommand(workspace, args),
  };
}
