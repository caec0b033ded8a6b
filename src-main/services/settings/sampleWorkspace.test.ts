import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CandidatesService } from '../candidates/candidatesService.ts';
import type { Services } from '../services.ts';
import { createServices } from '../../app/createServices.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import { createTestDatabase } from '../../testing/testDatabase.ts';
import { SuitesService } from '../suites/suitesService.ts';
import { SampleWorkspace } from './sampleWorkspace.ts';

afterEach(expectNoLeaks);

const never = (): never => {
  throw new Error('The sample must not do this here.');
};
const open = (database: ReturnType<typeof createTestDatabase>, datasets = programFiles.datasets) =>
  new SampleWorkspace({
    store: database.store,
    suites: new SuitesService({ store: database.store }),
    servers: { remove: never },
    evaluations: { start: never, resume: never, watch: never, remove: never, list: never },
    datasets,
  });
const names = ({ store }: ReturnType<typeof createTestDatabase>) =>
  [store.servers.list(), store.suites.list()].map((list) => list.map(({ name }) => name).sort());
const todo = [['todo'], ['todo-sample']];
const whole = [
  ['calendar', 'files', 'mail', 'todo'],
  ['office-sample', 'todo-sample', 'todo-tasks'],
];

describe('the sample of a new workspace', () => {
  it('is the Todo server and its suite for a command, with nothing to evaluate', async () => {
    using database = createTestDatabase();
    const sample = open(database);
    await sample.addToNew('todo');
    expect(names(database)).toEqual(todo);
    sample.evaluateWhenDue(0);
    await sample.settled();
    expect(database.store.servers.list()).toMatchObject([
      { url: 'stdio:touchstone serve-todo --stdio', status: 'inactive' },
    ]);
  });

  it('is four servers and three suites for a window', async () => {
    using database = createTestDatabase();
    await open(database).addToNew('whole');
    expect(names(database)).toEqual(whole);
  });

  it('is not added again after a user deleted it', async () => {
    using database = createTestDatabase();
    await open(database).addToNew('todo');
    database.store.servers.delete(database.store.servers.list()[0]!.id);
    database.store.suites.hide(database.store.suites.list()[0]!.id);
    database.reopen();
    await open(database).addToNew('whole');
    expect(names(database)).toEqual([[], []]);
  });

  it('is not added to a workspace with content, now or later', async () => {
    using database = createTestDatabase();
    const mine = { name: 'mine', system: null, messages: [], servers: [] };
    const { id } = database.store.suites.insert(mine);
    await open(database).addToNew('whole');
    expect(names(database)).toEqual([[], ['mine']]);
    database.store.suites.hide(id);
    await open(database).addToNew('whole');
    expect(names(database)).toEqual([[], []]);
  });

  it('adds nothing when it cannot be read, and tries again at the next start', async () => {
    using database = createTestDatabase();
    const datasets = join(database.folder, 'datasets');
    await mkdir(join(datasets, 'sample'), { recursive: true });
    await writeFile(join(datasets, 'sample', 'todo-sample.suite.yaml'), 'version: 2\n');
    await expect(open(database, datasets).addToNew('todo')).rejects.toMatchObject({
      code: 'INVALID',
    });
    expect(names(database)).toEqual([[], []]);
    await open(database).addToNew('todo');
    expect(names(database)).toEqual(todo);
  });

  it('is completed by the next start if the program ended after the first suite', async () => {
    using database = createTestDatabase();
    const suites = new SuitesService({ store: database.store });
    let imported = 0;
    const ending = new SampleWorkspace({
      store: database.store,
      suites: {
        remove: never,
        import: (...args) => (imported++ === 0 ? suites.import(...args) : never()),
      },
      servers: { remove: never },
      evaluations: { start: never, resume: never, watch: never, remove: never, list: never },
      datasets: programFiles.datasets,
    });
    await expect(ending.addToNew('whole')).rejects.toThrow('must not');
    database.reopen();
    await open(database).addToNew('whole');
    expect(names(database)).toEqual(whole);
    expect(open(database).read()).toMatchObject({ servers: expect.any(Array), addable: false });
  });

  it('adds what is missing on request, and never counts a suite of the user as its own', async () => {
    using database = createTestDatabase();
    const mine = { name: 'todo-sample', system: null, messages: [], servers: [] };
    database.store.suites.insert(mine);
    const sample = open(database);
    await sample.addToNew('whole');
    expect(sample.read()).toMatchObject({ servers: [], suites: [], addable: true });
    const added = await sample.add();
    await sample.close();
    expect(added).toMatchObject({ suites: ['office-sample', 'todo-tasks'], addable: false });
    expect(added.servers.toSorted()).toEqual(whole[0]);
  });
});

/** A window on a workspace; the sample runs without its delay. */
const openWindow = (folder: string) =>
  createServices({ host: 'loopback', folder, sample: true, sampleDelayMs: 0 });

