import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { launchBrowser } from '../e2e/browser.ts';
import { launchLoopback } from '../e2e/launchLoopback.ts';
import type { Row } from './report.ts';

const root = join(import.meta.dirname, '..');

/**
 * From process start, as with `npm start`, to a usable screen, and from a clone to its first
 * result.
 */
export async function benchStartUp(): Promise<Row[]> {
  // The first start after a change builds the program, which isn't measured here.
  execFileSync(process.execPath, [join(root, 'bin', 'touchstone.mjs'), '--version'], {
    stdio: 'ignore',
  });
  const browser = await launchBrowser();
  const rows: Row[] = [];
  try {
    let workspace: string | undefined;
    for (const what of ['new workspace', 'known workspace']) {
      const times = await timeStart(browser, join(root, 'bin', 'touchstone.mjs'), workspace);
      rows.push({
        what: `start to first usable screen, ${what}`,
        measured: `${times.usable} ms`,
        peer:
          `of which until it listens: ${times.listening} ms; first paint after ` +
          `${times.painted} ms`,
        ratio: null,
        bound: null,
      });
      workspace = times.workspace;
    }
    if (workspace !== undefined) await rm(workspace, { recursive: true, force: true });
    rows.push(await timeClone(browser));
  } finally {
    await browser.close();
  }
  return rows;
}

interface Start {
  listening: number;
  painted: number;
  usable: number;
  /** The verdict on the sample suite. */
  result: number | null;
  workspace: string;
}

async function timeStart(
  browser: Browser,
  entry: string,
  workspace?: string,
  toResult = false,
): Promise<Start> {
  const began = performance.timeOrigin + performance.now();
  const since = (): number => Math.round(performance.timeOrigin + performance.now() - began);
  const host = await launchLoopback({
    entry,
    keep: true,
    ...(workspace === undefined ? {} : { workspace }),
  });
  const listening = since();
  const page = await browser.newPage();
  await page.goto(host.url);
  await page.getByRole('region', { name: 'Servers' }).getByText('todo').first().waitFor();
  const usable = since();
  // The engine reports a paint slightly after it happens.
  await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint').length > 0,
  );
  // Both clocks count from the same epoch.
  const paintedAt = await page.evaluate(
    () =>
      performance.timeOrigin +
      (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
  );
  let result: number | null = null;
  if (toResult) {
    await page.getByText(/^\d+ of 180 cases passed$/).waitFor();
    result = since();
  }
  await page.close();
  await host.close();
  return {
    listening,
    painted: Math.round(paintedAt - began),
    usable,
    result,
    workspace: host.workspace,
  };
}

/** A fresh clone with installed packages, including the build at the first start. */
async function timeClone(browser: Browser): Promise<Row> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-clone-'));
  try {
    const clone = join(folder, 'clone');
    const began = performance.now();
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone], {
      stdio: 'ignore',
    });
    await symlink(join(root, 'node_modules'), join(clone, 'node_modules'), 'dir');
    const cloned = Math.round(performance.now() - began);
    const times = await timeStart(
      browser,
      join(clone, 'bin', 'touchstone.mjs'),
      join(folder, 'workspace'),
      true,
    );
    return {
      what: 'clone with its packages to first result',
      measured: `${((cloned + (times.result ?? Number.NaN)) / 1000).toFixed(1)} s`,
      peer: `of which until it listens, built: ${((cloned + times.listening) / 1000).toFixed(1)} s`,
      ratio: null,
      bound: null,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
