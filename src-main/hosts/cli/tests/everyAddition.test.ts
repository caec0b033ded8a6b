import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluationRequest } from '../../../../src-shared/domain/evaluation.ts';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { optimizationSettings } from '../../../../src-shared/domain/optimization.ts';
import { similarityRequest } from '../../../../src-shared/domain/similarity.ts';
import { taskEvaluationRequest } from '../../../../src-shared/domain/taskEvaluation.ts';
import { createServices, type OpenServices } from '../../../app/createServices.ts';
import { runCommand } from '../../../testing/commandLine.ts';
import { letterEmbeddings } from '../../../testing/fakeModelServer/fakeEmbeddings.ts';
import {
  startFakeModelServer,
  type FakeModelServer,
} from '../../../testing/fakeModelServer/start.ts';
import { leaksOf } from '../../../testing/secretLeaks.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';

/** A credential of each model, with no part in common. */
const credentials = {
  tested: 'kx7-Zq93LmV0pRt5uWy8BnA2',
  proposer: 'Hd2-Rw64TsJ9cXf1gYq7MkE3',
  embedder: 'Pb5-Nv18GzU6hSo4iDj0LtC9',
  writer: 'Va8-Ye27KmB3xFr6nQw1ZuT5',
  judge: 'Jc4-Lp50XoD8vHs2tGi9RfN6',
};
type Role = keyof typeof credentials;
const models: Record<Role, string> = {
  tested: 'm',
  proposer: 'p',
  embedder: 'e',
  writer: 'r',
  judge: 'j',
};

let folder: TemporaryFolder;
let server: FakeModelServer;
const at = (name: string) => join(folder.path, name);
const address = () => `${server.origin}/v1`;
const file = (name: string, content: unknown) => writeFile(at(name), JSON.stringify(content));

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startFakeModelServer({
    embeddings: letterEmbeddings,
    rule: ({ body }) => ({
      does: 'answer',
      text: body['model'] === 'j' ? '{"malicious": false}' : '{"edits": []}',
    }),
  });
  const tools = ['add_task', 'drop_task'].map((name) => ({
    server: 's',
    name,
    description: `Does ${name} with a task of the list.`,
    input_schema: { type: 'object' },
  }));
  await file('tools.json', { tools });
  await file('suite.json', {
    version: 1,
    name: 'greetings',
    servers: ['s'],
    cases: Array.from({ length: 8 }, (_, n) => ({
      id: `c${n}`,
      name: `c${n}`,
      query: `Put number ${n} on it.`,
      expected_calls: [{ server: 's', tool: 'add_task' }],
    })),
  });
  const task = {
    ...{ id: 't', name: 't', turns: ['Hello.'], checks: [{ judge: 'It was greeted.' }] },
    user: { goal: 'Be greeted.', knows: [], max_turns: 1 },
  };
  await file('talks.json', { version: 1, name: 'talks', servers: ['s'], cases: [task] });
  await file('corpus.json', {
    version: 'v',
    tools: tools.map(({ name, description }) => ({
      tool_id: `s:${name}`,
      server: 's',
      tool: name,
      description,
    })),
  });
  await file('golden.json', {
    corpus_version: 'v',
    queries: [{ id: 'q', query: 'Put it on', labels: [{ tool_id: 's:add_task', relevance: 2 }] }],
  });
  const provenance = { source: 'own', license: 'MIT' };
  await file('attacks.json', {
    entries: [
      { id: 'a', description: 'x', label: 'malicious', category: 'rug_pull', provenance },
      { id: 'h', description: 'z', label: 'benign', category: 'hard_negative', provenance },
    ],
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder.remove();
});

/** The same additions in each notation: those of `prefix` with the credential or a reference. */
const added = (prefix: string, role: Role, key: string): string[] => [
  ...[`--${prefix}header`, `x-role: ${role}`, `--${prefix}header`, `x-api-key: ${key}`],
  ...[`--${prefix}query`, `v=${role}`, `--${prefix}body`, `tier=${role}`],
];
const under = () => [
  ...['--suite', 'greetings', '--tools', at('tools.json'), '--model', 'm'],
  ...['--provider', 'openai-compatible', '--base-url', address()],
];