/** The stream ends with the evaluation. */
async function watchToEnd({ evaluations }: Services, id: string): Promise<void> {
  const { signal } = new AbortController();
  const events = evaluations.watch({ id, afterSeq: 0 }, { signal })[Symbol.asyncIterator]();
  while ((await events.next()).done !== true);
}

async function firstEnded(services: Services) {
  for (;;) {
    const [evaluation] = await services.evaluations.list({ limit: 10 });
    if (evaluation === undefined) {
      await new Promise(setImmediate);
      continue;
    }
    await watchToEnd(services, evaluation.id);
    const ended = await services.evaluations.get({ id: evaluation.id });
    if (ended.state !== 'interrupted') return ended;
  }
}

/** Waits for an evaluation that a candidate started, and returns the candidate. */
async function settled(services: Services, one: Awaited<ReturnType<CandidatesService['prove']>>) {
  await watchToEnd(services, one.proofEvaluationId ?? '');
  const all = await services.candidates.list({ evaluationId: one.baseEvaluationId });
  return all.find((each) => each.id === one.id);
}

describe('the evaluation of the sample', () => {
  it('is finished by the engine, proves a better description, and is removed with the sample', async () => {
    await using folder = await temporaryFolder();
    const window = await openWindow(folder.path);
    try {
      const { services } = window;
      const { id, ...evaluation } = await firstEnded(services);
      expect(evaluation).toMatchObject({
        number: 1,
        suiteName: 'office-sample',
        state: 'completed',
        origin: null,
        counts: { failed: 0 },
      });
      const { outcomes } = evaluation;
      expect(outcomes.passed).toBeGreaterThan(40);
      expect(outcomes.wrong_tool).toBeGreaterThan(10);
      expect(outcomes.no_tool_called).toBeGreaterThan(10);

      const toolId = 'mail:archive_message';
      const target = { evaluationId: id, modelSettingsId: null, toolId };
      const { tool } = await services.candidates.problem(
        { ...target, candidateId: null },
        { signal: new AbortController().signal },
      );
      const candidate = await services.candidates.add({
        ...target,
        edits: [
          {
            toolId,
            path: '/description',
            oldText: tool.description,
            newText:
              'Archives a message: takes it out of the inbox and keeps it. Also for requests to ' +
              'file, clear, remove or put away an email.',
          },
        ],
        source: 'hand',
      });
      const proof = await services.candidates.prove({ id: candidate.id, agreedServers: [] });
      expect(await settled(services, proof)).toMatchObject({ state: 'accepted' });

      expect(await services.settings.sample()).toMatchObject({
        evaluation: { id, number: 1 },
        addable: false,
      });
      const { tokens } = await services.settings.removeSample();
      const content = async () =>
        [
          await services.servers.list(),
          await services.suites.list(),
          await services.evaluations.list({ limit: 10 }),
        ].map(({ length }) => length);
      expect(await content()).toEqual([0, 0, 0]);
      for (const token of tokens.toReversed()) await services.settings.undo({ token });
      expect(await content()).toEqual([4, 3, 2]);
    } finally {
      await window.close();
    }
  });

  it('is completed by the next window if the first one closed in the middle, and not by a command', async () => {
    await using folder = await temporaryFolder();
    const first = await openWindow(folder.path);
    await first.services.evaluations.list({ limit: 1 });
    await first.close();
    const command = await createServices({ host: 'cli', folder: folder.path, sample: true });
    const before = await command.services.evaluations.list({ limit: 10 });
    await command.close();
    expect(before.every(({ state }) => state === 'interrupted')).toBe(true);
    const second = await openWindow(folder.path);
    try {
      expect(await firstEnded(second.services)).toMatchObject({ number: 1, state: 'completed' });
      expect(await second.services.evaluations.list({ limit: 10 })).toHaveLength(1);
    } finally {
      await second.close();
    }
  });

  it('is not run for a command, whose workspace stays without evaluations', async () => {
    await using folder = await temporaryFolder();
    const command = await createServices({ host: 'cli', folder: folder.path, sample: true });
    await command.close();
    const window = await openWindow(folder.path);
    expect(await window.services.evaluations.list({ limit: 10 })).toEqual([]);
    expect(await window.services.settings.sample()).toMatchObject({
      servers: ['todo'],
      suites: ['todo-sample'],
      evaluation: null,
      addable: true,
    });
    await window.close();
  });

  it('answers a call of a definitions-only tool with an error that says so', async () => {
    await using folder = await temporaryFolder();
    const window = await openWindow(folder.path);
    try {
      const mail = (await window.services.servers.list()).find(({ name }) => name === 'mail');
      const answer = await window.services.servers.callTool(
        { id: mail?.id ?? '', tool: 'list_inbox', arguments: {} },
        { signal: new AbortController().signal },
      );
      expect(answer).toMatchObject({ isError: true });
      expect(JSON.stringify(answer)).toContain('Definitions only');
    } finally {
      await window.close();
    }
  });
});
