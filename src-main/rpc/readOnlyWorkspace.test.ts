import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract, type Client } from '../../src-shared/contract/index.ts';
import { createServices, type OpenServices } from '../app/createServices.ts';
import { programFiles } from '../runtime/programFiles.ts';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporaryFolder.ts';
import { createLocalClient } from './router.ts';

const builtin = { provider: 'builtin' as const, model: 'default-v1' };

/** What the workspace holds, for the inputs of the table. */
interface Held {
  server: string;
  suite: string;
  taskSuite: string;
  evaluation: string;
  run: string;
  second: string;
  tasks: string;
  taskRun: string;
  candidate: string;
  optimization: string;
  corpus: string;
  datasetCorpus: string;
  golden: string;
  /** A procedure that asks for something that is not there fails, but not because it writes. */
  missing: string;
}

const toolId = 'todo:add_task';

/** Every procedure that only reads, with its input. */
const reading: Record<string, ((held: Held) => object) | null> = {
  'servers.list': null,
  'servers.starting': null,
  'servers.get': ({ server }) => ({ id: server }),
  'servers.previewRemoval': ({ server }) => ({ id: server }),
  'servers.history': ({ server }) => ({ id: server }),
  'servers.reliability': ({ server }) => ({ id: server }),
  'servers.changes': ({ server, missing }) => ({ id: server, before: missing, after: missing }),
  'servers.previewImport': () => ({ fileName: 'a.json', text: '{"mcpServers": {}}' }),
  'servers.export': ({ server }) => ({ ids: [server], format: 'mcp.json' }),
  'servers.knownFiles': null,
  'servers.messages': ({ server }) => ({ id: server }),
  'servers.message': ({ server, missing }) => ({ id: server, seq: missing.length }),
  'sessions.list': null,
  'sessions.clients': () => ({ server: 'todo' }),
  'servers.clearMessages': ({ server }) => ({ id: server }),
  'suites.list': null,
  'suites.get': ({ suite }) => ({ id: suite }),
  'suites.cases': ({ suite }) => ({ suiteId: suite }),
  'suites.tasks': ({ suite }) => ({ suiteId: suite }),
  'suites.problems': ({ suite }) => ({ suiteId: suite }),
  'suites.drafts': ({ suite }) => ({ suiteId: suite }),
  'suites.previewImport': () => ({ fileName: 'a.yaml', text: 'version: 1\nname: a\ncases: []\n' }),
  'suites.importProgress': null,
  // It is none, which the program can only say after it has read it.
  'suites.readWorkbook': ({ missing }) => ({
    fileName: `${missing}.xlsx`,
    data: Buffer.from('none').toString('base64'),
  }),
  'suites.joinAnswers': () => ({
    fileName: 'a.jsonl',
    text: '{"id": "1", "query": "Hello"}',
    format: 'jsonl',
    answers: { fileName: 'b.jsonl', text: '{"id": "1", "tool": "a"}' },
  }),
  'suites.proposeFromLog': () => ({
    fileName: 'a.jsonl',
    source: { text: '{"input": "Hello", "output": "Hi"}' },
  }),
  'suites.export': ({ suite }) => ({ id: suite, format: 'yaml' }),
  'evaluations.list': () => ({ limit: 10 }),
  'evaluations.get': ({ evaluation }) => ({ id: evaluation }),
  'evaluations.plan': ({ suite }) => ({ suiteId: suite, models: [builtin] }),
  'evaluations.countPlan': ({ suite }) => ({ suiteId: suite, models: [builtin] }),
  'evaluations.readTools': () => ({ fileName: 'a.json', text: toolsFile }),
  'evaluations.watch': ({ evaluation }) => ({ id: evaluation, afterSeq: 0 }),
  'evaluations.summary': ({ evaluation }) => ({ id: evaluation }),
  'evaluations.runs': ({ evaluation }) => ({ id: evaluation }),
  'evaluations.run': ({ evaluation, run }) => ({ id: evaluation, runId: run }),
  'evaluations.runPlace': ({ evaluation, run }) => ({ id: evaluation, runId: run }),
  'evaluations.snapshot': ({ evaluation }) => ({ id: evaluation }),
  'evaluations.unitOf': ({ tasks }) => ({ id: tasks }),
  'evaluations.sentTools': ({ evaluation }) => ({ id: evaluation }),
  'evaluations.toolChanges': ({ evaluation }) => ({ id: evaluation }),
  'evaluations.list of tasks': () => ({ unit: 'task', limit: 10 }),
  'evaluations.get of tasks': ({ tasks }) => ({ unit: 'task', id: tasks }),
  'evaluations.plan of tasks': ({ taskSuite }) => ({
    unit: 'task',
    suiteId: taskSuite,
    models: [builtin],
  }),
  'evaluations.snapshot of tasks': ({ tasks }) => ({ unit: 'task', id: tasks }),
  'evaluations.planReading': () => ({
    setup: [],
    read: { server: 'todo', tool: 'list_tasks', arguments: {} },
  }),
  'evaluations.planWhatIf': ({ tasks }) => ({
    id: tasks,
    changes: [{ kind: 'override', toolId, description: 'Adds.' }],
    mode: 'stub',
  }),
  'evaluations.shard': ({ tasks }) => ({ id: tasks }),
  'evaluations.watch of tasks': ({ tasks }) => ({ unit: 'task', id: tasks, afterSeq: 0 }),
  'evaluations.report': ({ tasks }) => ({ id: tasks }),
  'evaluations.runs of tasks': ({ tasks }) => ({ unit: 'task', id: tasks }),
  'evaluations.run of tasks': ({ tasks, taskRun }) => ({ unit: 'task', id: tasks, runId: taskRun }),
  'evaluations.otherRuns': ({ tasks, taskRun }) => ({ id: tasks, runId: taskRun }),
  'evaluations.align': ({ tasks, taskRun }) => ({
    run: { id: tasks, runId: taskRun },
    reference: { id: tasks, runId: taskRun },
  }),
  'evaluations.exchanges': ({ tasks, taskRun }) => ({ id: tasks, runId: taskRun }),
  'similarity.analyze': () => ({ input: { toolList: twoTools } }),
  'similarity.pairs': ({ missing }) => ({ id: missing }),
  'similarity.pair': ({ missing }) => ({ id: missing, a: 0, b: 1 }),
  'similarity.matrix': ({ missing }) => ({ id: missing }),
  'similarity.groups': ({ missing }) => ({ id: missing, cut: 0.5 }),
  'similarity.recommend': ({ missing }) => ({ id: missing, threshold: 0.5 }),
  'similarity.lint': () => ({ input: { toolList: twoTools } }),
  'similarity.lintRules': null,
  'similarity.forget': ({ missing }) => ({ id: missing }),
  'candidates.list': ({ evaluation }) => ({ evaluationId: evaluation }),
  'tools.get': () => ({ server: 'todo', tool: 'add_task' }),
  'tools.clients': () => ({}),
  'tools.seen': () => ({ server: 'todo', tool: 'add_task' }),
  'candidates.proven': null,
  'candidates.subject': () => ({ toolId }),
  'candidates.problem': ({ evaluation, candidate }) => ({
    evaluationId: evaluation,
    toolId,
    candidateId: candidate,
  }),
  'candidates.check': ({ evaluation }) => ({ evaluationId: evaluation, toolId, edits: [] }),
  'candidates.export': ({ candidate }) => ({ id: candidate }),
  'candidates.sources': ({ candidate }) => ({ id: candidate }),
  'optimizations.list': null,
  'optimizations.get': ({ optimization }) => ({ id: optimization }),
  'optimizations.plan': ({ evaluation }) => ({ evaluationId: evaluation }),
  'optimizations.watch': ({ optimization }) => ({ id: optimization }),
  'optimizations.export': ({ optimization }) => ({ id: optimization, format: 'diff' }),
  'results.verdict': ({ evaluation }) => ({ id: evaluation }),
  'results.failures': ({ evaluation }) => ({ id: evaluation }),
  'results.compare': ({ evaluation, second }) => ({
    baseline: { id: evaluation },
    candidates: [{ id: second }],
  }),
  'results.trend': ({ suite }) => ({ suite }),
  'results.list': () => ({}),
  'results.metrics': ({ evaluation }) => ({ evaluationIds: [evaluation] }),
  'results.metricsChoices': null,
  'results.lastOutcomes': ({ suite }) => ({ suiteId: suite }),
  'results.latencies': ({ evaluation }) => ({ id: evaluation }),
  'results.unscored': ({ evaluation }) => ({ id: evaluation }),
  'results.analysis': ({ evaluation }) => ({ id: evaluation }),
  'reports.export': ({ evaluation }) => ({ id: evaluation, format: 'md' }),
  'reports.exportShown': ({ evaluation, second }) => ({
    format: 'md',
    shown: {
      subject: 'comparison',
      baseline: { id: evaluation },
      candidates: [{ id: second }],
      passedWhen: null,
    },
  }),
  'security.corpora': null,
  'security.corpus': ({ corpus }) => ({ id: corpus }),
  'security.exportCorpus': ({ corpus }) => ({ id: corpus }),
  'security.baselines': null,
  'security.readBaseline': ({ missing }) => ({ fileName: missing, content: missing }),
  'security.score': ({ corpus }) => ({ corpusId: corpus, half: 'held-out' }),
  'security.scoreVerdicts': ({ corpus, missing }) => ({
    corpusId: corpus,
    name: 'other',
    content: missing,
  }),
  'security.scan': () => ({ serverIds: null }),
  'security.toolFindings': ({ evaluation }) => ({ evaluationId: evaluation }),
  'security.scanFile': () => ({ fileName: 'a.json', text: '{"tools": []}' }),
  'workshop.list': () => ({}),
  'workshop.tags': null,
  'workshop.get': ({ missing }) => ({ id: missing }),
  'workshop.getByName': ({ missing }) => ({ name: missing }),
  'workshop.check': () => ({ draft }),
  'workshop.secrets': () => ({}),
  'workshop.versions': ({ missing }) => ({ id: missing }),
  'workshop.version': ({ missing }) => ({ id: missing, version: 1 }),
  'workshop.categories': null,
  'workshop.draft': () => ({ id: 'new' }),
  'workshop.drafts': null,
  'workshop.wait': ({ missing }) => ({ id: missing }),
  'workshop.execution': ({ missing }) => ({ id: missing }),
  'workshop.executions': () => ({}),
  'workshop.callers': null,
  'workshop.models': () => ({ form: 'mcp' }),
  'workshop.model': ({ missing }) => ({ form: 'mcp', name: missing }),
  'workshop.watch': () => ({}),
  'workshop.serving': null,
  'workshop.clients': null,
  'workshop.export': () => ({ ids: null }),
  'workshop.previewImport': () => ({ files: [{ path: 'a.yaml', text: 'name: a' }] }),
  'workshop.settings': null,
  'workshop.interpreter': null,
  'workshop.limits': null,
  'settings.get': null,
  'settings.environment': null,
  'settings.info': null,
  'settings.log': () => ({ lines: 10 }),
  'settings.find': () => ({ text: 'task' }),
  'settings.sample': null,
  'keys.list': null,
  'keys.status': () => ({ provider: 'openai' }),
  'models.presets': null,
  'models.agents': null,
  'models.prices': null,
  'models.secrets': null,
  'models.deferrals': ({ evaluation }) => ({ evaluationId: evaluation }),
  'retrieval.datasets': null,
  'retrieval.corpus': ({ datasetCorpus }) => ({ version: datasetCorpus }),
  'retrieval.golden': ({ golden }) => ({ version: golden }),
  'retrieval.exportFile': ({ golden }) => ({ kind: 'golden', version: golden }),
  'retrieval.retrievers': null,
  'tokens.count': () => ({ source: { servers: null } }),
  'tokens.tryCuts': () => ({ source: { servers: null } }),
  'tokens.toolUse': null,
  'tokens.trend': ({ server }) => ({ serverId: server }),
  'tools.list': () => ({}),
  'tokens.findTool': () => ({ source: { servers: null }, description: 'add a task' }),
  'tokens.frontier': ({ missing }) => ({ id: missing }),
  'tokens.frontiers': null,
};

