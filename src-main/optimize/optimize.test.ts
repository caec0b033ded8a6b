import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { halfOf } from '../../src-shared/metrics/rewriteProof.ts';
import { mcnemarExact } from '../../src-shared/metrics/mcnemar.ts';
import { createRandom } from '../../src-shared/metrics/random.ts';
import { caseFile } from '../../src-shared/domain/suiteFile.ts';
import type { OptimizationStep } from '../../src-shared/domain/optimization.ts';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { loadEncoding } from '../analysis/tokens/encodings.ts';
import { toolDefinitions } from '../servers/todo/toolSchemas.ts';
import type { CaseScore, Proposal } from './effects.ts';
import { optimize, type OptimizeInput } from './optimize.ts';
import {
  optimizeBuiltin,
  passRateOf,
  plantDamage,
  shuffledWords,
  vocabularies,
  type PlantedCase,
} from './planted.fixture.ts';
import { judgeProof } from './proof.ts';

beforeAll(() => loadEncoding('cl100k_base', async () => undefined));

/** What no proposal can help. */
const nothing = async (): Promise<Proposal[]> => [];
const rewordings =
  (seed: number) =>
  async ({ tool }: { tool: Tool }): Promise<Proposal[]> => [
    {
      reason: 'Reworded.',
      edits: [
        {
          toolId: `${tool.server}:${tool.name}`,
          path: '/description',
          oldText: tool.description,
          newText: shuffledWords(tool.description, seed),
        },
      ],
    },
  ];

describe('optimize on planted damage', () => {
  it.each([
    ['office', 42],
    ['office', 7],
    ['office', 1001],
    ['village', 42],
    ['village', 7],
    ['village', 1001],
  ] as const)(
    'recovers at least 80% of the lost pass rate with the words of the %s and seed %i',
    async (words, seed) => {
      const { whole, damaged, cases } = plantDamage(vocabularies[words]);
      expect(whole).toHaveLength(30);
      expect(cases).toHaveLength(240);
      expect(
        damaged.filter((tool, at) => tool.description !== whole[at]?.description),
      ).toHaveLength(20);
      const started = performance.now();
      const run = await optimizeBuiltin(damaged, cases, { seed });
      const seconds = (performance.now() - started) / 1000;
      const ideal = await optimizeBuiltin(whole, cases, { maxSteps: 0 });
      const best = passRateOf(await ideal.prove([]));
      const before = passRateOf(await run.prove([]));
      const after = passRateOf(await run.prove(run.optimized.best?.catalog ?? []));
      expect(best - before).toBeGreaterThan(0.3);
      expect((after - before) / (best - before)).toBeGreaterThanOrEqual(0.8);
      expect(seconds).toBeLessThan(60);
    },
    120_000,
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
  }, 60_000);

  it('ends early and keeps the tools as they are if no proposal helps', async () => {
    const { damaged, cases } = plantDamage();
    const reworded = await optimizeBuiltin(damaged, cases, {
      patience: 5,
      propose: rewordings(1),
    });
    expect(reworded.optimized.best).toBeNull();
    expect(reworded.optimized.stopped).toBe('no_gain');
    expect(reworded.steps).toHaveLength(5);
    const silent = await optimizeBuiltin(damaged, cases, { propose: nothing });
    expect(silent.optimized).toMatchObject({ best: null, stopped: 'exhausted' });
  }, 60_000);
});