interface Command {
  name: string;
  args: () => string[];
  /** What the options of each model that it asks begin with. */
  asks: { [Name in Role]?: string };
  /** It stores how its models are asked. */
  isStored?: true;
}
const commands: Command[] = [
  {
    name: 'optimize',
    args: () => [
      ...['optimize', ...under(), '--steps', '2', '--proposer', 'openai-compatible'],
      ...['--proposer-model', 'p', '--proposer-url', address()],
    ],
    asks: { tested: '', proposer: 'proposer-' },
    isStored: true,
  },
  {
    name: 'frontier',
    args: () => [
      ...['frontier', ...under(), '--k', '1,all', '--retriever', 'embedding'],
      ...['--embedding-model', 'e', '--embedding-url', address()],
    ],
    asks: { tested: '', embedder: 'embedding-' },
    isStored: true,
  },
  {
    name: 'security',
    args: () => [
      ...['security', '--corpus', at('attacks.json'), '--detector', 'model_judge', '--runs', '1'],
      ...['--provider', 'openai-compatible', '--model', 'j', '--base-url', address()],
    ],
    asks: { judge: '' },
  },
  {
    name: 'similarity',
    args: () => [
      ...['similarity', '--tools', at('tools.json'), '--embedding-model', 'e'],
      ...['--base-url', address(), '--recommend', '--threshold', '0'],
      ...['--revise-by', 'openai-compatible/r', '--revise-url', address()],
    ],
    asks: { embedder: 'embedding-', writer: 'revise-' },
  },
  {
    name: 'retrieval',
    args: () => [
      ...['retrieval', '--corpus', at('corpus.json'), '--golden', at('golden.json')],
      ...['--retriever', 'embedding', '--model', 'e', '--base-url', address()],
    ],
    asks: { embedder: 'embedding-' },
  },
];

/** What every request to a model since one of them carried, each once. */
const sentTo = (model: string, since: number) => [
  ...new Set(
    server.requests
      .slice(since)
      .filter(({ body }) => body['model'] === model)
      .map(({ headers, search, body }) =>
        JSON.stringify([headers['x-role'], headers['x-api-key'], search, body['tier']]),
      ),
  ),
];
const sentBy = (role: Role) => [JSON.stringify([role, credentials[role], `?v=${role}`, role])];

/** Everything that was written below a folder. */
async function writtenIn(path: string): Promise<string> {
  const files = await readdir(path, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files
      .filter((each) => each.isFile())
      .map((each) => readFile(join(each.parentPath, each.name), 'latin1')),
  );
  return texts.join('\n');
}

