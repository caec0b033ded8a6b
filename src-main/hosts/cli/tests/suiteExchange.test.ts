import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { UsageError } from '../exitCodes.ts';
import { lossLines, parseMap } from '../input/suiteExchange.ts';

let folder: TemporaryFolder;
const run = (args: readonly string[], input?: string): Promise<Ended> =>
  runCommand(args, {
    workspace: join(folder.path, 'workspace'),
    ...(input === undefined ? {} : { input }),
  });
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  await folder.remove();
});

describe('suites of other programs', () => {
  it('reports what an import approximated and skipped, in one document', async () => {
    const file = join(folder.path, 'shop.yaml');
    await writeFile(
      file,
      'tests:\n  - { description: A, vars: { query: Find it }, assert: [{ type: tool-call-f1, value: [find] }, { type: contains, value: x }] }\n  - { vars: { query: x }, assert: [{ type: javascript, value: process.exit(7) }] }\n',
    );
    const { code, stdout, stderr } = await run([
      'suite',
      'import',
      file,
      '--from',
      'promptfoo',
      '--server',
      'shop',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'shop',
      cases: 1,
      unknown_servers: ['shop'],
      report: {
        converter: 'promptfoo/1',
        source_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        exact: 0,
        approximated: [{ case: 'a', what: 'contains' }],
        skipped: [{ case: 'tests[1]' }],
        assumed_server: null,
      },
    });
    expect(stderr).toMatch(
      /approximated: a: contains: .*\nskipped: tests\[1\]: javascript: .*never run.*\n0 exact, 1 approximated, 1 skipped\./,
    );
    const again = await run(['suite', 'import', file, '--from', 'promptfoo']);
    expect([again.code, again.stdout]).toEqual([2, '']);
    expect((await run(['suite', 'import', file, '--from', 'promptfoo', '--replace'])).code).toBe(0);
  });

  it('reads a table from standard input by its map, and reports the place of an error', async () => {
    const args = [
      'suite',
      'import',
      '-',
      '--from',
      'csv',
      '--name',
      'table',
      '--map',
      'query=ask,tool=want',
    ];
    const { code, stderr } = await run(args, 'ask,want\n"\'=q",todo:add\n');
    expect(code).toBe(0);
    expect(stderr).toContain('1 exact, 0 approximated, 0 skipped.');
    expect((await run(['suite', 'export', 'table', '--to', 'csv'])).stdout).toContain("'=q");
    const bad = await run([...args, '--replace'], 'ask,want\nq,a,b\n');
    expect([bad.code, bad.stdout]).toEqual([2, '']);
    expect(bad.stderr).toContain('-:2:5:');
  });

  it('refuses a lossy export without --yes', async () => {
    const out = join(folder.path, 'sample.json');
    const refused = await run(['suite', 'export', 'todo-sample', '--to', 'mcpjam', '--out', out]);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(/lost: .*\n.*--yes/s);
    await expect(readFile(out)).rejects.toThrow('ENOENT');
    const written = await run([
      'suite',
      'export',
      'todo-sample',
      '--to',
      'mcpjam',
      '--out',
      out,
      '--yes',
    ]);
    expect(written.code).toBe(0);
    expect(written.stderr).toContain('lost: ');
    expect((await run(['suite', 'import', out, '--from', 'mcpjam', '--name', 'back'])).code).toBe(
      0,
    );
  });

  it.each([
    [['suite', 'import', 'x.csv', '--from', 'excel'], '--from excel'],
    [['suite', 'export', 'todo-sample', '--to', 'excel'], '--to excel'],
    [['suite', 'import', '-', '--from', 'csv', '--map', 'nothing=x'], '--map nothing=x'],
  ])('ends %j with 2 and names the bad input', async (args, named) => {
    const { code, stdout, stderr } = await run(args, '');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(named);
  });

  it('parses a map of columns and escapes control characters in names', () => {
    expect(parseMap('query=a=b, tool = c')).toEqual({ query: 'a=b', tool: 'c' });
    expect(parseMap(undefined)).toEqual({});
    for (const text of ['query', '=x', 'query=', '__proto__=x'])
      expect(() => parseMap(text)).toThrow(UsageError);
    expect(lossLines([{ case: 'a\u001b[31m', what: 'x' }])).toEqual(['lost: a\\u001b[31m: x']);
  });
});
