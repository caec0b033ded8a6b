import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fakeServerCommand } from './commands.ts';
import { expect, test as base, visit } from './fixtures.ts';
import { launchLoopback } from './launchLoopback.ts';
import { heatMap, openSimilarTools } from './similarTools.ts';

const testing = join(import.meta.dirname, '..', 'src-main', 'testing');
const cases = 100_000;

let largeEvaluation = '';

/** Runs a source file in a process of its own and returns what it prints. */
function runSource(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [join(testing, file), ...args], (error, stdout, stderr) => {
      if (error) reject(new Error(stderr));
      else resolve(stdout);
    });
  });
}

const test = base.extend<{ evaluationId: string }>({
  host: async ({ hosts }, use, { file }) => {
    const prepare = async (workspace: string): Promise<void> => {
      largeEvaluation = await runSource('largeWorkspace.ts', [workspace, String(cases)]);
    };
    await use(await hosts.hostFor(file, prepare));
  },
  evaluationId: async ({ host }, use) => {
    expect(largeEvaluation, `evaluation in ${host.workspace}`).toMatch(/^[0-9a-f-]{36}$/);
    await use(largeEvaluation);
  },
});

/** The rows of all tables that the page holds. */
const rowsIn = (page: Page): Promise<number> =>
  page.locator('[role="row"], tr:not([role])').count();

test(
  'renders fewer than 200 of 100,000 cases at the top, at the end and sorted',
  { tag: '@nightly' },
  async ({ window, evaluationId }) => {
    await visit(window, `results/${evaluationId}`);
    const grid = window.getByRole('grid', { name: 'Cases' });
    await expect(window.getByRole('grid', { name: 'Expected and called tools' })).toBeVisible();
    await window.getByRole('tab', { name: /^All runs/ }).click();
    await expect(grid).toHaveAttribute('aria-rowcount', String(cases + 1));
    await expect(grid.locator('[role="row"][aria-rowindex="2"]')).toBeVisible();
    expect(await rowsIn(window)).toBeLessThan(200);
    await grid.focus();
    await window.keyboard.press('End');
    const last = grid.locator(`[role="row"][aria-rowindex="${cases + 1}"]`);
    await expect(last).toBeVisible();
    await expect(last).toContainText('query 9');
    expect(await rowsIn(window)).toBeLessThan(200);
    await visit(window, `results/${evaluationId}?tab=runs&sort=-executionTimeMs&outcome=passed`);
    // Of every ten cases one failed and two were missed. The header is a row too.
    await expect(grid).toHaveAttribute('aria-rowcount', String(cases * 0.7 + 1));
    await expect(grid.locator('[role="row"][aria-rowindex="2"]')).toBeVisible();
    expect(await rowsIn(window)).toBeLessThan(200);
  },
);

test(
  'opens the row that Enter was pressed on before it was loaded',
  { tag: '@nightly' },
  async ({ window, evaluationId }) => {
    const held: (() => void)[] = [];
    let holds = false;
    await window.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) => {
        if (holds) held.push(() => server.send(message));
        else server.send(message);
      });
    });
    // The route holds for sockets that are opened from now on.
    await window.reload();
    await visit(window, `results/${evaluationId}?tab=runs`);
    const grid = window.getByRole('grid', { name: 'Cases' });
    await expect(grid.locator('[role="row"][aria-rowindex="2"]')).toBeVisible();
    await grid.focus();
    holds = true;
    await window.keyboard.press('End');
    const last = grid.locator(`[role="row"][aria-rowindex="${cases + 1}"]`);
    await expect(last.getByLabel('Loading')).toBeVisible();
    await window.keyboard.press('Enter');
    await expect.poll(() => held.length).toBeGreaterThan(0);
    expect(window.url()).toContain('tab=runs');
    holds = false;
    for (const send of held) send();
    await window.waitForURL(/\/runs\//);
  },
);

const mapped = 2_000;
const verbs = ['Reads', 'Writes', 'Copies', 'Moves', 'Lists', 'Finds', 'Sends', 'Counts'];
const nouns = [
  'file',
  'mail',
  'ticket',
  'invoice',
  'page',
  'row',
  'image',
  'note',
  'order',
  'branch',
];

