import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectAccessible } from './accessibility.ts';
import { commandJson } from './commands.ts';
import { expect, test, visit } from './fixtures.ts';

const check = `
let text = '';
for await (const part of process.stdin) text += part;
const { run_folder: folder } = JSON.parse(text);
const { readFileSync } = await import('node:fs');
const note = readFileSync(folder + '/notes/a.txt', 'utf8');
console.log(JSON.stringify({ passed: note === 'a note', reason: 'It reads: ' + note }));
`;

test('starts a program of a suite after consent, and keeps what a run did as the solution', async ({
  window,
  host,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-e2e-programs-'));
  const suite = {
    version: 1,
    name: 'judged-by-programs',
    servers: ['todo'],
    cases: [
      {
        id: 'noted',
        name: 'Add a task',
        turns: ['Add a task "Buy milk" for user u-1.'],
        files: [{ from: 'notes' }],
        checks: [
          { id: 'note', program: { command: [process.execPath, 'check.mjs'] } },
          { calls: { must: ['add_task'] } },
        ],
      },
    ],
  };
  await mkdir(join(folder, 'notes'));
  await writeFile(join(folder, 'notes', 'a.txt'), 'a note');
  await writeFile(join(folder, 'check.mjs'), check);
  await writeFile(join(folder, 's.json'), JSON.stringify(suite));
  await commandJson(host, 'suite', 'import', join(folder, 's.json'));

  await visit(window, 'suites');
  await window.getByRole('grid', { name: 'Suites' }).getByText('judged-by-programs').click();
  await window.getByRole('grid', { name: 'Cases and tasks' }).getByText('Add a task').click();
  await expect(window.getByText('check.mjs', { exact: true })).toBeVisible();
  await window.getByText('Files, data and faults', { exact: true }).click();
  await expect(window.getByRole('textbox', { name: 'from', exact: true })).toHaveValue('notes');
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Run evaluation' }).click();
  const run = window.getByRole('button', { name: 'Run evaluation' });
  // Programs need consent in every mode.
  await window.getByRole('radio', { name: 'Stub', exact: true }).check();
  await expect(
    window.getByText(/^The suite starts 1 program on this computer: .*check\.mjs \(in .*\)\.$/u),
  ).toBeVisible();
  await expect(run).toBeDisabled();
  await expect(
    window.getByRole('checkbox', {
      name: 'I agree that 1 program of the suite may be started.',
      exact: true,
    }),
  ).not.toBeChecked();
  await window.getByRole('radio', { name: 'Full', exact: true }).check();
  await window
    .getByRole('checkbox', {
      name: /^I agree that 1 program of the suite may be started, and that every tool of/u,
    })
    .check();
  await expectAccessible(window);
  await run.click();

  const verdict = window.getByRole('region', { name: 'Verdict' });
  await expect(verdict.getByRole('heading', { name: '1 of 1 task succeeded' })).toBeVisible();
  await window.getByRole('tab', { name: 'All runs' }).click();
  await window.getByRole('grid', { name: 'Runs' }).getByText('Add a task').click();
  await expect(window.getByText('It reads: a note')).toBeVisible();
  await expectAccessible(window);
  await window.getByRole('button', { name: 'Keep these calls as the solution' }).click();
  await expect(window.getByText('Kept 1 call as the solution of the task.')).toBeVisible();
  const out = join(folder, 'written.json');
  await commandJson(
    host,
    ...['suite', 'export', 'judged-by-programs', '--format', 'json', '--out', out],
  );
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({
    cases: [{ solution: [{ server: 'todo', tool: 'add_task' }], files: [{ from: 'notes' }] }],
  });
  await rm(folder, { recursive: true });
});
