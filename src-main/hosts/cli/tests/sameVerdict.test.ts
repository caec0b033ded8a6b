import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommand } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const document = z.object({
  verdict: z.object({ headline: z.string(), lines: z.string().array() }),
});

it('gives the same verdict on the command line and in every report', async () => {
  const workspace = join(folder.path, 'workspace');
  const file = (ending: string) => join(folder.path, `run.${ending}`);
  const run = (args: readonly string[]) => runCommand(args, { workspace });
  const endings = ['json', 'html', 'md', 'xml'];
  const evaluated = await run([
    'eval',
    '--suite',
    'todo-sample',
    '--provider',
    'builtin',
    ...endings.flatMap((ending) => ['--report', file(ending)]),
  ]);
  const { headline, lines } = document.parse(
    JSON.parse(await readFile(file('json'), 'utf8')),
  ).verdict;
  expect(headline).toMatch(/^\d+ of \d+ cases passed$/);
  expect(evaluated.stdout.startsWith(`${lines.join('\n')}\n`)).toBe(true);
  for (const ending of endings) expect(await readFile(file(ending), 'utf8')).toContain(headline);
  const { stdout } = await run(['verify', file('json'), '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ differences: [] });
});
