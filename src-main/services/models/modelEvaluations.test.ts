import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { evaluationRequest, type EvaluationEvent } from '../../../src-shared/domain/evaluation.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { createRandom } from '../../../src-shared/metrics/random.ts';
import { createSecrets } from '../../adapters/secrets/secrets.ts';
import { createServices, type OpenServices } from '../../createServices.ts';
import {
  callWhatIsNamed,
  startFakeModelServer,
  type FakeModelServer,
  type Reaction,
  type SeenRequest,
} from '../../testing/fakeModelServer/start.ts';
import { connectTo } from '../../testing/engine.ts';
import { temporaryFolder, type TemporaryFolder } from '../../testing/temporaryFolder.ts';

const keys = {
  openai: 'sk-canary-openai-0123456789/+x',
  anthropic: 'sk-ant-canary-9876543210',
  header: 'mcp-header-canary-4711',
  env: 'server-env-canary-0815',
};
const options = { signal: new AbortController().signal };
const title: JsonObject = { type: 'object', properties: { title: { type: 'string' } } };

let folder: TemporaryFolder;
let rule: (request: SeenRequest) => Reaction = callWhatIsNamed;
let counted: ((request: SeenRequest) => number | Reaction) | null = () => 100;
let server: FakeModelServer;
let opened: OpenServices | null = null;
const logged: string[] = [];
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startFakeModelServer({
    rule: (request) => rule(request),
    counted: (request) =>
      counted
        ? counted(request)
        : { does: 'error', status: 404, type: 'invalid_request_error', message: 'Invalid URL' },
  });
});
afterEach(async () => {
  await opened?.close();
  opened = null;
  rule = callWhatIsNamed;
  counted = () => 100;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});

async function open(
  name: string,
  tools: { name: string; description?: string; inputSchema?: JsonObject }[] = [
    { name: 'add', inputSchema: title },
    { name: 'delete', inputSchema: title },
    { name: 'list', inputSchema: title },
  ],
) {
  const secrets = createSecrets({
    environment: {},
    memory: new Map([
      ['openai', keys.openai],
      ['anthropic', keys.anthropic],
    ]),
  });
  const log = {
    info: (text: string) => void logged.push(text),
    error: (text: string) => void logged.push(text),
  };
  opened = await createServices({
    host: 'cli',
    folder: join(folder.path, name),
    secrets,
    log,
    connect: connectTo({ s: tools }),
  });
  const { services } = opened;
  await services.servers.create({
    name: 's',
    config: {
      transport: 'stdio',
      command: 'canary',
      args: [],
      cwd: null,
      env: { API_TOKEN: keys.env },
    },
  });
  return services;
}

async function addSuite(
  services: OpenServices['services'],
  queries: readonly [string, string | null][],
  name = 'suite',
) {
  const cases = queries.map(([query, tool], index) => ({
    id: `c${index}`,
    name: `c${index}`,
    query,
    expected_calls: tool === null ? [] : [{ server: 's', tool }],
  }));
  await services.suites.import(
    {
      fileName: `${name}.json`,
      text: JSON.stringify({ version: 1, name, servers: ['s'], system: 'Be brief.', cases }),
      replace: false,
    },
    options,
  );
  return (await services.suites.list()).find((suite) => suite.name === name)?.id ?? '';
}

async function run(
  services: OpenServices['services'],
  suiteId: string,
  given: { models?: object[] } & Record<string, unknown>,
) {
  const model = {
    provider: 'openai',
    model: 'fake-model',
    baseUrl: `${server.origin}/v1`,
    maxRetries: 0,
  };
  const { models = [{}], ...rest } = given;
  const request = evaluationRequest.parse({
    suiteId,
    models: models.map((each) => ({ ...model, ...each })),
    ...rest,
  });
  const { id } = await services.evaluations.start(request);
  const events: EvaluationEvent[] = [];
  for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, options))
    events.push(event);
  const rows = (
    await services.evaluations.runs({
      id,
      filter: {},
      sort: 'position',
      descending: false,
      offset: 0,
      limit: 500,
    })
  ).rows;
  const detail = (runId: string) =>
    services.evaluations.run({ id, runId, filter: {}, sort: 'position', descending: false });
  return {
    id,
    evaluation: await services.evaluations.get({ id }),
    summary: await services.evaluations.summary({ id, modelSettingsId: null }),
    rows,
    detail,
    events,
  };
}

const many = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, index): [string, string] => [
    `please s__add number ${index}`,
    'add',
  ]);

