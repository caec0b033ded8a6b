import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { ask, noteWaits, tool } from '../../../testing/fakeModelServer/openTestModel.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { isRunning } from '../../process/programFolder.ts';
import { createModelAccess } from '../openChatModel.ts';

/** A program that keeps what it was asked, then does what a test tells it. */
const program = `
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
const [folder, does] = process.argv.slice(2);
let text = '';
for await (const part of process.stdin) text += part;
writeFileSync(join(folder, 'request.json'), text);
writeFileSync(join(folder, 'environment.json'), JSON.stringify(process.env));
appendFileSync(join(folder, 'starts'), 'x');
const request = JSON.parse(text);
const name = request.tools?.[0]?.function.name;
const call = { id: 'c', type: 'function', function: { name, arguments: '{"title":"Milk"}' } };
const answer = JSON.stringify({
  choices: [{ finish_reason: 'tool_calls', message: { content: null, tool_calls: [call] } }],
  usage: { prompt_tokens: 7, completion_tokens: 3 },
});
if (does === 'hang') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  writeFileSync(join(folder, 'some'), JSON.stringify([process.pid, child.pid]));
  renameSync(join(folder, 'some'), join(folder, 'pids'));
  setInterval(() => {}, 1000);
} else if (does === 'fail') {
  console.error('The model is not loaded.');
  process.exitCode = 3;
} else if (does === 'recover' && readFileSync(join(folder, 'starts'), 'utf8').length < 3) {
  process.exitCode = 1;
} else if (does === 'chatter') process.stdout.write('Loading the model …');
else if (does === 'flood') {
  const part = 'x'.repeat(1024 * 1024);
  for (let index = 0; index < 40; index += 1) process.stdout.write(part);
} else process.stdout.write(answer);
`;

let folder: TemporaryFolder;
const at = (name: string): string => join(folder.path, name);
let tests = 0;
beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(at('model.mjs'), program);
});
afterAll(() => folder.remove());

const tools = [tool('add', { type: 'object', properties: { title: { type: 'string' } } })];

async function open(does: string, change: { timeout?: number; maxRetries?: number } = {}) {
  const own = at(`${does}-${(tests += 1)}`);
  mkdirSync(own);
  const access = createModelAccess({ timing: noteWaits() });
  const model = await access.open(
    modelConfiguration.parse({
      provider: 'command',
      model: 'local',
      maxRetries: 0,
      command: [process.execPath, at('model.mjs'), own, does],
      ...change,
    }),
  );
  return { model, file: (name: string) => join(own, name) };
}
const soon = () => AbortSignal.timeout(30_000);

describe('a program as a model', () => {
  it('gets the request on standard input and answers on standard output', async () => {
    process.env['OPENAI_API_KEY'] = 'sk-not-for-programs';
    const { model, file } = await open('answer');
    const { observation, elapsedMs } = await model.choose(ask('Buy milk', tools), soon());
    delete process.env['OPENAI_API_KEY'];
    expect(observation.calls).toMatchObject([
      { server: 'todo', tool: 'add', arguments: { title: 'Milk' } },
    ]);
    expect(observation.usage).toMatchObject({ input: 7, output: 3, source: 'measured' });
    expect(elapsedMs).toBeGreaterThan(0);
    const request = JSON.parse(readFileSync(file('request.json'), 'utf8')) as {
      model: string;
      messages: { content: string }[];
    };
    expect([request.model, request.messages.at(-1)?.content]).toEqual(['local', 'Buy milk']);
    expect(readFileSync(file('environment.json'), 'utf8')).not.toContain('sk-not-for-programs');
  });

  it('is tried again after it fails, as often as the settings say', async () => {
    const recovering = await open('recover', { maxRetries: 2 });
    const { observation } = await recovering.model.choose(ask('Buy milk', tools), soon());
    expect(observation.calls).toHaveLength(1);
    expect(readFileSync(recovering.file('starts'), 'utf8')).toBe('xxx');
    const failing = await open('fail', { maxRetries: 1 });
    await expect(failing.model.choose(ask('Buy milk', tools), soon())).rejects.toThrow(
      /ended with exit code 3: The model is not loaded\./,
    );
    expect(readFileSync(failing.file('starts'), 'utf8')).toBe('xx');
  });

  it('is ended with its children when its time is up, and when the run is canceled', async () => {
    // On a busy machine a program can need longer than its first limits to get as far as hanging.
    let late!: Awaited<ReturnType<typeof open>>;
    for (const timeout of [2, 10, 25]) {
      late = await open('hang', { timeout });
      await expect(late.model.choose(ask('Buy milk', tools), soon())).rejects.toThrow(
        `no complete answer within ${timeout} s`,
      );
      if (existsSync(late.file('pids'))) break;
    }
    const canceled = await open('hang');
    const cancel = new AbortController();
    const running = canceled.model.choose(ask('Buy milk', tools), cancel.signal);
    await expect.poll(() => existsSync(canceled.file('pids'))).toBe(true);
    cancel.abort();
    await expect(running).rejects.toThrow();
    for (const { file } of [late, canceled])
      for (const pid of JSON.parse(readFileSync(file('pids'), 'utf8')) as number[])
        await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('fails the run with what it wrote instead of an answer, and when it writes too much', async () => {
    const chatter = await open('chatter');
    await expect(chatter.model.choose(ask('Buy milk', tools), soon())).rejects.toThrow(
      /Loading the model/,
    );
    const flood = await open('flood');
    await expect(flood.model.choose(ask('Buy milk', tools), soon())).rejects.toThrow(
      /wrote more than 32 MB/,
    );
  });

  it('is refused before the start if it is missing', async () => {
    const parsed = modelConfiguration.parse({
      provider: 'command',
      model: 'local',
      command: ['no-such-program'],
    });
    const access = createModelAccess();
    await expect(access.open(parsed)).rejects.toMatchObject({ data: { field: 'command' } });
    await expect(access.open({ ...parsed, command: null })).rejects.toMatchObject({
      data: { field: 'command', cause: 'No command is set.' },
    });
  });
});
