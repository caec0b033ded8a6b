import { beforeAll, describe, expect, it } from 'vitest';
import type { OptimizationStep } from '../../src-shared/domain/optimization.ts';
import { loadEncoding } from '../analysis/tokens/encodings.ts';
import { isNightly, sampled } from '../testing/nightly.ts';
import type { Proposal } from './effects.ts';
import { optimize } from './optimize.ts';
import { optimizeBuiltin, plantDamage, vocabularies } from './planted.fixture.ts';
import {
  countFalseProofs,
  measureRecovery,
  measureSavedTokens,
  rewordings,
} from './promises.fixture.ts';

beforeAll(() => loadEncoding('cl100k_base', async () => undefined));

/** What no proposal can help. */
const nothing = async (): Promise<Proposal[]> => [];

describe('optimize on planted damage', () => {
  const drawn = [
    ['office', 42],
    ['office', 7],
    ['office', 1001],
    ['village', 42],
    ['village', 7],
    ['village', 1001],
  ] as const;
  it.each(sampled(drawn, ([words, seed]) => words === 'office' && seed === 42))(
    'recovers at least 80% of the lost pass rate with the words of the %s and seed %i',
    async (words, seed) => {
      const { whole, damaged, cases } = plantDamage(vocabularies[words]);
      expect(whole).toHaveLength(30);
      expect(cases).toHaveLength(240);
      expect(
        damaged.filter((tool, at) => tool.description !== whole[at]?.description),
      ).toHaveLength(20);
      const { lost, recovered, seconds } = await measureRecovery(words, seed);
      expect(lost).toBeGreaterThan(0.25);
      expect(recovered).toBeGreaterThanOrEqual(0.8);
      expect(seconds).toBeLessThan(60);
    },
  );

  it('takes the same steps again with the same seed, and others with another seed', async () => {
    const { damaged, cases } = plantDamage();
    const some = cases.slice(0, 120);
    const options = { maxSteps: 12 };
    const first = await optimizeBuiltin(damaged, some, { ...options, seed: 7 });
    const again = await optimizeBuiltin(damaged, some, { ...options, seed: 7 });
    const other = await optimizeBuiltin(damaged, some, { ...options, seed: 8 });
    expect(again.steps).toEqual(first.steps);
    expect(other.steps).not.toEqual(first.steps);
  });

  it('ends early and keeps the tools as they are if no proposal helps', async () => {
    const { damaged, cases } = plantDamage();
    const longer = await optimizeBuiltin(damaged, cases, {
      patience: 5,
      propose: async ({ tool: { server, name, description: oldText } }) => [
        {
          reason: 'Longer.',
          edits: [
            {
              toolId: `${server}:${name}`,
              path: '/description',
              oldText,
              newText: `${oldText} Zzz.`,
            },
          ],
        },
      ],
    });
    expect(longer.optimized.best).toBeNull();
    expect(longer.optimized.stopped).toBe('no_gain');
    expect(longer.steps).toHaveLength(5);
    const silent = await optimizeBuiltin(damaged, cases, { propose: nothing });
    expect(silent.optimized).toMatchObject({ best: null, stopped: 'exhausted' });
  });
});

describe('optimize for tokens', () => {
  it('saves at least 75% of what repetitions add to the sample, and nothing of the sample', async () => {
    const { saved, savedOfSample, isSignificantLoss } = await measureSavedTokens();
    expect(saved).toBeGreaterThanOrEqual(0.75);
    expect(savedOfSample).toBe(0);
    expect(isSignificantLoss).toBe(false);
  });
});

describe('the proof of an optimization', () => {
  const runs = isNightly ? 1000 : 100;
  it(`accepts rewordings without effect in at most 5% of ${runs} runs`, async () => {
    const { reached, accepted } = await countFalseProofs(runs);
    expect(reached).toBeGreaterThan(runs / 2);
    expect(accepted).toBeLessThanOrEqual(runs / 20);
  });
});

describe('a budget', () => {
  it('ends the search where an answer is not to be had, and keeps what was found', async () => {
    const { damaged, cases } = plantDamage();
    const free = await optimizeBuiltin(damaged, cases, { maxSteps: 4 });
    let calls = 0;
    const steps: OptimizationStep[] = [];
    const placed = cases.map(({ query }, position) => ({ position, query, expected: [] }));
    const { stopped } = await optimize(
      {
        tools: damaged,
        cases: placed,
        baseline: placed.map(({ position, query }) => ({
          position,
          share: 0,
          failures: [
            { query, values: '', expected: 'office:badge', called: null, wrongArguments: [] },
          ],
        })),
        objective: 'accuracy',
        seed: 1,
        maxSteps: 50,
        patience: 50,
        toolIds: null,
        maxAddedTokens: 60,
        allowNames: false,
        countTokens: () => 1,
      },
      {
        evaluate: async () => null,
        propose: (request) => {
          calls += 1;
          return rewordings(calls)(request);
        },
        done: (step) => void steps.push(step),
      },
    );
    expect(free.steps.length).toBeLessThanOrEqual(4);
    expect({ stopped, steps, calls }).toEqual({ stopped: 'budget', steps: [], calls: 1 });
  });
});
