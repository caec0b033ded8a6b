import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import {
  modelConfiguration,
  type ModelConfiguration,
} from '../../../../src-shared/domain/model.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { ChatFailure, type ChatModel, type ChatReply, type ChatRequest } from '../chatModel.ts';
import { createOpenChatModel, describeTools } from '../openChatModel.ts';
import { openRecordingFile } from './recordingFile.ts';
import { createRecordingModel } from './recordingModel.ts';
import { recordingKey } from './recordingKey.ts';

const never = new AbortController().signal;
const asItIs = <T>(value: T): T => value;
const tools: SnapshotTool[] = ['add_task', 'delete_task'].map((name, at) => ({
  server: 'todo',
  name,
  title: null,
  description: '',
  inputSchema: { type: 'object' },
  outputSchema: null,
  annotations: null,
  snapshotToolId: at,
  hash: `hash of ${name}`,
}));
const ask = (query: string, changes: Partial<ChatRequest> = {}): ChatRequest => ({
  query,
  system: 'Be brief.',
  messages: [],
  tools,
  repetition: 1,
  ...changes,
});
const queries = ['delete task 3', 'add a task: tea ☕\u2028', 'what is the weather?'];

let folder: string;
let file: string;
let warnings: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recording-'));
  file = join(folder, 'recorded.jsonl');
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true }));

const openModel = createOpenChatModel({ warn: (message) => warnings.push(message) });
const builtin = modelConfiguration.parse({ provider: 'builtin', model: 'default-v1' });
const replay = (changes: Partial<ModelConfiguration> = {}) =>
  openModel(
    modelConfiguration.parse({
      provider: 'replay',
      model: 'default-v1',
      replayFile: file,
      ...changes,
    }),
  );

async function recordAll(): Promise<string[]> {
  const model = await openModel(builtin, { recordFile: file });
  const replies = await Promise.all(
    queries.map(async (query) => stored(await model.choose(ask(query), never))),
  );
  await model.close();
  return replies;
}

/** The parts as they are stored. */
const stored = ({ observation, request, response, elapsedMs }: ChatReply): string =>
  JSON.stringify([observation, request, response, elapsedMs]);
const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('record and replay', () => {
  it('replays the recorded replies byte for byte', async () => {
    const recorded = await recordAll();
    const model = await replay();
    expect(
      await Promise.all(
        queries.map(async (query) => stored(await model.choose(ask(query), never))),
      ),
    ).toEqual(recorded);
    expect(model.wireApi).toBe('builtin');
    expect(model.describeTools(tools)).toEqual(describeTools('builtin', tools));
    expect(warnings).toEqual([]);
    await model.close();
  });

  it('keeps the order of keys', async () => {
    const odd: ChatModel = {
      provider: 'builtin',
      wireApi: 'builtin',
      sent: { temperature: 0.4, seed: null },
      describeTools: () => [],
      choose: async () => ({
        request: { z: 1, tools: [], a: [{ y: 1, b: null }] },
        response: { usage: 2, id: 'x', '1': true },
        observation: {
          usage: null,
          confidence: null,
          stopReason: 'answered',
          reasoning: null,
          text: 'hi',
          calls: [],
          details: { b: 1, a: 2 },
        },
        elapsedMs: 12.5,
      }),
      close: async () => undefined,
    };
    const recording = createRecordingModel(
      odd,
      'some-model',
      await openRecordingFile(file, () => undefined, asItIs),
    );
    const reply = stored(await recording.choose(ask('hello'), never));
    await recording.close();
    expect(stored(await (await replay({ model: 'some-model' })).choose(ask('hello'), never))).toBe(
      reply,
    );
  });

  it.each<[string, Partial<ChatRequest>]>([
    ['query', { query: 'delete task 4' }],
    ['system prompt', { system: null }],
    ['messages', { messages: [{ role: 'user', content: 'hello' }] }],
    ['order of tools', { tools: tools.toReversed() }],
    ['content of a tool', { tools: tools.map((tool) => ({ ...tool, hash: `${tool.hash}!` })) }],
    ['server of a tool', { tools: tools.map((tool) => ({ ...tool, server: 'other' })) }],
    ['repetition', { repetition: 2 }],
  ])('has no answer to a request with another %s', async (_, changes) => {
    await recordAll();
    const error = await caught((await replay()).choose(ask(queries[0] ?? '', changes), never));
    expect(error).toBeInstanceOf(ChatFailure);
    expect(error).toMatchObject({ kind: 'provider', fatal: false });
    expect((error as Error).message).toContain(file);
  });

  it('gives the newest of several answers', async () => {
    await recordAll();
    const [line = ''] = (await readFile(file, 'utf8')).split('\n');
    await appendFile(
      file,
      `${line.replaceAll('"stopReason":"called"', '"stopReason":"refused"')}\n`,
    );
    const { observation } = await (await replay()).choose(ask(queries[0] ?? ''), never);
    expect(observation.stopReason).toBe('refused');
  });

  it('writes whole lines when many answers arrive at once', async () => {
    const model = await openModel(builtin, { recordFile: file });
    await Promise.all(
      Array.from({ length: 200 }, (_, at) => model.choose(ask(`delete task ${at}`), never)),
    );
    await model.close();
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(new Set(lines.map((line) => (JSON.parse(line) as { key: string }).key)).size).toBe(200);
  });
});