describe('evaluations of several models', () => {
  it('T45: stops only the runs of a model whose key is refused; a resume does the rest', async () => {
    const services = await open('halted');
    const suiteId = await addSuite(services, many(10));
    let refusing = true;
    rule = (request) =>
      refusing && request.body['model'] === 'refused'
        ? { does: 'error', status: 401, type: 'authentication_error', message: 'No.' }
        : callWhatIsNamed(request);
    const { id, evaluation, rows } = await run(services, suiteId, {
      models: [{ model: 'refused' }, {}],
      concurrency: 1,
    });
    expect(evaluation).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('401'),
      counts: { tp: 10, failed: 1, open: 9, total: 20 },
    });
    expect(
      new Set(
        rows
          .filter(({ status }) => status === 'completed')
          .map(({ modelSettingsId }) => modelSettingsId),
      ).size,
    ).toBe(1);
    const before = server.requests.length;
    refusing = false;
    await services.evaluations.resume({ id });
    let last = '';
    for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, options))
      last = event.type;
    expect(last).toBe('ended');
    expect((await services.evaluations.get({ id })).counts).toMatchObject({
      tp: 20,
      failed: 0,
      open: 0,
    });
    expect(server.requests.slice(before).every(({ body }) => body['model'] === 'refused')).toBe(
      true,
    );
    expect(server.requests.length - before).toBe(10);
  });

  it('stops at the spend limit, which needs prices; the cost is null without a price', async () => {
    const services = await open('spend');
    const suiteId = await addSuite(services, many(20));
    expect((await run(services, suiteId, {})).summary).toMatchObject({
      costUsd: null,
      tokenSource: 'measured',
      tokens: { input: 20 * 120, output: 20 * 17 },
    });
    await expect(run(services, suiteId, { spendLimitUsd: 1 })).rejects.toMatchObject({
      code: 'INVALID',
      data: { field: 'spendLimitUsd' },
    });
    await services.models.setPrice({
      provider: 'openai',
      model: 'fake-model',
      inputUsd: 1_000,
      outputUsd: 0,
    });
    // 120 tokens at $1,000 for a million: 12 cents a run.
    const limited = await run(services, suiteId, { spendLimitUsd: 1, concurrency: 4 });
    expect(limited.evaluation).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('spend limit of $1'),
    });
    expect(limited.summary.costUsd).toBeGreaterThan(0.4);
    expect(limited.summary.costUsd).toBeLessThanOrEqual(1);
    const plan = await services.evaluations.plan(
      evaluationRequest.parse({
        suiteId,
        models: [{ provider: 'openai', model: 'fake-model' }],
        inline: {
          tools: [
            {
              tool: {
                server: 's',
                name: 'add',
                title: null,
                description: '',
                inputSchema: title,
                outputSchema: null,
                annotations: null,
              },
              raw: '{}',
            },
          ],
        },
      }),
    );
    expect(plan).toMatchObject({
      models: [{ tools: 1, price: { source: 'own', inputUsd: 1_000 } }],
    });
    expect(plan.costUsd).toBeGreaterThan(0);
  });

  it('keeps counting the spend over a resume when one answer reported no tokens', async () => {
    const services = await open('spend-resumed');
    const suiteId = await addSuite(services, many(20));
    await services.models.setPrice({
      provider: 'openai',
      model: 'fake-model',
      inputUsd: 1_000,
      outputUsd: 0,
    });
    const before = server.requests.length;
    rule = () => ({
      does: 'answer',
      calls: [{ name: 's__add', arguments: {} }],
      ...(server.requests.length === before + 1 && { usage: null }),
    });
    const { id, evaluation } = await run(services, suiteId, { spendLimitUsd: 0.5, concurrency: 1 });
    expect(evaluation).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('spend limit of $0.5'),
    });
    const asked = server.requests.length;
    expect(asked - before).toBe(5);
    await services.evaluations.resume({ id });
    let last = '';
    for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, options))
      last = event.type;
    expect(last).toBe('ended');
    expect(server.requests.length - asked).toBeLessThanOrEqual(1);
  });

  it('measures agreement among the repetitions of a case, from three on', async () => {
    const services = await open('agreement');
    const suiteId = await addSuite(services, [
      ['please s__add', 'add'],
      ['waver', 'add'],
    ]);
    let wavers = 0;
    rule = (request) =>
      request.query === 'waver'
        ? {
            does: 'answer',
            calls: [{ name: (wavers += 1) === 2 ? 's__delete' : 's__add', arguments: {} }],
          }
        : callWhatIsNamed(request);
    const { rows, summary } = await run(services, suiteId, { repetitions: 4, concurrency: 1 });
    expect(rows.map(({ confidence }) => confidence)).toEqual(
      [1, 1, 1, 1, 0.75, 0.25, 0.75, 0.75].map((score) => ({ score, method: 'agreement' })),
    );
    expect(summary.confidence).toEqual({
      robust: 7,
      needsClarity: 0,
      misleading: 0,
      wrongLow: 1,
      unmeasured: 0,
    });
    expect(
      (await run(services, suiteId, { repetitions: 2 })).rows.every(
        ({ confidence }) => confidence === null,
      ),
    ).toBe(true);
  });

  it('shuffles tools for each repetition by seed and shows them in the order sent', async () => {
    const services = await open(
      'order',
      Array.from({ length: 12 }, (_, index) => ({ name: `t${index}`, inputSchema: title })),
    );
    const suiteId = await addSuite(services, [['hello', null]]);
    const before = server.requests.length;
    const { rows, detail } = await run(services, suiteId, {
      repetitions: 3,
      toolOrder: 'shuffled',
      seed: 5,
      concurrency: 1,
      caseOrder: 'shuffled',
      systemPrompt: 'Choose well.',
    });
    const sent = server.requests.slice(before);
    expect(new Set(sent.map(({ toolNames }) => toolNames.join())).size).toBe(3);
    for (const [index, row] of rows.entries()) {
      const { rawRequest, names } = await detail(row.runId);
      expect(JSON.parse(rawRequest ?? '')).toEqual(sent[index]?.body);
      expect(names.map(({ wire }) => wire)).toEqual(sent[index]?.toolNames);
    }
    expect(sent[0]?.body['instructions']).toBe('Choose well.');
    const again = server.requests.length;
    await run(services, suiteId, {
      repetitions: 3,
      toolOrder: 'shuffled',
      seed: 5,
      concurrency: 1,
    });
    expect(server.requests.slice(again).map(({ toolNames }) => toolNames)).toEqual(
      sent.map(({ toolNames }) => toolNames),
    );
  });

  it('compares deferred tools with all tools over the same runs', async () => {
    const services = await open('deferred');
    const suiteId = await addSuite(services, many(4));
    rule = (request) => {
      const deferred = JSON.stringify(request.body['tools']).includes('defer_loading');
      return {
        does: 'answer',
        calls: [
          { name: deferred && request.query.endsWith('3') ? 's__list' : 's__add', arguments: {} },
        ],
        usage: { input: deferred ? 40 : 100, output: 1 },
        ...(deferred && { found: ['s__add'] }),
      };
    };
    const { id } = await run(services, suiteId, { models: [{}, { deferTools: true }] });
    expect(await services.models.deferrals({ evaluationId: id })).toMatchObject([
      {
        pairs: 4,
        changed: 1,
        inputTokensAll: 400,
        inputTokensDeferred: 160,
        tokensSaved: 240,
        savingsPercentage: 60,
      },
    ]);
  });

  it('reports no saved tokens where input tokens are only estimated', async () => {
    const services = await open('deferred estimates');
    const suiteId = await addSuite(services, many(2));
    rule = (request) => ({ ...callWhatIsNamed(request), usage: null }) as Reaction;
    counted = null;
    const { id, summary } = await run(services, suiteId, { models: [{}, { deferTools: true }] });
    expect(summary).toMatchObject({
      tokenSource: 'estimated',
      tokens: { output: expect.any(Number) },
    });
    expect(await services.models.deferrals({ evaluationId: id })).toMatchObject([
      { pairs: 2, inputTokensAll: null, tokensSaved: null },
    ]);
  });

  it("counts plan tokens with the provider's counter, once per distinct request size", async () => {
    const services = await open('counted');
    const suiteId = await addSuite(services, many(3));
    await services.models.setPrice({
      provider: 'openai',
      model: 'fake-model',
      inputUsd: 1_000,
      outputUsd: 0,
    });
    const plain = { provider: 'openai', model: 'fake-model', baseUrl: `${server.origin}/v1` };
    const listed = [
      {
        tool: {
          server: 's',
          name: 'add',
          title: null,
          description: '',
          inputSchema: title,
          outputSchema: null,
          annotations: null,
        },
        raw: '{}',
      },
    ];
    const ask = (models: object[], given: object = {}) =>
      evaluationRequest.parse({
        suiteId,
        models,
        repetitions: 2,
        inline: { tools: listed },
        ...given,
      });
    const before = server.requests.length;
    counted = () => 500;
    const plan = await services.evaluations.countPlan(
      ask([
        plain,
        { ...plain, provider: 'openai-compatible' },
        { ...plain, provider: 'anthropic', baseUrl: server.origin },
      ]),
      options,
    );
    const asked = server.requests.slice(before);
    expect(asked.map(({ path }) => path).sort()).toEqual([
      '/v1/messages/count_tokens',
      '/v1/responses/input_tokens',
    ]);
    expect(asked[0]?.toolNames).toEqual(['s__add']);
    // Three cases whose queries are of one length in tokens, put twice.
    expect(plan.models).toMatchObject([
      { inputTokens: 6 * 500, tokenSource: 'counted', countNote: null, costUsd: 3 },
      {
        tokenSource: 'estimated',
        countable: false,
        countNote: expect.stringContaining('no call that counts'),
      },
      { inputTokens: 6 * 500, tokenSource: 'counted', countNote: null },
    ]);
    const estimated = await services.evaluations.plan(ask([plain]));
    expect(estimated.models).toMatchObject([
      { tokenSource: 'estimated', countable: true, countNote: null },
    ]);
    expect(server.requests).toHaveLength(before + 2);
    counted = () => ({
      does: 'error',
      status: 401,
      type: 'authentication_error',
      message: `Bad ${keys.openai}`,
    });
    const refused = await services.evaluations.countPlan(ask([plain]), options);
    expect(refused.models).toMatchObject([
      {
        inputTokens: estimated.models[0]?.inputTokens,
        tokenSource: 'estimated',
        countNote: expect.stringContaining('401'),
      },
    ]);
    expect(JSON.stringify(refused)).not.toContain(keys.openai);
    expect(
      (await services.evaluations.countPlan(ask([plain], { topK: 1 }), options)).models,
    ).toMatchObject([
      { tokenSource: 'estimated', countNote: expect.stringContaining('while it runs') },
    ]);
  });

  it('measures agreement again after an early stop, a cancel and a resume', async () => {
    const services = await open('agreement resumed');
    const suiteId = await addSuite(services, [
      ['please s__add', 'add'],
      ['waver', 'add'],
    ]);
    let fourth: Reaction = {
      does: 'error',
      status: 401,
      type: 'authentication_error',
      message: 'No.',
    };
    let asked = 0;
    const [stalled, stall] = [
      Promise.withResolvers<void>(),
      { does: 'stall before headers' } as const,
    ];
    rule = (request) => {
      asked += 1;
      if (asked <= 6) return callWhatIsNamed({ ...request, query: 's__add' });
      if (fourth === stall) stalled.resolve();
      return fourth;
    };
    const { id, evaluation, rows } = await run(services, suiteId, {
      repetitions: 4,
      concurrency: 1,
    });
    const confidences = async () =>
      (
        await services.evaluations.runs({
          id,
          filter: {},
          sort: 'position',
          descending: false,
          offset: 0,
          limit: 500,
        })
      ).rows.map(({ confidence }) => confidence?.score ?? null);
    const end = async () => {
      // To the end of the stream: each go before has an end of its own in it.
      let last = '';
      for await (const event of services.evaluations.watch({ id, afterSeq: 0 }, options))
        last = event.type;
      expect(last).toBe('ended');
    };
    expect(evaluation).toMatchObject({
      state: 'incomplete',
      counts: { tp: 6, failed: 1, open: 1 },
    });
    expect(rows.map(({ confidence }) => confidence?.score ?? null)).toEqual([
      1,
      1,
      1,
      null,
      1,
      1,
      1,
      null,
    ]);
    fourth = stall;
    await services.evaluations.resume({ id });
    await stalled.promise;
    await services.evaluations.cancel({ id });
    expect((await confidences()).every((score) => score === null)).toBe(true);
    fourth = { does: 'answer', calls: [{ name: 's__delete', arguments: {} }] };
    await services.evaluations.resume({ id });
    await end();
    expect(await confidences()).toEqual([0.75, 0.75, 0.75, 0.25, 0.75, 0.75, 0.75, 0.25]);
  });

  it('T48: assigns out-of-order answers to their cases; a replay gives the same report offline', async () => {
    const services = await open('replayed', [
      { name: 'add', inputSchema: title },
      { name: 'delete', inputSchema: title },
      { name: 'say', inputSchema: { type: 'string' } },
    ]);
    const suiteId = await addSuite(services, [
      ...Array.from({ length: 30 }, (_, index): [string, string] =>
        index % 3 === 0
          ? [`please s__delete ${index}`, 'delete']
          : [`please s__add ${index}`, 'add'],
      ),
      ['hello', null],
      ['say it', 'say'],
    ]);
    const random = createRandom(7);
    rule = (request) =>
      random() < 0.2
        ? {
            does: 'error',
            status: 503,
            type: 'overloaded_error',
            message: 'Busy.',
            headers: { 'retry-after': '0' },
          }
        : callWhatIsNamed(request);
    const recordFile = join(folder.path, 'recording.jsonl');
    const live = await run(services, suiteId, {
      models: [{ maxRetries: 10 }],
      concurrency: 8,
      recordFile,
    });
    // The provider can't be offered "say": its case is not put to the model, neither live nor in
    // the replay.
    expect(live.summary.counts).toMatchObject({ tp: 30, tn: 1, failed: 1 });
    const before = server.requests.length;
    const replay = () =>
      run(services, suiteId, {
        models: [{ provider: 'replay', baseUrl: null, replayFile: recordFile }],
        concurrency: 8,
      });
    const [first, second] = [await replay(), await replay()];
    expect(server.requests).toHaveLength(before);
    const report = ({ summary: { evaluationId: _, durationMs: _d, ...numbers } }: typeof live) =>
      JSON.stringify(numbers);
    expect(report(first)).toBe(report(live));
    expect(report(second)).toBe(report(first));
    const outcomes = ({ rows }: typeof live) =>
      rows.map(({ caseName, classification, failure, errorMessage }) => ({
        caseName,
        classification,
        failure,
        errorMessage,
      }));
    expect(outcomes(first)).toEqual(outcomes(live));
    const [liveRaw, replayedRaw] = [
      await live.detail(live.rows[0]?.runId ?? ''),
      await first.detail(first.rows[0]?.runId ?? ''),
    ];
    expect([replayedRaw.rawRequest, replayedRaw.rawResponse, replayedRaw.names]).toEqual([
      liveRaw.rawRequest,
      liveRaw.rawResponse,
      liveRaw.names,
    ]);
  });
});