it.each(
  commands.flatMap((command) =>
    (['written out', 'referred to'] as const).map((how) => ({ ...command, how })),
  ),
)(
  'adds to every model that $name asks a credential $how, and keeps it unreadable',
  async ({ name, args, asks, isStored, how }) => {
    const workspace = at(`${name} ${how}`);
    await runCommand(['suite', 'import', at('suite.json')], { workspace });
    const before = server.requests.length;
    const roles = Object.entries(asks) as [Role, string][];
    const env = Object.fromEntries(
      roles.map(([role]) => [`OWN_${role.toUpperCase()}`, credentials[role]]),
    );
    const { stdout, stderr, code } = await runCommand(
      [
        ...args(),
        ...roles.flatMap(([role, prefix]) =>
          added(
            prefix,
            role,
            how === 'written out' ? credentials[role] : `\${env:OWN_${role.toUpperCase()}}`,
          ),
        ),
        '--json',
      ],
      { workspace, ...(how === 'referred to' && { env }) },
    );
    expect(code, stderr).not.toBe(2);
    for (const [role] of roles)
      expect(sentTo(models[role], before), `${role}: ${stderr}`).toEqual(sentBy(role));
    expect(leaksOf(Object.values(credentials), stdout + stderr)).toEqual([]);
    const written = await writtenIn(workspace);
    expect(leaksOf(Object.values(credentials), written)).toEqual([]);
    // What is stored refers to it.
    if (isStored) expect(written).toMatch(/\$\{(?:secret:x-api-key|env:OWN_)/);
  },
);

it.each(
  commands.flatMap(({ name, args, asks }) =>
    Object.values(asks)
      // What is said of the model under test is pinned where its options are.
      .filter((prefix) => prefix !== '' || name === 'security')
      .flatMap((prefix): [string, string, string, () => string[]][] => [
        [name, `--${prefix}body`, 'messages=[]', args],
        [name, `--${prefix}header`, 'Host: elsewhere', args],
        [name, `--${prefix}query`, 'no sign', args],
      ]),
  ),
)('refuses for %s %s %j by its option', async (name, option, value, args) => {
  const before = server.requests.length;
  const given = args().map((each) => (each === 'greetings' ? at('suite.json') : each));
  const { code, stderr } = await runCommand([...given, option, value], { workspace: at(name) });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${option}: `)]);
  expect(server.requests).toHaveLength(before);
});

it.each<[string[], string]>([
  [['optimize', '--provider', 'builtin', '--suite', 's', '--proposer-query', 'v=1'], '--proposer '],
  [['security', '--corpus', 'c.json', '--header', 'x-role: r'], '--corpus and --detector'],
  [['security', '--tools', 't.json', '--body', 'tier=r'], '--corpus and --detector model_judge'],
  [['similarity', '--tools', 't.json', '--embedding-body', 'tier=r'], '--embedding-model'],
  [['similarity', '--tools', 't.json', '--revise-query', 'v=1'], '--revise-by'],
  [
    [
      ...['retrieval', '--corpus', 'c.json', '--golden', 'g.json', '--retriever', 'bm25'],
      ...['--embedding-query', 'v=1'],
    ],
    '--retriever embedding',
  ],
  [
    ['frontier', '--provider', 'builtin', '--suite', 's', '--embedding-body', 'a=1'],
    '--embedding-model',
  ],
])('refuses additions to a model that %j does not ask', async (args, needed) => {
  // Files are named as they are, wherever the command looks for them first.
  const files = new Map([
    ['t.json', 'tools.json'],
    ['c.json', args[0] === 'security' ? 'attacks.json' : 'corpus.json'],
    ['g.json', 'golden.json'],
  ]);
  const named = args.map((each) => (files.has(each) ? at(files.get(each) ?? '') : each));
  const given = named.map((each) => (each === 's' ? at('suite.json') : each));
  const { code, stderr } = await runCommand(
    [...given, ...(args.includes('s') ? ['--tools', at('tools.json')] : [])],
    { workspace: at('refused') },
  );
  expect([code, stderr]).toEqual([2, expect.stringContaining(`It needs ${needed}`)]);
});

const signal = { signal: new AbortController().signal };
const embedding = (key: string) => ({
  ...{ provider: 'openai-compatible' as const, model: 'e', baseUrl: address() },
  headers: { 'x-role': 'embedder', 'x-api-key': key },
  query: { v: 'embedder' },
  body: { tier: 'embedder' },
});
type Ask = (services: OpenServices['services'], key: string) => Promise<unknown>;
it.each<[string, Ask]>([
  [
    'similarity',
    async ({ similarity }, key) => {
      const toolList = ['add', 'drop'].map((name) => ({
        ...{ server: 's', name, description: `Does ${name}.` },
        inputSchema: { type: 'object' },
      }));
      const request = { input: { toolList }, embeddingModel: embedding(key) };
      const events: unknown[] = [];
      for await (const event of similarity.analyze(similarityRequest.parse(request), signal))
        events.push(event);
      return events;
    },
  ],
  [
    'retrieval',
    ({ retrieval }, key) =>
      retrieval.tryRetriever(
        {
          retriever: { kind: 'embedding', ...embedding(key) },
          corpus: 'corpus_v1',
          query: 'Find an event.',
        },
        signal,
      ),
  ],
])('stores the vectors of %s under a model without its credential', async (name, ask) => {
  const workspace = at(`vectors ${name}`);
  const opened = await createServices({ host: 'cli', folder: workspace });
  const before = server.requests.length;
  let answers: unknown[] = [];
  try {
    answers = [await ask(opened.services, credentials.embedder)];
    expect(sentTo('e', before)).toEqual(sentBy('embedder'));
    const sent = server.requests.length;
    // The same model by reference: nothing is asked again.
    answers.push(await ask(opened.services, '${secret:x-api-key}'));
    expect(server.requests).toHaveLength(sent);
  } finally {
    await opened.close();
  }
  const written = await writtenIn(workspace);
  expect(written).toContain('${secret:x-api-key}');
  expect(leaksOf(Object.values(credentials), written + JSON.stringify(answers))).toEqual([]);
});

it('scores detectors with a judge whose credential the workspace keeps unreadable', async () => {
  const workspace = at('judged');
  const opened = await createServices({ host: 'cli', folder: workspace });
  const { security } = opened.services;
  const before = server.requests.length;
  let report: unknown;
  try {
    const content = await readFile(at('attacks.json'), 'utf8');
    const { id } = await security.importCorpus({ name: 'c', content, private: false });
    const model = modelConfiguration.parse({
      ...embedding(credentials.judge),
      ...{ model: 'j', headers: { 'x-role': 'judge', 'x-api-key': credentials.judge } },
      ...{ query: { v: 'judge' }, body: { tier: 'judge' } },
    });
    report = await security.score(
      { corpusId: id, half: 'all', judge: { model, runs: 1, recordFile: null } },
      signal,
    );
    expect(sentTo('j', before)).toEqual(sentBy('judge'));
  } finally {
    await opened.close();
  }
  const written = await writtenIn(workspace);
  expect(leaksOf(Object.values(credentials), written + JSON.stringify(report))).toEqual([]);
});

/** A second credential under the same name, which a plan must tell apart without showing either. */
const asked = (role: Role, key: string, provider = 'openai-compatible') => ({
  ...{ provider, model: models[role], baseUrl: address() },
  headers: { 'x-role': role, 'x-api-key': key },
  query: { token: key },
  body: { metadata: { api_key: key } },
});

it('plans with credentials, and neither stores nor repeats them', async () => {
  const workspace = at('planned');
  for (const suite of ['suite.json', 'talks.json'])
    await runCommand(['suite', 'import', at(suite)], { workspace });
  const opened = await createServices({ host: 'cli', folder: workspace });
  const { evaluations, models: access, optimizations, suites } = opened.services;
  const before = server.requests.length;
  const answers: unknown[] = [];
  try {
    const tool = {
      ...{ server: 's', name: 'add_task', title: null, description: 'Adds a task.' },
      ...{ inputSchema: { type: 'object' }, outputSchema: null, annotations: null },
    };
    const inline = { tools: [{ tool, raw: JSON.stringify(tool) }] };
    const idOf = async (name: string) =>
      (await suites.list()).find((suite) => suite.name === name)?.id ?? '';
    const suiteId = await idOf('greetings');
    const request = evaluationRequest.parse({
      ...{ suiteId, inline },
      models: [
        asked('tested', credentials.tested),
        asked('tested', credentials.proposer),
        asked('writer', credentials.writer, 'openai'),
      ],
    });
    const plan = await evaluations.plan(request);
    const counted = await evaluations.countPlan(request, signal);
    const talk = await evaluations.plan({
      unit: 'task',
      ...taskEvaluationRequest.parse({
        ...{ suiteId: await idOf('talks'), inline },
        models: [asked('tested', credentials.tested)],
        judge: asked('judge', credentials.judge),
        userModel: asked('embedder', credentials.embedder),
      }),
    });
    answers.push(plan, counted, talk);
    // The model under test, its user and its judge.
    expect(talk.models).toHaveLength(3);
    expect(plan.models.map(({ index }) => index)).toEqual([0, 1, 2]);
    // Only the endpoint that counts is asked, with what the request says.
    const sent = server.requests.slice(before);
    expect(sent.map(({ headers }) => headers['x-api-key'])).toEqual([credentials.writer]);
    expect(counted.models.map(({ tokenSource }) => tokenSource)).toEqual([
      ...['estimated', 'estimated', 'counted'],
    ]);

    const { id } = await evaluations.start(
      evaluationRequest.parse({
        ...{ suiteId, inline },
        models: [{ provider: 'openai-compatible', model: 'm', baseUrl: address() }],
      }),
    );
    for await (const event of evaluations.watch({ id, afterSeq: 0 }, signal))
      if (event.type === 'ended') break;
    answers.push(
      await optimizations.plan({
        ...optimizationSettings.parse({
          proposer: {
            kind: 'model',
            model: modelConfiguration.parse(asked('proposer', credentials.proposer)),
          },
        }),
        ...{ evaluationId: id, modelSettingsId: null },
      }),
    );
    expect(await access.secrets()).toEqual([]);
  } finally {
    await opened.close();
  }
  const written = await writtenIn(workspace);
  expect(leaksOf(Object.values(credentials), written + JSON.stringify(answers))).toEqual([]);
});
