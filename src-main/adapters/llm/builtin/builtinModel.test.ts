import { describe, expect, it } from 'vitest';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { ChatRequest } from '../chatModel.ts';
import { createBuiltinModel } from './builtinModel.ts';
import { scoreFloor } from './chooseTool.ts';

const tool = (
  name: string,
  description: string,
  inputSchema: SnapshotTool['inputSchema'] = { type: 'object' },
): SnapshotTool => ({
  server: 'todo',
  name,
  title: null,
  description,
  inputSchema,
  outputSchema: null,
  annotations: null,
  snapshotToolId: 1,
  hash: name,
});
const taskId = {
  type: 'object',
  properties: { task_id: { type: 'integer' } },
  required: ['task_id'],
};
const tools = [
  tool('add_task', 'Adds a task.'),
  tool('complete_task', 'Marks a task as done.', taskId),
  tool('delete_task', 'Removes a task.', taskId),
];
const ask = (query: string, offered: readonly SnapshotTool[] = tools): ChatRequest => ({
  query,
  system: null,
  messages: [],
  tools: offered,
  repetition: 1,
});
const never = new AbortController().signal;

describe('createBuiltinModel', () => {
  it('calls the best tool with arguments from the query, and says why', async () => {
    const { observation, request, response } = await createBuiltinModel().choose(
      ask('complete task 42'),
      never,
    );
    expect(observation.calls).toEqual([
      {
        id: 'call_1',
        server: 'todo',
        tool: 'complete_task',
        name: 'complete_task',
        arguments: { task_id: 42 },
        argumentsText: null,
      },
    ]);
    expect(observation).toMatchObject({ stopReason: 'called', usage: null, text: null });
    expect(observation.reasoning).toMatch(
      /^Called todo:complete_task: best score 0\.\d\d for todo:complete_task, next 0\.\d\d for todo:\w+; shared words: complete, task\.$/,
    );
    expect(request).toEqual({ query: 'complete task 42', system: null, messages: [], tools: [] });
    expect(response).toMatchObject({
      floor: scoreFloor,
      call: { server: 'todo', name: 'complete_task', arguments: { task_id: 42 } },
    });
  });

  it('gives the margin (s1 − s2) / s1 as confidence', async () => {
    const { observation, response } = await createBuiltinModel().choose(
      ask('complete task 42'),
      never,
    );
    const { ranking } = response as { ranking: { score: number }[] };
    const [first, second] = ranking.map(({ score }) => score);
    expect(observation.confidence).toEqual({
      score: ((first ?? 0) - (second ?? 0)) / (first ?? 1),
      method: 'margin',
    });
  });

  it('answers without a call where no tool fits, with confidence 1', async () => {
    for (const offered of [tools, []]) {
      const { observation, response } = await createBuiltinModel().choose(
        ask('What is the weather in Paris?', offered),
        never,
      );
      expect(observation).toMatchObject({
        calls: [],
        stopReason: 'answered',
        confidence: { score: 1, method: 'margin' },
      });
      expect(response).toMatchObject({ call: null });
    }
  });

  it('gives confidence 1 where there is one tool', async () => {
    const { observation } = await createBuiltinModel().choose(
      ask('delete task 3', [tool('delete_task', 'Removes a task.', taskId)]),
      never,
    );
    expect(observation.confidence).toEqual({ score: 1, method: 'margin' });
  });

  it('does not choose a tool by the words in quotation marks', async () => {
    const { observation } = await createBuiltinModel().choose(
      ask('complete task 3 "delete the old backups"'),
      never,
    );
    expect(observation.calls[0]?.tool).toBe('complete_task');
  });

  it('gives the same answer again after another list of tools', async () => {
    const model = createBuiltinModel();
    const first = await model.choose(ask('delete task 3'), never);
    const other = await model.choose(
      ask('delete task 3', [tool('drop_table', 'Deletes a table.')]),
      never,
    );
    expect(other.observation.calls[0]?.tool).toBe('drop_table');
    const again = await model.choose(ask('delete task 3'), never);
    expect(JSON.stringify({ ...again, elapsedMs: 0 })).toBe(
      JSON.stringify({ ...first, elapsedMs: 0 }),
    );
  });

  it('describes the tools as they were offered', () => {
    expect(createBuiltinModel().describeTools(tools.slice(1, 2))).toEqual([
      {
        server: 'todo',
        name: 'complete_task',
        description: 'Marks a task as done.',
        inputSchema: taskId,
      },
    ]);
  });

  it('rejects with the reason of an aborted signal', async () => {
    const abort = new AbortController();
    abort.abort(new Error('stopped by the user'));
    await expect(createBuiltinModel().choose(ask('delete task 3'), abort.signal)).rejects.toThrow(
      'stopped by the user',
    );
  });
});
