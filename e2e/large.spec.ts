import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test as base, visit } from './fixtures.ts';
import { launchLoopback, type LaunchedHost } from './launchLoopback.ts';

const testing = join(import.meta.dirname, '..', 'src-main', 'testing');
const cases = 100_000;

interface LargeFixtures {
  host: LaunchedHost;
  evaluationId: string;
}

/** Runs a source file in a process of its own; answers with what it printed. */
function runSource(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [join(testing, file), ...args], (error, stdout, stderr) => {
      if (error) reject(new Error(stderr));
      else resolve(stdout);
    });
  });
}

const test = base.extend<object, LargeFixtures & { folder: string }>({
  folder: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-'));
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  evaluationId: [
    async ({ folder }, use) => use(await runSource('largeWorkspace.ts', [folder, String(cases)])),
    { scope: 'worker' },
  ],
  host: [
    async ({ folder, evaluationId }, use) => {
      expect(evaluationId).toMatch(/^[0-9a-f-]{36}$/);
      const host = await launchLoopback({ workspace: folder });
      await use(host);
      await host.close();
    },
    { scope: 'worker' },
  ],
});

/** Every row that the page holds, of whatever table. */
const rowsIn = (page: Page): Promise<number> =>
  page.locator('[role="row"], tr:not([role])').count();

test('the page of 100,000 cases holds fewer than 200 rows, at its top, at its end and sorted otherwise', async ({
  window,
  evaluationId,
}) => {
  await visit(window, `evaluations/${evaluationId}`);
  const grid = window.getByRole('grid', { name: 'Cases' });
  await expect(window.getByRole('grid', { name: 'Confusion matrix' })).toBeVisible();
  await expect(grid).toHaveAttribute('aria-rowcount', String(cases + 1));
  await expect(grid.locator('[role="row"][aria-rowindex="2"]')).toBeVisible();
  expect(await rowsIn(window)).toBeLessThan(200);
  await grid.focus();
  await window.keyboard.press('End');
  const last = grid.locator(`[role="row"][aria-rowindex="${cases + 1}"]`);
  await expect(last).toBeVisible();
  await expect(last).toContainText('query 9');
  expect(await rowsIn(window)).toBeLessThan(200);
  await visit(window, `evaluations/${evaluationId}?sort=-executionTimeMs&class=TP`);
  // Of each ten cases one failed and two were missed; the header is a row too.
  await expect(grid).toHaveAttribute('aria-rowcount', String(cases * 0.7 + 1));
  await expect(grid.locator('[role="row"][aria-rowindex="2"]')).toBeVisible();
  expect(await rowsIn(window)).toBeLessThan(200);
});

const mapped = 2_000;
const verbs = ['Reads', 'Writes', 'Copies', 'Moves', 'Lists', 'Finds', 'Sends', 'Counts'];
const things = [
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

test('a heat map of 2,000 tools answers each key and each turn of the wheel within five frames', async ({
  window,
  host,
  folder,
}) => {
  const tools = Array.from({ length: mapped }, (_, at) => ({
    name: `tool_${at}`,
    description: `${verbs[at % verbs.length] ?? ''} the ${things[at % things.length] ?? ''} number ${at} of shelf ${at % 37} for team ${at % 53}.`,
    inputSchema: { type: 'object', properties: { [`field_${at % 29}`]: { type: 'string' } } },
  }));
  const file = join(folder, 'tools.json');
  await writeFile(file, JSON.stringify({ tools }));
  await host.command([
    'servers',
    'add',
    'many',
    '--stdio',
    `${process.execPath} ${join(testing, 'fakeMcpServer', 'main.ts')} normal --tools ${file}`,
    '--quiet',
    '--json',
  ]);
  await visit(window, 'similarity');
  await window.getByRole('button', { name: 'Compare tools' }).click();
  const map = window.getByRole('application', { name: /Overlap of all tools/u });
  await expect(map).toBeVisible({ timeout: 45_000 });
  await map.focus();
  await window.keyboard.press('0');
  // What the page itself takes from an input to the frame that shows it; how fast this test presses
  // keys does not count.
  const median = await map.evaluate(async (element) => {
    const canvas = element.querySelector('canvas');
    if (!canvas) throw new Error('There is no canvas.');
    const nextFrame = (): Promise<number> =>
      new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    const acts = [
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
      const act = acts[at % acts.length] ?? '';
      await nextFrame();
      const began = performance.now();
      if (act === 'wheel')
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
          new KeyboardEvent('keydown', { key: act, bubbles: true, cancelable: true }),
        );
      await nextFrame();
      // Reading a pixel waits until everything is really drawn.
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
  await expect(window.getByRole('status').filter({ hasText: 'many:tool_' }).first()).toBeVisible();
});