/** Every other procedure changes the workspace, a file or a key, or asks a server or a model. */
const changing = `
servers: create update setValue remove check markReviewed refreshTools signIn signOut callTool repeatCall import
suites: create update remove createCase createCases updateCase removeCases editCases duplicateCases createTask updateTask removeTasks duplicateTasks saveDraft proposeCases acceptProposals import
evaluations: start whatIf askAgain rerunCase merge cancel resume rescore deleteRawTraffic label readState keepSolution remove
similarity: revise rate
candidates: add rename remove restore search prove propose
optimizations: start pause resume cancel
saving: save showInFolder
security: copyCorpus importCorpus removeCorpus saveEntry deleteEntry accept withdraw
workshop: create save setStatus setCategory remove undelete purge setSecret removeSecret restore createCategory updateCategory removeCategory keepDraft dropDraft start startDraft execute cancel serve stopServing addToClient undoClient proposeCases register import updateSettings
sessions: addToClient undoClient removeAll
settings: update undo addSample removeSample
keys: set remove useFile unlock changePassphrase leaveFile
models: list probe setPrice removePrice setSecret removeSecret
retrieval: importFile corpusFromServers saveGolden remove tryRetriever askSearchTool compare saveBaseline
tokens: startFrontier`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [topic = '', names = ''] = line.split(': ');
    return names.split(' ').map((name) => `${topic}.${name}`);
  });

