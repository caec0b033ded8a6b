import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const at = (...names: string[]): string => join(folder.path, ...names);
const tools = ['archive_message', 'delete_message', 'read_message'].map((name) => ({
  name,
  description: `To ${name.replace('_', ' a ')}.`,
  inputSchema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
}));
const suite = {
  version: 1,
  name: 'mail',
  servers: ['mail'],
  cases: Array.from({ length: 12 }, (_, number) => ({
    id: `case-${number}`,
    name: `Case ${number}`,
    query: `${number % 3 === 0 ? 'Put away' : 'Delete'} message ${number}`,
    expected_calls: [
      {
        server: 'mail',
        tool: number % 3 === 0 ? 'archive_message' : 'delete_message',
        parameters: { id: number },
      },
    ],
  })),
};
const evaluate = (...args: string[]): Promise<Ended> =>
  runCommand(['eval', '--suite', at('mail.suite.json'), '--tools', at('mail.json'), ...args], {
    workspace: at('workspace'),
    env: { GITHUB_STEP_SUMMARY: at('summary.md') },
  });

beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(at('mail.json'), JSON.stringify({ tools }));
  await writeFile(at('mail.suite.json'), JSON.stringify(suite));
  const recorded = await evaluate('--provider', 'builtin', '--record', at('answers.jsonl'));
  expect(recorded.code, recorded.stderr).toBe(0);
});
afterAll(async () => {
  await folder.remove();
});

/** The content of every report of one replay, by file. */
async function replay(name: string): Promise<Record<string, string>> {
  const files = ['html', 'md', 'json', 'csv', 'xml'].map((ending) => at(`${name}.${ending}`));
  await writeFile(at('summary.md'), '');
  const { code, stderr } = await evaluate(
    ...['--replay', at('answers.jsonl')],
    ...['--concurrency', '4', '--quiet'],
    ...['--stamp', 'fixed', '--report', ...files, 'github'],
  );
  expect([code, stderr]).toEqual([0, '']);
  const texts = await Promise.all(
    [...files, at('summary.md')].map((file) => readFile(file, 'utf8')),
  );
  return Object.fromEntries(
    ['html', 'md', 'json', 'csv', 'xml', 'summary'].map((each, index) => [
      each,
      texts[index] ?? '',
    ]),
  );
}

describe('two replays with --stamp', () => {
  it('give the same bytes in every format, without times', async () => {
    const [first, second] = [await replay('first'), await replay('second')];
    for (const [format, text] of Object.entries(first)) {
      expect(text.length, format).toBeGreaterThan(100);
      expect(text === second[format], format).toBe(true);
      expect(text, format).not.toMatch(/\d\d:\d\d:\d\d/);
    }
    expect(JSON.parse(first['json'] ?? '')).toMatchObject({
      generated: 'fixed',
      created_at: null,
      started_at: null,
      completed_at: null,
      duration_ms: null,
    });
  });
});
