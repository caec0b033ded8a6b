import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { launchBrowser } from '../e2e/browser.ts';
import { launchLoopback } from '../e2e/launchLoopback.ts';
import { databaseName } from '../src-main/app/openWorkspace.ts';
import { fillWorkspace } from './durability.ts';
import { ratioRow, type Row } from './report.ts';

const root = join(import.meta.dirname, '..');
const entry = join(root, 'bin', 'touchstone.mjs');
const largeMb = 1000;
/** How long a workspace of a gigabyte may take to its first screen. */
const firstScreenMs = 1000;

/**
 * From process start, as with `npm start`, to a usable screen, and from a clone to its first
 * result.
 */
export async function benchStartUp(): Promise<Row[]> {
  // The first start after a change builds the program, which isn't measured here.
  execFileSync(process.execPath, [entry, '--version'], {
    stdio: 'ignore',
  });
  const rows: Row[] = [timeSmallEvaluation()];
  const browser = await launchBrowser();
  try {
    let known: Start | undefined;
    for (const what of ['new workspace', 'known workspace']) {
      known = await timeStart(browser, entry, known?.workspace);
      rows.push(startRow(what, known));
    }
    if (known !== undefined) {
      fillWorkspace(join(known.workspace, databaseName), largeMb);
      const large = await timeStart(browser, entry, known.workspace);
      await rm(known.workspace, { recursive: true, force: true });
      const what = `known workspace of ${largeMb} MB`;
      rows.push(
        startRow(what, large),
        ratioRow('the same', large.usable, 'ms', 'bound', firstScreenMs, 1),
      );
    }
    rows.push(await timeClone(browser));
  } finally {
    await browser.close();
  }
  return rows;
}

const startRow = (what: string, { usable, listening, painted }: Start): Row => ({
  what: `start to first usable screen, ${what}`,
  measured: `${usable} ms`,
  peer: `of which until it listens: ${listening} ms; first paint after ${painted} ms`,
  ratio: null,
  bound: null,
});

/** A command on three cases of files against Node that does nothing, in ten rounds. */
function timeSmallEvaluation(): Row {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-start-'));
  try {
    const words = ['invoice', 'photo', 'song'];
    const tools = words.map((word) => ({
      ...{ server: 'office', name: word, description: `Finds a ${word} by its words.` },
      input_schema: { type: 'object' },
    }));
    const cases = words.map((word) => ({
      ...{ id: word, name: word, query: `find the ${word} of last week` },
      expected_calls: [{ server: 'office', tool: word }],
    }));
    const suite = { version: 1, name: 'office', servers: ['office'], cases };
    writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools }));
    writeFileSync(join(folder, 'suite.json'), JSON.stringify(suite));
    const evaluation = [
      ...[entry, 'eval', '--suite', 'suite.json'],
      ...['--tools', 'tools.json', '--provider', 'builtin'],
    ];
    // The first one of each fills the caches.
    const times = Array.from({ length: 11 }, () => ({
      evaluation: cpuTime(folder, 1, evaluation),
      empty: cpuTime(folder, 10, ['-e', '0']),
    })).slice(1);
    const median = (of: (time: (typeof times)[0]) => number): number =>
      times.map(of).toSorted((a, b) => a - b)[5] ?? Number.NaN;
    return ratioRow(
      ...([
        'CPU time of an evaluation of 3 cases in files',
        median((time) => time.evaluation),
      ] as const),
      ...(['ms', 'node -e 0', median((time) => time.empty), 25] as const),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** CPU time in ms of a Node process with its threads: a shell counts hundredths of a second. */
function cpuTime(folder: string, runs: number, args: readonly string[]): number {
  const command = '"$0" "$@" > out.txt 2>&1 || { cat out.txt >&2; exit 1; }';
  const script = `for run in $(seq ${runs}); do ${command}; done; times`;
  const printed = execFileSync('sh', ['-c', script, process.execPath, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, TOUCHSTONE_KEYCHAIN: 'off' },
  });
  const [, children = ''] = printed.trim().split('\n');
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return (seconds.reduce((sum, each) => sum + each, 0) * 1000) / runs;
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