const toolsFile = JSON.stringify({
  tools: [{ server: 'a', name: 'b', description: 'Adds.', inputSchema: { type: 'object' } }],
});
const draft = {
  name: 'a',
  displayName: '',
  description: '',
  tags: '',
  executorType: 'python',
  inputSchema: '{}',
  outputSchema: '',
  executorConfig: '{}',
  scriptContent: '',
};
const twoTools = ['add', 'put'].map((name) => ({
  server: 'a',
  name,
  title: null,
  description: `Can ${name} a task.`,
  inputSchema: { type: 'object' },
  annotations: null,
}));

let folder: TemporaryFolder;
let opened: OpenServices;
let client: Client;
let held: Held;

const clientOf = ({ services, log }: OpenServices): Client =>
  createLocalClient(services, { log, redactValue: services.secretGuard.redactValue });

async function drain(events: PromiseLike<AsyncIterable<unknown>>): Promise<void> {
  for await (const _event of await events) continue;
}

/** A workspace with one of everything that a procedure can read. */
async function fill(writer: Client): Promise<Held> {
  const [server] = await writer.servers.list();
  const [suite] = await writer.suites.list();
  if (!server || !suite) throw new Error('The sample is missing.');
  const request = { suiteId: suite.id, models: [builtin] };
  const evaluate = async (): Promise<string> => {
    const { id } = await writer.evaluations.start(request);
    await drain(writer.evaluations.watch({ id, afterSeq: 0 }));
    return id;
  };
  const [evaluation, second] = [await evaluate(), await evaluate()];
  const withTasks = await writer.suites.import({
    fileName: 'todo-tasks.suite.yaml',
    text: await readFile(join(programFiles.datasets, 'sample', 'todo-tasks.suite.yaml'), 'utf8'),
    replace: false,
  });
  const { id: tasks } = await writer.evaluations.start({
    unit: 'task',
    ...request,
    suiteId: withTasks.id,
  });
  await drain(writer.evaluations.watch({ unit: 'task', id: tasks, afterSeq: 0 }));
  const tool = (await writer.evaluations.snapshot({ id: evaluation }))?.tools.find(
    ({ name }) => name === 'add_task',
  );
  const edit = { toolId, path: '/description', oldText: tool?.description ?? '', newText: 'Adds.' };
  const { id: candidate } = await writer.candidates.add({
    evaluationId: evaluation,
    toolId,
    edits: [edit],
  });
  const { proofEvaluationId } = await writer.candidates.prove({ id: candidate });
  await drain(writer.evaluations.watch({ id: proofEvaluationId ?? '', afterSeq: 0 }));
  const { id: optimization } = await writer.optimizations.start({
    evaluationId: evaluation,
    proposer: { kind: 'given', edits: [edit] },
  });
  await drain(writer.optimizations.watch({ id: optimization }));
  const { rows } = await writer.evaluations.runs({ id: evaluation });
  const [taskRun] = (await writer.evaluations.runs({ unit: 'task', id: tasks })).rows;
  const [corpus] = await writer.security.corpora();
  const datasets = await writer.retrieval.datasets();
  return {
    server: server.id,
    suite: suite.id,
    taskSuite: withTasks.id,
    evaluation,
    second,
    run: rows[0]?.runId ?? '',
    tasks,
    taskRun: taskRun?.runId ?? '',
    candidate,
    optimization,
    corpus: corpus?.id ?? '',
    datasetCorpus: datasets.corpora[0]?.version ?? '',
    golden: datasets.goldenSets[0]?.version ?? '',
    missing: 'missing',
  };
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const options = { host: 'cli' as const, folder: folder.path, sample: true };
  const writing = await createServices(options);
  try {
    held = await fill(clientOf(writing));
  } finally {
    await writing.close();
  }
  opened = await createServices({ ...options, access: 'read' });
  client = clientOf(opened);
});
afterAll(async () => {
  await opened.close();
  await folder.remove();
});

