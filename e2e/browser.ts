import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
 * The browser of the tests: the one that TOUCHSTONE_CHROMIUM names, Playwright's own, the system's,
 * or else the one inside an npm package.
 */
export async function findBrowser(): Promise<{ executablePath: string; args: string[] }> {
  const named = process.env['TOUCHSTONE_CHROMIUM'];
  const executablePath = [named, playwright.executablePath(), ...systemBrowsers].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (executablePath === undefined)
    return {
      executablePath: await chromium.executablePath(),
      args: [...chromium.args.filter((arg) => !unwanted.has(arg)), '--disable-gpu'],
    };
  return {
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}

/** The windows of a test file share the process of their pages. Other sites still get their own. */
const sharedProcess = ['--renderer-process-limit=1'];

export async function launchBrowser(): Promise<Browser> {
  const { executablePath, args } = await findBrowser();
  return playwright.launch({
    executablePath,
    args: [...args, ...sharedProcess],
    ignoreDefaultArgs: withScrollbars,
  });
}

/**
 * Starts the browser for the windows of the stand-in for Electron. They open no windows of their own
 * without its consent.
 */
export async function startStandInBrowser(): Promise<{
  address: string;
  close: () => Promise<void>;
}> {
  const { executablePath, args } = await findBrowser();
  const profile = await mkdtemp(join(tmpdir(), 'touchstone-browser-'));
  const child = spawn(
    executablePath,
    [
      ...args.filter((argument) => !/^--(headless|remote-debugging|user-data-dir)/.test(argument)),
      '--headless',
      '--block-new-web-contents',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'exit');
  let text = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (data: Buffer) => {
      text += data.toString();
      const [, found] = /DevTools listening on (\S+)/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`The browser ended: ${text}`)));
  });
  return {
    address,
    async close() {
      child.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
