import { afterEach, describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src-shared/domain/candidate.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import { createOpenChatModel } from '../../adapters/llm/openChatModel.ts';
import { programFiles } from '../../runtime/programFiles.ts';
import { expectNoLeaks } from '../../testing/leakCheck.ts';
import { createTaskService, task } from '../../testing/taskService.ts';
import { SecurityService } from '../security/securityService.ts';
import { TokenCounter } from '../tokenCounts/tokenCounter.ts';
import { TokenCounts } from '../tokenCounts/tokenCounts.ts';
import { damaged, inlineTools, plantedTasks, whole } from '../trials/plantedTasks.fixture.ts';
import { openTaskTrial } from '../trials/taskTrial.ts';
import { CandidatesService } from './candidatesService.ts';

afterEach(expectNoLeaks);

const noSignal = { signal: new AbortController().signal };

/** An evaluation of tasks that has ended, and the service that fixes its tools. */
async function open(tasks: Parameters<typeof createTaskService>[0], settings: object) {
  const at = createTaskService(tasks);
  const { store } = at;
  const openChatModel = createOpenChatModel({ warn: () => undefined });
  const security = new SecurityService({
    store,
    openChatModel,
    datasetsFolder: programFiles.datasets,
  });
  const service = new CandidatesService({
    store,
    tokens: new TokenCounts(store, new TokenCounter()),
    examine: (tools, signal) => security.toolFindings({ tools: [...tools] }, { signal }),
    openChatModel,
    trials: {
      open: (target) => {
        const row = store.evaluations.get('task', target.evaluationId);
        if (!row) throw new Error('There is no such evaluation.');
        return openTaskTrial(store, at.service, row, target);
      },
    },
  });
  at.service.onEnd((id) => service.settle(id));
  const evaluationId = await at.start(settings);
  await at.drain(evaluationId);
  const target = (toolId: string) => ({ evaluationId, modelSettingsId: null, toolId });
  const problem = (toolId: string) =>
    service.problem({ ...target(toolId), candidateId: null }, noSignal);
  const finish = async (one: Candidate): Promise<Candidate> => {
    await at.drain(
      (one.state === 'proving' ? one.proofEvaluationId : one.searchEvaluationId) ?? '',
    );
    return (await service.list({ evaluationId })).find(({ id }) => id === one.id) ?? one;
  };
  return {
    store,
    service,
    evaluationId,
    target,
    problem,
    finish,
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

/**
 * The tool whose damage makes most tasks of the search half fail, with its whole description: the same
 * in each evaluation of the planted tasks.
 */
let worst: ReturnType<typeof findWorstTool> | undefined;
const worstTool = (at: Awaited<ReturnType<typeof open>>) => (worst ??= findWorstTool(at));

async function findWorstTool(at: Awaited<ReturnType<typeof open>>) {
  const found = await Promise.all(
    damaged.map(async ({ name, description }, index) => {
      const toolId = `office:${name}`;
      const { failing } = await at.problem(toolId);
      const edit = {
        toolId,
        path: '/description',
        oldText: description,
        newText: whole[index]?.description ?? '',
      };
      return { toolId, edit, failing: edit.oldText === edit.newText ? -1 : failing.length };
    }),
  );
  const [first] = found.sort((a, b) => b.failing - a.failing);
  if (first === undefined) throw new Error('There is no tool.');
  return first;
}

describe('a fix of a tool on tasks', () => {
  it('shows failing tasks of the search half with advice, and only counts the others', async () => {
    // Its requests have words that the tool no longer says.
    const bare = damaged.map((tool) => ({
      ...tool,
      description: tool.description.replace(/ Use it.*$/u, ''),
    }));
    await using at = await open(plantedTasks, { mode: 'stub', ...inlineTools(bare) });
    const toolId = 'office:ledger';
    const found = await at.problem(toolId);
    expect(found).toMatchObject({ unit: 'task', execution: { mode: 'stub' }, parameters: [] });
    expect(found.failing.length).toBeGreaterThan(0);
    const keys = new Map(
      at.store.entries.list('task', at.evaluationId).map(({ position, key }) => [position, key]),
    );
    for (const { position } of found.failing)
      expect(halfOf(keys.get(position) ?? '')).toBe('search');
    expect(found.plan.searchCases + found.plan.proofCases).toBe(plantedTasks.length);
    expect(found.advice.map(({ kind }) => kind)).toContain('missing_words');
    for (const { edits, toolIds } of found.advice) {
      expect(toolIds).toContain(toolId);
      for (const edit of edits) expect(edit).not.toMatchObject({ path: '/name' });
    }
  });

  it('estimates an edit on the search half, and proves it on the other half once', async () => {
    await using at = await open(plantedTasks, { mode: 'stub', ...inlineTools(damaged) });
    const { toolId, edit } = await worstTool(at);
    const { plan } = await at.problem(toolId);
    const check = await at.service.check({ ...at.target(toolId), edits: [edit] }, noSignal);
    expect(check.rules.find(({ rule }) => rule === 'copies_no_request')?.problem).toBeNull();
    const one = await at.service.add({ ...at.target(toolId), edits: [edit], source: 'hand' });
    expect(one).toMatchObject({ unit: 'task', state: 'draft' });
    const started = await at.service.search({ id: one.id, agreedServers: [] });
    const searched = await at.finish(started);
    expect(searched).toMatchObject({ state: 'searched', search: { cases: plan.searchCases } });
    expect(searched.search?.won).toBeGreaterThan(searched.search?.lost ?? 0);
    const after = await at.service.problem({ ...at.target(toolId), candidateId: one.id }, noSignal);
    expect(after.failing.some((failing) => failing.after === 'passed')).toBe(true);
    const proved = await at.finish(await at.service.prove({ id: one.id, agreedServers: [] }));
    expect(['accepted', 'rejected', 'cannot_tell']).toContain(proved.state);
    expect(proved.proof).toMatchObject({ cases: plan.proofCases, level: plan.level });
    await expect(at.service.prove({ id: one.id, agreedServers: [] })).rejects.toThrow(
      'It has its proof already',
    );
    const positionsOf = (id: string | null) =>
      at.store.evaluations.get('task', id ?? '')?.settings.whatIf?.positions ?? [];
    const held = new Set(positionsOf(proved.proofEvaluationId));
    expect(held.size).toBe(plan.proofCases);
    expect(positionsOf(proved.searchEvaluationId).filter((at) => held.has(at))).toEqual([]);
    const { text } = await at.service.export({ id: one.id, format: 'markdown' }, noSignal);
    expect(text).toContain('| held-out tasks | before | after | change |');
    expect(text).toContain(`on task evaluation #${proved.baseNumber}`);
  });

  it('refuses another name, and the same texts twice', async () => {
    await using at = await open(plantedTasks.slice(0, 12), {
      mode: 'stub',
      ...inlineTools(damaged),
    });
    const [first] = damaged;
    const toolId = `office:${first?.name ?? ''}`;
    const texts = (path: string, oldText: string) => ({
      ...at.target(toolId),
      edits: [{ toolId, path, oldText, newText: 'other' }],
      source: 'hand' as const,
    });
    await expect(at.service.add(texts('/name', first?.name ?? ''))).rejects.toThrow(
      'servers execute a tool by its name',
    );
    const title = texts('/title', first?.title ?? '');
    await at.service.add(title);
    await expect(at.service.add(title)).rejects.toThrow('has the same texts');
  });

  it('executes nothing that nobody agreed to', async () => {
    const todo = ['add', 'put', 'note', 'write'].map((word) =>
      task(word, { turns: [`Please ${word} "Buy milk" for user u-1`] }),
    );
    await using at = await open(todo, { mode: 'full', agreedServers: ['todo'] });
    const toolId = 'todo:add_task';
    const { execution, tool } = await at.problem(toolId);
    expect(execution).toMatchObject({ mode: 'full', servers: ['todo'], isolated: ['todo'] });
    const one = await at.service.add({
      ...at.target(toolId),
      edits: [{ toolId, path: '/description', oldText: tool.description, newText: 'Adds it.' }],
      source: 'hand',
    });
    await expect(at.service.search({ id: one.id, agreedServers: [] })).rejects.toThrow(
      'It executes every tool that a model calls on todo.',
    );
    expect(await at.service.list({ evaluationId: null })).toMatchObject([{ state: 'draft' }]);
  });
});