describe('a damaged recording', () => {
  it('warns of a cut-off last line and replays the others', async () => {
    await recordAll();
    await truncate(file, (await readFile(file)).length - 20);
    const model = await replay();
    expect(warnings).toEqual([expect.stringMatching(/line 3 was cut off/)]);
    await expect(model.choose(ask(queries[0] ?? ''), never)).resolves.toBeDefined();
  });

  it('removes a cut-off last line before it records more', async () => {
    await recordAll();
    await truncate(file, (await readFile(file)).length - 20);
    await recordAll();
    expect(warnings).toEqual([expect.stringMatching(/has been removed/)]);
    await (await replay()).close();
    expect((await readFile(file, 'utf8')).trimEnd().split('\n').length).toBe(5);
  });

  it('completes a large recording by reading its end alone', async () => {
    await recordAll();
    const good = await readFile(file, 'utf8');
    const [line = ''] = good.split('\n');
    const long = line.replace('"key":"', `"key":"${'x'.repeat(200_000)}`);
    await writeFile(file, `${good}${long.slice(0, -5)}`);
    await (await openRecordingFile(file, (message) => warnings.push(message), asItIs)).close();
    expect(warnings).toEqual([expect.stringMatching(/has been removed/)]);
    expect(await readFile(file, 'utf8')).toBe(good);
    await writeFile(file, long);
    await (await openRecordingFile(file, (message) => warnings.push(message), asItIs)).close();
    expect(warnings).toHaveLength(1);
    expect(await readFile(file, 'utf8')).toBe(`${long}\n`);
    // Three gigabytes that hold nothing on the disk: read whole they would not fit into one buffer.
    await writeFile(file, good);
    await truncate(file, 3 * 1024 ** 3);
    await appendFile(file, `\n${line}`);
    await (await openRecordingFile(file, (message) => warnings.push(message), asItIs)).close();
    expect(warnings).toHaveLength(1);
    expect((await stat(file)).size).toBe(3 * 1024 ** 3 + line.length + 2);
  });

  it.each(['folder', 'device'])('rejects a %s as a recording', async (kind) => {
    expect(
      await caught(replay({ replayFile: kind === 'folder' ? folder : '/dev/zero' })),
    ).toMatchObject({ code: 'INVALID', data: { field: 'replayFile' } });
  });

  it('keeps a last line that lacks only its line end', async () => {
    await recordAll();
    await truncate(file, (await readFile(file)).length - 1);
    await recordAll();
    expect(warnings).toEqual([]);
    expect((await readFile(file, 'utf8')).trimEnd().split('\n').length).toBe(6);
  });

  it.each([
    ['no JSON', '{"key":'],
    ['another shape', '{"key":"x","response":1}'],
    ['no object', '[]'],
  ])('rejects a recording with a damaged line: %s', async (_, line) => {
    await recordAll();
    const good = await readFile(file, 'utf8');
    await writeFile(file, `${good}${line}\n${good}`);
    const error = await caught(replay());
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'INVALID', data: { thing: `Recording ${file}, line 4` } });
  });

  it.each<[string, Partial<ModelConfiguration>, string, RegExp]>([
    ['no file chosen', { replayFile: null }, 'INVALID', /No recording was chosen/],
    [
      'no such file',
      { replayFile: '/nonexistent/x.jsonl' },
      'NOT_FOUND',
      /\/nonexistent\/x\.jsonl.*doesn't exist/,
    ],
    ['another model', { model: 'gpt' }, 'INVALID', /no answers from "gpt".*default-v1/],
  ])('reports a recording that cannot be used: %s', async (_, changes, code, message) => {
    await recordAll();
    const error = await caught(replay(changes));
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toMatch(message);
  });

  it('rejects an empty recording', async () => {
    await writeFile(file, '');
    expect(await caught(replay())).toMatchObject({ code: 'INVALID' });
  });
});

describe('createOpenChatModel', () => {
  it.each(['openai', 'anthropic', 'openai-compatible'] as const)(
    'rejects %s without a key or an address before the first call',
    async (provider) => {
      expect(
        await caught(openModel(modelConfiguration.parse({ provider, model: 'm' }))),
      ).toMatchObject({ code: 'INVALID', data: { thing: `Provider ${provider}` } });
    },
  );

  it('rejects another model name of builtin', async () => {
    expect(await caught(openModel({ ...builtin, model: 'gpt' }))).toMatchObject({
      code: 'INVALID',
      data: { field: 'model' },
    });
  });

  it('rejects a record file that cannot be written', async () => {
    expect(
      await caught(openModel(builtin, { recordFile: join(folder, 'missing', 'x.jsonl') })),
    ).toMatchObject({ code: 'TROUBLE', data: { field: 'recordFile' } });
  });

  it('throws for tools of an unknown wire format', () => {
    expect(() => describeTools('telegraph', tools)).toThrow(/telegraph/);
  });
});

describe('recordingKey', () => {
  const parts = { model: 'm', sent: { temperature: 0.4, seed: null }, ...ask('q') };

  it('depends on what is sent, not on its order nor on other fields of a tool', () => {
    const key = recordingKey(parts);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(recordingKey({ ...parts, sent: { temperature: 0.4 } })).toBe(key);
    expect(
      recordingKey({
        ...parts,
        sent: { seed: null, temperature: 0.4 },
        tools: tools.map((tool) => ({ ...tool, snapshotToolId: 99 })),
      }),
    ).toBe(key);
    expect(recordingKey({ ...parts, sent: { temperature: 0.5 } })).not.toBe(key);
    expect(recordingKey({ ...parts, model: 'n' })).not.toBe(key);
  });

  it('is the same in every version', () => {
    expect(
      recordingKey({
        model: 'm',
        sent: {},
        system: null,
        messages: [],
        query: 'q',
        tools: [{ server: 's', hash: 'h' }],
        repetition: 1,
      }),
    ).toBe('ec3881d9bfca52b26cede07f555d0debeb6f4b33b62b72f8f1bb10523388b9b0');
    expect(canonicalJson({ b: [1, { d: null, c: 'é' }], a: true })).toBe(
      '{"a":true,"b":[1,{"c":"é","d":null}]}',
    );
  });
});
