import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../testing/commandLine.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const described = 'Moves a paid bill to the archive. Use it once the money is there.';
const empty = { type: 'object', properties: {} };
const tools = [
  { name: 'sound', description: described, inputSchema: empty },
  {
    name: 'list',
    description: `${described} It keeps lists.`,
    inputSchema: {
      type: 'object',
      properties: { labels: { type: 'array', description: 'Labels of the bill' } },
    },
  },
  { name: 'silent', description: null, inputSchema: empty },
  { name: 'lost', description: `${described} It is lost.`, inputSchema: null },
  {
    name: 'wide',
    description: `${described} It answers with a list.`,
    inputSchema: empty,
    outputSchema: { type: 'array', items: {} },
  },
];
const found = [
  'fake:list schema-array-items /inputSchema/properties/labels',
  'fake:lost schema-root ',
  'fake:silent schema-null /description',
  'fake:wide schema-output /outputSchema/type',
];

async function commandOf(given: readonly object[], name: string): Promise<string> {
  const file = join(folder.path, `${name}.json`);
  await writeFile(file, JSON.stringify({ tools: given }));
  const { command, args } = fakeStdioServer('normal');
  return [command, ...args, '--tools', file].join(' ');
}
const run = (args: string[], input?: string) =>
  runCommand(args, { workspace: join(folder.path, 'workspace'), ...(input && { input }) });
const schemaFindings = (stdout: string): string[] =>
  (JSON.parse(stdout) as { findings: { tool_id: string; rule: string; place?: string }[] }).findings
    .filter(({ rule }) => rule.startsWith('schema-'))
    .map(({ tool_id, rule, place }) => `${tool_id} ${rule} ${place ?? ''}`)
    .sort();

describe('schemas that clients refuse', () => {
  it('are found in what a server publishes, also from a pipe and in what is stored', async () => {
    const command = await commandOf(tools, 'odd');
    const listed = await run(['tools', '--stdio', command, '--json']);
    expect(listed.code, listed.stderr).toBe(0);
    const piped = await run(['lint', '--tools', '-', '--json'], listed.stdout);
    expect(schemaFindings(piped.stdout)).toEqual(
      found.map((line) => line.replace('fake:', 'stdio:')),
    );
    const added = await run(['servers', 'add', 'fake', '--stdio', command]);
    expect(added.code, added.stderr).toBe(0);
    const registered = await run(['lint', '--server', 'fake', '--json']);
    expect(schemaFindings(registered.stdout)).toEqual(found);
  });

  it('have their line and who refuses them in SARIF', async () => {
    const file = join(folder.path, 'fake.json');
    await writeFile(file, JSON.stringify({ tools: [tools[1]] }, null, 2));
    const report = join(folder.path, 'lint.sarif');
    const { code, stderr } = await run(['lint', '--tools', file, '--report', report]);
    expect(code, stderr).toBe(0);
    const sarif = JSON.parse(await readFile(report, 'utf8')) as {
      runs: [{ results: { ruleId: string; locations: unknown; properties: unknown }[] }];
    };
    const result = sarif.runs[0].results.find(({ ruleId }) => ruleId === 'lint/schema-array-items');
    const line =
      (await readFile(file, 'utf8')).split('\n').findIndex((text) => text.includes('"labels"')) + 1;
    expect(JSON.stringify(result?.locations)).toContain(`"startLine":${line}`);
    expect(JSON.stringify(result)).toContain('https://github.com/microsoft/vscode/issues/284536');
  });

  it('fail with --fail-on high, and pass with their rule turned off', async () => {
    const text = JSON.stringify({ tools: [tools[1]] });
    const lint = ['lint', '--tools', '-', '--fail-on', 'high'];
    expect((await run(lint, text)).code).toBe(1);
    expect((await run([...lint, '--off', 'schema-array-items'], text)).code).toBe(0);
  });
});

describe('a server without tools', () => {
  it.each<[string, object[], string]>([
    ['an empty list', [], 'stdio lists no tools.'],
    [
      'only tools that nobody can use',
      [{ name: 'lost', inputSchema: null }],
      'stdio lists no tool that can be offered; 1 tool rejected.',
    ],
  ])('says so for %s and ends with 0', async (_what, given, line) => {
    const { code, stdout } = await run(['tools', '--stdio', await commandOf(given, 'none')]);
    expect(code).toBe(0);
    expect(stdout).toContain(line);
    expect(stdout).not.toContain('description');
  });

  it('says that no server is registered', async () => {
    const workspace = join(folder.path, 'new');
    await runCommand(['servers', 'remove', 'todo'], { workspace });
    const { code, stdout } = await runCommand(['tools'], { workspace });
    expect([code, stdout]).toEqual([
      0,
      'No server is registered. `touchstone servers add` registers one.\n',
    ]);
  });
});