it('each procedure of the contract either reads or changes something', () => {
  const all = Object.entries(contract).flatMap(([topic, procedures]) =>
    Object.keys(procedures).map((name) => `${topic}.${name}`),
  );
  const read = new Set(Object.keys(reading).map((name) => name.replace(' of tasks', '')));
  expect([...read, ...changing].sort()).toEqual(all.sort());
});

it.each(Object.entries(reading))(
  '%s works in a workspace that is open for reading',
  async (procedure, inputOf) => {
    const [topic = '', name = ''] = procedure.replace(' of tasks', '').split('.');
    const topics = client as unknown as Record<
      string,
      Record<string, (input?: object) => Promise<unknown>>
    >;
    const call = topics[topic]?.[name];
    const asksMissing = inputOf?.toString().includes('missing') ?? false;
    try {
      const answer = await call?.(inputOf?.(held));
      // The first item of a stream is enough: some of them never end.
      if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
        for await (const _item of answer as AsyncIterable<unknown>) break;
      expect(answer).toBeDefined();
    } catch (error) {
      // What isn't there can't be read, but asking for it writes nothing either.
      if (!asksMissing) throw error;
      expect(error).toMatchObject({ code: expect.stringMatching(/^(NOT_FOUND|INVALID)$/u) });
    }
  },
);

it('answers for the unit that an input names, and for cases where it names none', async () => {
  const { evaluation, tasks } = held;
  expect(await client.evaluations.get({ id: '1' })).toMatchObject({ id: evaluation });
  const { number } = await client.evaluations.unitOf({ id: tasks });
  const asked = { id: String(number), unit: 'task' as const };
  expect(await client.evaluations.get(asked)).toMatchObject({ id: tasks });
  await expect(client.evaluations.get({ id: tasks })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await client.evaluations.toolChanges({ id: tasks, unit: 'task' })).toEqual([]);
  const page = { id: tasks, unit: 'task' as const, limit: 1 };
  const { rows, total } = await client.evaluations.runs({ ...page, offset: 1 });
  expect(rows).toHaveLength(1);
  expect(total).toBeGreaterThan(1);
});
