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
      's:list_tasks: Say in list_tasks when to use add_task: “To add a task to the list of the user, use add_task instead.”',
    ]);
  });

  it('leave out the values of a single request', () => {
    const missed = run([expected('add_task', { title: { $contains: 'Oat milk' } })], [], {
      query: 'remember the errand with oat milk',
    });
    expect(messages(missed)).toEqual([
      's:add_task: Add the words that requests use to the description of add_task: “remember”.',
    ]);
    expect(missed.reasoning).not.toMatch(/oat|milk/);
    // Where nothing is left there is no text, and the next step says so.
    expect(
      messages(
        run([expected('add_task', { title: ['remember', 'milk'] })], [], {
          query: 'remember milk',
        }),
      ),
    ).toEqual([expect.stringMatching(/^s:add_task: No words can be suggested for s:add_task: /)]);
  });

  it('cover unneeded calls, and calls of tools that were not offered', () => {
    const undue = run([], [called('delete_task', { id: 1 })], {
      query: 'is this task gone forever?',
    });
    expect(messages(undue)).toEqual([
      's:delete_task: Say in delete_task when it should be used: “Use it only when someone asks to remove a task forever.”',
    ]);
    const phantom = run([expected('add_task')], [called('remove_forever', {})], { query: 'add' });
    expect(phantom.reasoning).toContain('Never offered: “remove_forever”.');
    expect(messages(phantom)).toEqual([
      expect.stringMatching(
        /^s:add_task: The model called “remove_forever”, which was not offered/,
      ),
    ]);
  });

  it('describe a bare parameter, and leave free text with a description alone', () => {
    const score = run(
      [expected('add_task', { title: 'milk', due: '2026-01-01' })],
      [called('add_task', { title: 'bread', task_title: 'x' })],
    );
    expect(messages(score)).toEqual([
      's:add_task: Describe due in add_task: “Date as YYYY-MM-DD, for example "2026-01-01".”',
    ]);
  });

  it('name the tool and the next step for every false positive and false negative', () => {
    const wrong = [
      run([], [called('delete_task', { id: 1 })], { query: 'x' }),
      run([], [called('remove_forever', {})], { query: 'x' }),
      run([expected('add_task')], [], { query: 'x' }),
      run([expected('add_task')], [called('delete_task', {})], { query: 'x' }),
      run([expected('delete_task')], [called('list_tasks', {})], { query: 'x' }),
      run([expected('add_task')], [called('remove_forever', {})], { query: 'x' }),
      run([expected('not_offered')], [called('add_task', {})], { query: 'x' }),
      run([expected('add_task'), expected('list_tasks')], [called('add_task', {})], { query: 'x' }),
      run([expected('add_task')], [called('add_task', {}), called('list_tasks', {})], {
        query: 'x',
      }),
    ];
    for (const score of wrong) {
      expect(['FP', 'FN']).toContain(score.classification);
      expect(score.recommendations).not.toEqual([]);
      for (const { toolId, message } of score.recommendations)
        expect(message).toContain(toolId?.split(':')[1] ?? 'remove_forever');
    }
  });

  it('are empty when everything is correct', () => {
    expect(
      run([expected('add_task', { title: 'x' })], [called('add_task', { title: 'x' })])
        .recommendations,
    ).toEqual([]);
  });
});
