import { describe, expect, it } from 'vitest';
import { evaluationPlan, type EvaluationPlan } from '../domain/evaluationPlan.ts';
import { plansTogether } from './planTexts.ts';

const planOf = (costUsd: number | null, ...messages: string[]): EvaluationPlan =>
  evaluationPlan.parse({
    ...{ cases: 2, runs: 4, servers: ['todo'], costUsd },
    problems: messages.map((message) => ({ severity: 'warning', caseKey: null, message })),
    models: [
      {
        ...{ index: 0, label: 'gpt-5', sent: null, tools: 3, inputTokens: 10, outputTokens: 5 },
        ...{ tokenSource: 'estimated', countable: false, countNote: null, price: null, costUsd },
      },
    ],
  });

describe('the plans of several clients', () => {
  it('are one plan: runs and costs added, models named by client, equal problems once', () => {
    const together = plansTogether([
      [undefined, planOf(0.5, 'a')],
      ['codex', planOf(0.25, 'a', 'b')],
    ]);
    expect(together).toMatchObject({ cases: 2, runs: 8, costUsd: 0.75, servers: ['todo'] });
    expect(together?.problems.map(({ message }) => message)).toEqual(['a', 'Codex: b']);
    expect(together?.models.map(({ index, label }) => [index, label])).toEqual([
      [0, 'gpt-5 (as providers take them)'],
      [1, 'gpt-5 (Codex)'],
    ]);
  });

  it('name the client in a problem that not all have, once', () => {
    const said = 'Case 1 expects a:b, which Codex hides.';
    const together = plansTogether([
      [undefined, planOf(0, 'b')],
      ['codex', planOf(0, said)],
    ]);
    expect(together?.problems.map(({ message }) => message)).toEqual([
      'As providers take them: b',
      said,
    ]);
  });

  it('have no cost where one of them has none, and are not known before each is', () => {
    expect(
      plansTogether([
        [undefined, planOf(0.5)],
        ['codex', planOf(null)],
      ])?.costUsd,
    ).toBeNull();
    expect(
      plansTogether([
        [undefined, planOf(0.5)],
        ['codex', undefined],
      ]),
    ).toBeUndefined();
    expect(plansTogether([])).toBeUndefined();
  });

  it('are the plan itself where there is one client', () => {
    const plan = planOf(0.5);
    expect(plansTogether([['codex', plan]])).toBe(plan);
  });
});