it('T60: writes no key or server secret to a file, event or log when they are echoed', async () => {
  const services = await open('canary', [
    {
      name: 'add',
      description: `Uses ${keys.env} and ${Buffer.from(keys.env).toString('base64')}.`,
      inputSchema: { ...title, description: `The key is ${keys.env}` },
    },
  ]);
  await services.keys.set({ provider: 'openai', key: keys.openai });
  const suiteId = await addSuite(services, [...many(3), ['fail', 'add']]);
  rule = (request) =>
    request.query === 'fail'
      ? {
          does: 'error',
          status: 400,
          type: 'invalid_request_error',
          message: `Bad ${keys.openai} and ${encodeURIComponent(keys.openai)} and ${keys.env}`,
        }
      : {
          does: 'answer',
          text: `${keys.openai} ${keys.env} ${Buffer.from(keys.openai).toString('base64')}`,
          calls: [{ name: 's__add', arguments: { title: keys.openai } }],
        };
  const recordFile = join(folder.path, 'canary', 'recording.jsonl');
  const { id, rows, detail, events } = await run(services, suiteId, { recordFile });
  const shown = JSON.stringify([
    events,
    await Promise.all(rows.map(({ runId }) => detail(runId))),
    await services.evaluations.snapshot({ id }),
    await services.keys.list(),
    await services.settings.info(),
  ]);
  expect(shown).toContain('[redacted]');
  await opened?.close();
  opened = null;
  const planted = 'planted-canary-0123456789';
  const bytes = Buffer.concat([
    await readFilesOf(join(folder.path, 'canary')),
    Buffer.from(shown),
    Buffer.from(logged.join('\n')),
  ]);
  // The server's own configuration is kept as it was typed: its secret may be there and nowhere
  // else.
  const found = (secret: string) => spellings(secret).filter((form) => bytes.includes(form)).length;
  expect(found(keys.openai)).toBe(0);
  expect(bytes.toString('latin1').split(keys.env).length - 1).toBeLessThanOrEqual(
    2 * bytes.toString('latin1').split('API_TOKEN').length,
  );
  expect(shown.includes(keys.env)).toBe(false);
  expect(spellings(planted).every((form) => Buffer.concat([bytes, form]).includes(form))).toBe(
    true,
  );
});

/** The encodings in which a secret could be found on a disk. */
function spellings(secret: string): Buffer[] {
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.from('.'.repeat(offset) + secret)
      .toString('base64')
      .slice(4, -4),
  );
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
    ...base64,
    secret.slice(0, Math.ceil(secret.length * 0.7)),
  ]
    .map((form) => Buffer.from(form))
    .concat(Buffer.from(secret, 'utf16le'));
}

/** Every byte under a folder: the database, its log of changes, recordings. */
async function readFilesOf(path: string): Promise<Buffer> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return Buffer.concat(
    await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name))),
    ),
  );
}