test(
  'redraws a heat map of 2,000 tools within five frames per key or wheel event',
  { tag: '@nightly' },
  async ({ window, host }) => {
    const tools = Array.from({ length: mapped }, (_, at) => ({
      name: `tool_${at}`,
      description: `${verbs[at % verbs.length] ?? ''} the ${nouns[at % nouns.length] ?? ''} number ${at} of shelf ${at % 37} for team ${at % 53}.`,
      inputSchema: { type: 'object', properties: { [`field_${at % 29}`]: { type: 'string' } } },
    }));
    const file = join(host.workspace, 'tools.json');
    await writeFile(file, JSON.stringify({ tools }));
    await host.command([
      'servers',
      'add',
      '--list-tools',
      'many',
      '--stdio',
      fakeServerCommand('normal', '--tools', file),
      '--quiet',
      '--json',
    ]);
    await openSimilarTools(window);
    const map = heatMap(window);
    await expect(map).toBeVisible({ timeout: 45_000 });
    await map.focus();
    await window.keyboard.press('0');
    // Measured inside the page, so that the speed of Playwright's key presses does not count.
    const median = await map.evaluate(async (element) => {
      const canvas = element.querySelector('canvas');
      if (!canvas) throw new Error('There is no canvas.');
      const nextFrame = (): Promise<number> =>
        new Promise((resolve) => {
          requestAnimationFrame(resolve);
        });
      const inputs = [
        'ArrowDown',
        'ArrowRight',
        '+',
        'PageDown',
        'ArrowDown',
        'ArrowRight',
        '-',
        'End',
        'Home',
        'wheel',
      ];
      const times: number[] = [];
      for (let at = 0; at < 60; at += 1) {
        const input = inputs[at % inputs.length] ?? '';
        await nextFrame();
        const began = performance.now();
        if (input === 'wheel')
          canvas.dispatchEvent(
            new WheelEvent('wheel', {
              deltaY: at % 20 === 9 ? -100 : 100,
              clientX: 300,
              clientY: 300,
              bubbles: true,
              cancelable: true,
            }),
          );
        else
          element.dispatchEvent(
            new KeyboardEvent('keydown', { key: input, bubbles: true, cancelable: true }),
          );
        await nextFrame();
        // Reading a pixel waits until everything is drawn.
        canvas.getContext('2d')?.getImageData(0, 0, 1, 1);
        times.push(performance.now() - began);
      }
      return times.sort((a, b) => a - b)[times.length >> 1] ?? Infinity;
    });
    test.info().annotations.push({
      type: 'from input to frame, median of 60',
      description: `${median.toFixed(1)} ms`,
    });
    expect(median).toBeLessThan(5 * (1_000 / 60));
    // The keys moved the cursor, and the readout followed.
    const readout = window.getByRole('status').filter({ hasText: 'similarity' });
    await map.press('Home');
    const pair = await readout.textContent();
    await map.press('End');
    await expect(readout).not.toHaveText(pair ?? '');
  },
);

test(
  'says in the open window and to commands that a large workspace is damaged',
  { tag: '@nightly' },
  async ({ chromium }) => {
    test.slow();
    const workspace = await mkdtemp(join(tmpdir(), 'touchstone-e2e-'));
    await runSource('largeWorkspace.ts', [workspace, '40000']);
    const file = join(workspace, 'touchstone.sqlite');
    // Larger than what is read before the first screen.
    const { size } = await stat(file);
    expect(size).toBeGreaterThan(65 * 1024 * 1024);
    const database = await open(file, 'r+');
    await database.write(Buffer.of(0x55, 0xaa), 0, 2, size - 2_000);
    await database.close();
    const host = await launchLoopback({ workspace });
    const page = await chromium.newPage();
    try {
      await page.goto(host.url);
      await expect(page.getByRole('navigation').first()).toBeVisible();
      await expect(page.getByText(/differs from its checksum.*no longer writes to it/)).toBeVisible(
        {
          timeout: 60_000,
        },
      );
      const { stderr } = await host.command([
        ...['servers', 'add', 'later', '--url', 'http://127.0.0.1:9/mcp'],
      ]);
      expect(stderr).toMatch(/differs from its checksum.*touchstone salvage/);
    } finally {
      await page.close();
      await host.close();
      await rm(workspace, { recursive: true, force: true });
    }
  },
);
