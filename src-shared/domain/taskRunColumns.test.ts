import { expect, it } from 'vitest';
import { jsonFields } from './runColumns.ts';
import { taskRunColumns } from './taskRunColumns.ts';
import type { TaskFacts } from './taskEvaluation.ts';

const facts: TaskFacts = {
  steps: 3,
  calls: 2,
  tokens: null,
  cost: null,
  elapsedMs: 41.5,
  neededCalls: null,
  toolErrors: 1,
  repeatedCalls: 0,
  unusedCalls: 0,
  unwantedEffects: 0,
  attack: null,
};

it('gives the fields of a run of a task in their order, and none that the run lacks', () => {
  expect(Object.entries(jsonFields(taskRunColumns, facts))).toEqual([
    ['steps', 3],
    ['tool_calls', 2],
    ['needed_calls', null],
    ['tokens', null],
    ['cache_read_tokens', null],
    ['cache_write_tokens', null],
    ['cost_usd', null],
    ['time_ms', 41.5],
    ['tool_errors', 1],
    ['repeated_calls', 0],
    ['unused_calls', 0],
    ['unwanted_effects', 0],
    ['attack', null],
  ]);
});

it('gives what a judge and a simulated user cost where a run has them', () => {
  const paid: TaskFacts = {
    ...facts,
    tokens: 900,
    cacheRead: 500,
    cost: 0.02,
    judgeCost: 0.001,
    spend: { usd: 0.024, unanswered: 1 },
    user: { model: 'u', turns: 2, tokens: 60, cost: 0.003 },
  };
  expect(jsonFields(taskRunColumns, paid)).toMatchObject({
    tokens: 900,
    cache_read_tokens: 500,
    cache_write_tokens: 0,
    cost_usd: 0.02,
    spend: { cost_usd: 0.024, unanswered_requests: 1 },
    judge_cost_usd: 0.001,
    simulated_user: { model: 'u', turns: 2, tokens: 60, cost_usd: 0.003 },
  });
  const totals = taskRunColumns.flatMap(({ value, total }) =>
    total === undefined || total.isIn?.(paid) === false ? [] : [[total.title, value(paid)]],
  );
  expect(totals).toEqual(
    expect.arrayContaining([
      ['Judge cost', 0.001],
      ['User tokens', 60],
      ['User cost', 0.003],
    ]),
  );
});
