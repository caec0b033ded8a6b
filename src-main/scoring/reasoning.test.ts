import { describe, expect, it } from 'vitest';
import type { Score } from '../../src-shared/domain/score.ts';
import { called, expected, run } from '../testing/scoredRun.ts';

describe('confidence', () => {
  it('would catch a category on the wrong side of the threshold', () => {
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

  it("would catch the model's own words lost", () => {
    expect(run([], [], { modelReasoning: ' Nothing fits. ' }).reasoning).toBe('Nothing fits.');
  });

  it('would catch sentences that do not name the tools or quote the words', () => {
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

  it('would catch advice to put what one request is about into the description of a tool', () => {
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

  it('would catch silence about a call that was not made, not due, or not offered', () => {
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

  it('would catch general advice about parameters', () => {
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

  it('would catch a right choice with low confidence that names no rival', () => {
    const score = run([expected('list_tasks')], [called('list_tasks', {})], {
      query: 'show the task list of the user',
      confidence: { score: 0.2, method: 'margin' },
    });
    expect(messages(score)[0]).toMatch(
      /^s:list_tasks: Right, but with low confidence: s:add_task says “task”, “list” and “user” of the query too\. Stress “tasks”, “lists” and “state”, which only s:list_tasks says\./,
    );
  });

  it('would catch advice where all is well', () => {
    expect(
      run([expected('add_task', { title: 'x' })], [called('add_task', { title: 'x' })])
        .recommendations,
    ).toEqual([]);
  });
});
