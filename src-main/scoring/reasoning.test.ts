import { describe, expect, it } from 'vitest';
import type { Score } from '../../src-shared/domain/score.ts';
import { called, expected, run } from '../testing/scoredRun.ts';

describe('confidence', () => {
  it('is categorized by correctness and the threshold', () => {
    const at = (score: number | null, right: boolean) =>
      run(right ? [] : [expected('add_task')], [], {
        confidence: score === null ? null : { score, method: 'logprobs' },
      }).confidenceCategory;
    expect([
      at(0.7, true),
      at(0.69, true),
      at(0.7, false),
      at(0.69, false),
      at(null, true),
      at(null, false),
    ]).toEqual(['robust', 'needs_clarity', 'misleading', 'wrong_low', 'unmeasured', 'unmeasured']);
  });
});

describe('reasoning and recommendations', () => {
  const messages = (score: Score) =>
    score.recommendations.map(({ toolId, message }) => `${toolId}: ${message}`);

  it("quotes the model's own words", () => {
    expect(run([], [], { modelReasoning: ' Nothing fits. ' }).reasoning).toBe('Nothing fits.');
  });

  it('name the tools and quote the words of the query', () => {
    const score = run([expected('add_task', { title: 'milk' })], [called('list_tasks', {})], {
      query: 'list milk among my tasks as something to add',
    });
    expect(score.reasoning).toContain('Expected s:add_task, but the model called s:list_tasks.');
    expect(score.reasoning).toContain(
      's:list_tasks speaks of “tasks” as the query does, s:add_task does not',
    );
    expect(messages(score)).toEqual([
      's:add_task: Take “tasks” of the query into the description of s:add_task: s:list_tasks says them, it does not.',
      's:list_tasks: Both s:list_tasks and s:add_task say “list” and “user”: reword them in s:list_tasks, or say there when s:add_task is meant instead.',
    ]);
  });

  it('leave out the values of a single request', () => {
    const missed = run([expected('add_task', { title: { $contains: 'Oat milk' } })], [], {
      query: 'remember the oat milk',
    });
    expect(messages(missed)).toEqual([
      's:add_task: Take “remember” of the query into the description of s:add_task: nothing in it says them.',
    ]);
    expect(missed.reasoning).not.toMatch(/oat|milk/);
    // Where nothing is left there is nothing to advise.
    expect(
      messages(
        run([expected('add_task', { title: ['remember', 'milk'] })], [], {
          query: 'remember milk',
        }),
      ),
    ).toEqual([]);
  });

  it('cover missing calls, unneeded calls and calls of tools that were not offered', () => {
    const nothing = run([expected('add_task')], [], { query: 'remember the milk' });
    expect(messages(nothing)).toEqual([
      's:add_task: Take “remember” and “milk” of the query into the description of s:add_task: nothing in it says them.',
    ]);
    const undue = run([], [called('delete_task', { id: 1 })], {
      query: 'is this task gone forever?',
    });
    expect(messages(undue)).toEqual([
      's:delete_task: Narrow “task” and “forever” in the description of s:delete_task: say for which requests it is not meant.',
    ]);
    const phantom = run([expected('add_task')], [called('remove_forever', {})], { query: 'add' });
    expect(phantom.reasoning).toContain('Never offered: “remove_forever”.');
    expect(messages(phantom)[0]).toBe(
      's:delete_task: The model called “remove_forever”, which was not offered; s:delete_task says “forever” too. Take that name into its description, or rename it.',
    );
  });

  it('name the parameter and the values', () => {
    const score = run(
      [expected('add_task', { title: 'milk', due: '2026-01-01' })],
      [called('add_task', { title: 'bread', task_title: 'x' })],
    );
    expect(messages(score)).toEqual([
      's:add_task: Say in s:add_task what “title” takes, which is described as “What has to be done”. Wrong: expected "milk", got "bread".',
      's:add_task: “due” of s:add_task, which has no description, was left out: say there from which words of a request it is taken.',
      's:add_task: The model made up “task_title” for s:add_task; nearest is “title”: take “task_title” into its description.',
    ]);
  });

  it('name the closest rival of a correct choice with low confidence', () => {
    const score = run([expected('list_tasks')], [called('list_tasks', {})], {
      query: 'show the task list of the user',
      confidence: { score: 0.2, method: 'margin' },
    });
    expect(messages(score)[0]).toMatch(
      /^s:list_tasks: Right, but with low confidence: s:add_task says “task”, “list” and “user” of the query too\. Stress “tasks”, “lists” and “state”, which only s:list_tasks says\./,
    );
  });

  it('are empty when everything is correct', () => {
    expect(
      run([expected('add_task', { title: 'x' })], [called('add_task', { title: 'x' })])
        .recommendations,
    ).toEqual([]);
  });
});