describe('optimize for tokens', () => {
  it('saves at least 20% on the bundled catalog without a significant loss', async () => {
    const read = (name: string): string =>
      readFileSync(new URL(`../../datasets/sample/${name}`, import.meta.url), 'utf8');
    const rest = { title: null, outputSchema: null, annotations: null };
    const tools: Tool[] = [
      ...['calendar', 'mail', 'files'].flatMap((server) =>
        (JSON.parse(read(`${server}.tools.json`)) as { tools: Tool[] }).tools.map((tool) => ({
          ...rest,
          ...tool,
          server,
        })),
      ),
      ...toolDefinitions.map(({ name, title, description, inputSchema }) => ({
        ...rest,
        server: 'todo',
        name,
        title,
        description,
        inputSchema,
      })),
    ];
    const suite = caseFile.parse(parse(read('office-sample.suite.yaml')));
    const cases = suite.cases.map(({ id, query, expected_calls }): PlantedCase => ({
      id,
      query,
      system: suite.system ?? null,
      expectedCalls: expected_calls.map((call) =>
        'any_of' in call
          ? { anyOf: call.any_of, ...(call.parameters ? { parameters: call.parameters } : {}) }
          : call,
      ),
    }));
    const run = await optimizeBuiltin(tools, cases, { objective: 'tokens' });
    const [start] = run.optimized.pool;
    const best = run.optimized.best;
    expect(1 - (best?.tokens ?? 0) / (start?.tokens ?? 1)).toBeGreaterThanOrEqual(0.2);
    const before = await run.prove([]);
    const after = await run.prove(best?.catalog ?? []);
    const flips = before.map(({ share }, at) => (after[at]?.share ?? 0) - (share ?? 0));
    const won = flips.filter((flip) => flip > 0).length;
    const lost = flips.filter((flip) => flip < 0).length;
    expect(lost > won && mcnemarExact(lost, won) <= 0.05).toBe(false);
  }, 120_000);
});

/** Outcomes that no text changes: each case passes with its own chance, drawn anew every time. */
function noise(seed: number) {
  const random = createRandom(seed);
  const chances = Array.from({ length: 120 }, (_, at) => ({
    id: `case-${seed}-${at}`,
    position: at,
    chance: random(),
  }));
  const outcomes = (positions: readonly number[]): CaseScore[] =>
    positions.map((position) => {
      const passed = random() < (chances[position]?.chance ?? 0);
      const failure = {
        query: 'q',
        values: '',
        expected: 'a:one',
        called: null,
        wrongArguments: [],
      };
      return { position, share: passed ? 1 : 0, failures: passed ? [] : [failure] };
    });
  return { chances, outcomes, random };
}

const tool = (name: string): Tool => ({
  server: 'a',
  name,
  title: null,
  description: `Handles the requests about ${name} for the whole company`,
  inputSchema: { type: 'object' },
  outputSchema: null,
  annotations: null,
});

describe('the proof of an optimization', () => {
  it('accepts rewordings without effect in at most 5% of 1,000 runs', async () => {
    let accepted = 0;
    let proved = 0;
    for (let run = 0; run < 1000; run += 1) {
      const { chances, outcomes } = noise(run);
      const half = (wanted: 'search' | 'proof') =>
        chances.flatMap(({ id, position }) => (halfOf(id) === wanted ? [position] : []));
      const tools = [tool('one'), tool('two')];
      let asked = 0;
      const input: OptimizeInput = {
        tools,
        cases: half('search').map((position) => ({ position, query: 'q', expected: ['a:one'] })),
        baseline: outcomes(half('search')),
        objective: 'accuracy',
        seed: run,
        maxSteps: 20,
        patience: 20,
        maxAddedTokens: 60,
        allowNames: false,
        countTokens: ({ description }) => description.length,
      };
      const { best } = await optimize(input, {
        evaluate: async (_catalog, positions) => outcomes(positions),
        propose: async (request) =>
          (await Promise.all([1, 2, 3, 4].map(() => rewordings((asked += 1))(request)))).flat(),
        done: () => undefined,
      });
      if (!best) continue;
      proved += 1;
      const [before, after] = [outcomes(half('proof')), outcomes(half('proof'))];
      const flips = before.map(({ share }, at) => (after[at]?.share ?? 0) - (share ?? 0));
      const counts = {
        won: flips.filter((flip) => flip > 0).length,
        lost: flips.filter((flip) => flip < 0).length,
        cases: flips.length,
        others: [],
        otherCalls: { expected: 0, before: 0, after: 0 },
      };
      const { answer } = judgeProof(counts, 1, { savedTokens: 0, claim: 'accuracy' });
      if (answer === 'accepted') accepted += 1;
    }
    expect(proved).toBeGreaterThan(500);
    expect(accepted).toBeLessThanOrEqual(50);
  }, 120_000);
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
  }, 60_000);
});
