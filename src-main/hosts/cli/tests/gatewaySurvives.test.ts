import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, startCommand } from '../../../testing/commandLine.ts';
import { fakeStdioServer } from '../../../testing/fakeMcpServer/start.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/* What strict clients and servers stumble over passes a gateway as it is. */
let folder: TemporaryFolder;
const at = (...names: string[]): string => join(folder.path, ...names);
const run = (...args: string[]) => runCommand(args, { workspace: at('workspace') });

/** A server in a few lines, of an older version of the protocol, that answers as its argument says. */
const oldServer = `
const tell = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tools = [{ name: 'odd', inputSchema: true, description: null, annotations: 7 }];
let rest = '';
process.stdin.on('data', (data) => {
  const lines = (rest + data).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize')
      tell({ id, result: { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } } });
    else if (method === 'tools/list') tell({ id, result: { tools } });
    else if (method === 'tools/call') {
      const text = { surrogate: 'a\\ud800b', large: 'x'.repeat(200000) }[params.name] ?? params.name;
      if (params.name === 'change') {
        tools.push({ name: 'new', inputSchema: { type: 'object' } });
        tell({ method: 'notifications/tools/list_changed' });
      }
      tell({ id, result: { content: [{ type: 'text', text }] } });
    } else if (id !== undefined) tell({ id, error: { code: -32601, message: 'no such method' } });
  }
});
`;

describe('what a gateway survives', () => {
  /** The lines that a gateway writes for those that it gets, until there are `count`. */
  async function exchange(lines: readonly object[], count: number): Promise<string[]> {
    const child = startCommand(['gateway', 'old'], { workspace: at('workspace') });
    child.stderr.resume();
    const answers: string[] = [];
    const all = new Promise<void>((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        answers.push(line);
        if (answers.length === count) resolve();
      });
    });
    child.stdin.write(
      lines.map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`).join(''),
    );
    await all;
    const ended = once(child, 'exit');
    child.stdin.end();
    expect((await ended)[0]).toBe(0);
    return answers;
  }
  const called = (id: number, name: string) => ({ id, method: 'tools/call', params: { name } });

  beforeAll(async () => {
    folder = await temporaryFolder();
    await writeFile(at('old.cjs'), oldServer);
    const crash = fakeStdioServer('exit-at-call');
    const words = [crash.command, ...crash.args].map((word) => `"${word}"`).join(' ');
    await run('servers', 'add', 'crash', '--stdio', words);
    await run('servers', 'add', 'old', '--stdio', `"${process.execPath}" "${at('old.cjs')}"`);
  });
  afterAll(() => folder.remove());

  it('passes on odd tools, an older version, and a list that changes during the session', async () => {
    const [hello = '', list = '', changed = '', answer, again = ''] = await exchange(
      [
        { id: 0, method: 'initialize', params: { protocolVersion: '2024-11-05' } },
        { id: 1, method: 'tools/list' },
        called(2, 'change'),
        { id: 3, method: 'tools/list' },
      ],
      5,
    );
    expect(hello).toContain('"protocolVersion":"2024-11-05"');
    expect(JSON.parse(list)).toMatchObject({
      result: { tools: [{ name: 'odd', inputSchema: true, description: null, annotations: 7 }] },
    });
    expect(JSON.parse(changed)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
    });
    expect(answer).toContain('"id":2');
    expect(again).toContain('"new"');
  });

  it('passes on a lone surrogate and a result of 200,000 characters', async () => {
    const [odd = '', large = ''] = await exchange([called(1, 'surrogate'), called(2, 'large')], 2);
    expect(odd).toContain('a\\ud800b');
    expect(large.length).toBeGreaterThan(200_000);
  });

  it('answers 10,000 calls that come at once, each once and in order', async () => {
    const ids = Array.from({ length: 10_000 }, (_, id) => id);
    const answers = await exchange(
      ids.map((id) => called(id, `tool-${id}`)),
      ids.length,
    );
    expect(
      answers.every((line, id) => line.includes(`"id":${id},`) && line.includes(`tool-${id}"`)),
    ).toBe(true);
  });

  it('answers what was asked before the client closed its output, and records why a call has no answer', async () => {
    const lines = (...more: object[]) =>
      [{ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18' } }, ...more]
        .map((line) => `${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`)
        .join('');
    const listed = startCommand(['gateway', 'old'], { workspace: at('workspace') });
    listed.stderr.resume();
    listed.stdin.end(lines({ id: 1, method: 'tools/list' }));
    expect(await text(listed.stdout)).toContain('"name":"odd"');

    const crashed = startCommand(['gateway', 'crash', '--record', at('crashed.jsonl')], {
      workspace: at('workspace'),
    });
    crashed.stderr.resume();
    crashed.stdin.end(lines(called(1, 'echo')));
    expect(await text(crashed.stdout)).toContain('out of luck');
    const recorded = readFileSync(at('crashed.jsonl'), 'utf8').split('\n');
    expect(recorded.find((line) => line.includes('"from":"gateway"'))).toMatch(
      /"id":1,"error":.*out of luck/,
    );
  });
});
