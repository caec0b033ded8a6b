import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, startCommand, type Ended } from '../../../testing/commandLine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

let folder: TemporaryFolder;
const run = (args: readonly string[], input?: string): Promise<Ended> =>
  runCommand(args, {
    workspace: join(folder.path, 'workspace'),
    ...(input === undefined ? {} : { input }),
  });
const at = (name: string): string => join(folder.path, name);
const server = ['--server', 'todo'];
const line = (content: string, name: string, args: object): string =>
  `${JSON.stringify({
    request: { model: 'm', messages: [{ role: 'user', content }] },
    response: {
      choices: [
        {
          message: {
            role: 'assistant',
            tool_calls: [{ id: 'c', function: { name, arguments: JSON.stringify(args) } }],
          },
        },
      ],
    },
  })}\n`;
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(
    at('agent.jsonl'),
    line('Write to mia@shop.test', 'add_task', { title: 'mia@shop.test' }) +
      line('What is left?', 'list_tasks', {}),
  );
});
afterAll(async () => {
  await folder.remove();
});

describe('suite import of a log', () => {
  it('recognizes the log, imports nothing, and says what it would propose', async () => {
    const { code, stdout, stderr } = await run(['suite', 'import', at('agent.jsonl'), ...server]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/Write to person1@example\.com\s+todo:add_task/);
    expect(stdout).toContain('Nothing was imported.');
    expect(stderr).toContain('what models did, not what is right');
    expect(stderr).toContain('mail address 2 times');
    expect(stdout + stderr).not.toContain('mia@');
  });

  it('says how much of a long log is read', async () => {
    const long = at('long.jsonl');
    await writeFile(
      long,
      line('What is left?', 'list_tasks', { note: 'x'.repeat(1000) }).repeat(40_000),
    );
    const { code, stderr } = await run(['suite', 'import', long, ...server]);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/^\d+\/\d\d MB$/m);
  });

  it('stops a long log on Ctrl-C, writes nothing, and ends with 3', async () => {
    const long = at('stopped.jsonl');
    await writeFile(
      long,
      line('What is left?', 'list_tasks', { note: 'x'.repeat(1000) }).repeat(50_000),
    );
    const out = at('stopped.suite.yaml');
    const workspace = join(folder.path, 'workspace');
    const child = startCommand(['suite', 'import', long, ...server, '--out', out], { workspace });
    const [stdout, ended] = [text(child.stdout), once(child, 'exit')];
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    await expect.poll(() => stderr).toMatch(/\d+\/\d\d MB/);
    child.kill('SIGINT');
    expect(await ended, stderr).toEqual([3, null]);
    expect(await stdout).toBe('');
    expect(stderr).toContain('Stopped.');
    expect(await readdir(folder.path)).not.toContain('stopped.suite.yaml');
    const after = await run(['suite', 'import', at('agent.jsonl'), ...server, '--out', out]);
    expect(after.code, after.stderr).toBe(0);
  });

  it('writes a suite to review, which nothing runs before a person has reviewed it', async () => {
    const out = at('agent.suite.yaml');
    const written = await run([
      'suite',
      'import',
      at('agent.jsonl'),
      ...server,
      '--out',
      out,
      '--json',
    ]);
    expect(written.code, written.stderr).toBe(0);
    expect(JSON.parse(written.stdout)).toMatchObject({
      cases: [{ kind: 'right tool' }, { kind: 'right tool' }],
      log: { turns: 2, repeated: 0, similar: 0, left: 0, of_no_server: [] },
    });
    const text = await readFile(out, 'utf8');
    const refused = await run(['suite', 'import', out]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/agent\.suite\.yaml:10:1: 2 cases are still to be reviewed/);
    const evaluated = await run(['eval', '--suite', out, '--provider', 'builtin']);
    expect(evaluated.stderr).toContain('still to be reviewed');
    await writeFile(out, text.replaceAll('REVIEW: ', ''));
    const imported = await run(['suite', 'import', out]);
    expect(imported.stdout, imported.stderr).toContain('2 cases');
  });

  it('reads standard input, and limits the cases', async () => {
    const { code, stdout, stderr } = await run(
      ['suite', 'import', '-', '--from', 'log', '--limit', '1', '--json', ...server],
      await readFile(at('agent.jsonl'), 'utf8'),
    );
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ cases: [{}], log: { left: 1 } });
  });

  it('refuses a log whose tools no registered server has, and says how to name it', async () => {
    const { code, stderr } = await run(['suite', 'import', at('agent.jsonl')]);
    expect(code).toBe(2);
    expect(stderr).toContain('give --server NAME for tools such as add_task');
  });

  it('refuses a log without answers, and says what to export', async () => {
    await writeFile(at('asked.jsonl'), '{"messages": [{"role": "user", "content": "Hi"}]}\n');
    const { code, stderr } = await run(['suite', 'import', at('asked.jsonl'), '--from', 'log']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('Export the log with its inputs and outputs.');
  });
});
