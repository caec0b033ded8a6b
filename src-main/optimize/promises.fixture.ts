import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Tool } from '../../src-shared/domain/tool.ts';
import { caseFile } from '../../src-shared/domain/suiteFile.ts';
import { mcnemarExact } from '../../src-shared/metrics/mcnemar.ts';
import { createRandom } from '../../src-shared/metrics/random.ts';
import { halfOf } from '../../src-shared/metrics/candidateProof.ts';
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

/** What the optimizer promises, measured: once for its tests and once for the benchmarks. */

/** How much of the pass rate that planted damage cost comes back on the proof half. */
export async function measureRecovery(
  words: keyof typeof vocabularies,
  seed: number,
): Promise<{ lost: number; recovered: number; seconds: number }> {
  const { whole, damaged, cases } = plantDamage(vocabularies[words]);
  const started = performance.now();
  const run = await optimizeBuiltin(damaged, cases, { seed });
  const seconds = (performance.now() - started) / 1000;
  const ideal = await optimizeBuiltin(whole, cases, { maxSteps: 0 });
  const best = passRateOf(await ideal.prove([]));
  const before = passRateOf(await run.prove([]));
  const after = passRateOf(await run.prove(run.optimized.best?.catalog ?? []));
  return { lost: best - before, recovered: (after - before) / (best - before), seconds };
}

/** The tools and cases that ship as the sample. */
function sampleCatalog(): { tools: Tool[]; cases: PlantedCase[] } {
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
  return { tools, cases };
}

/** A tool with what many servers write: its name in a sentence, a sentence twice, their own praise. */
const padded = (tool: Tool): Tool => {
  const name = tool.name.replaceAll('_', ' ');
  const { description } = tool;
  return {
    ...tool,
    description: `${description} This is the ${name}. ${description} Part of the famous Office suite.`,
  };
};

/**
 * The share of what repetitions added to the sample that `tokens` saves, what that costs on the proof
 * half, and how much it cuts from the sample as it is, which repeats nothing.
 */
export async function measureSavedTokens(): Promise<{
  saved: number;
  savedOfSample: number;
  won: number;
  lost: number;
  isSignificantLoss: boolean;
}> {
  const { tools, cases } = sampleCatalog();
  const plain = await optimizeBuiltin(tools, cases, { objective: 'tokens' });
  const run = await optimizeBuiltin(tools.map(padded), cases, { objective: 'tokens' });
  const tokensOf = ({ optimized: { pool, best } }: typeof run): [before: number, after: number] => [
    pool[0]?.tokens ?? 0,
    best?.tokens ?? pool[0]?.tokens ?? 0,
  ];
  const [whole, cut] = tokensOf(plain);
  const [before, after] = tokensOf(run);
  const { won, lost } = countFlips(
    await run.prove([]),
    await run.prove(run.optimized.best?.catalog ?? []),
  );
  return {
    saved: (before - after) / (before - whole),
    savedOfSample: whole - cut,
    won,
    lost,
    isSignificantLoss: lost > won && mcnemarExact(lost, won) <= 0.05,
  };
}

function countFlips(before: readonly CaseScore[], after: readonly CaseScore[]) {
  const flips = before.map(({ share }, at) => (after[at]?.share ?? 0) - (share ?? 0));
  return {
    won: flips.filter((flip) => flip > 0).length,
    lost: flips.filter((flip) => flip < 0).length,
  };
}

/** Proposals that reorder words: they change nothing that could help. */
export const rewordings =
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
  return { chances, outcomes };
}

const plainTool = (name: string): Tool => ({
  server: 'a',
  name,
  title: null,
  description: `Handles the requests about ${name} for the whole company`,
  inputSchema: { type: 'object' },
  outputSchema: null,
  annotations: null,
});

/** How often a search whose proposals have no effect reaches a proof, and how often it passes it. */
export async function countFalseProofs(
  runs: number,
): Promise<{ reached: number; accepted: number }> {
  let accepted = 0;
  let reached = 0;
  for (let run = 0; run < runs; run += 1) {
    const { chances, outcomes } = noise(run);
    const half = (wanted: 'search' | 'proof') =>
      chances.flatMap(({ id, position }) => (halfOf(id) === wanted ? [position] : []));
    let asked = 0;
    const input: OptimizeInput = {
      tools: [plainTool('one'), plainTool('two')],
      cases: half('search').map((position) => ({ position, query: 'q', expected: ['a:one'] })),
      baseline: outcomes(half('search')),
      objective: 'accuracy',
      seed: run,
      maxSteps: 20,
      patience: 20,
      toolIds: null,
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
    reached += 1;
    const { won, lost } = countFlips(outcomes(half('proof')), outcomes(half('proof')));
    const counts = {
      won,
      lost,
      cases: half('proof').length,
      others: [],
      otherCalls: { expected: 0, before: 0, after: 0 },
    };
    const { answer } = judgeProof(counts, 1, { savedTokens: 0, claim: 'accuracy' });
    if (answer === 'accepted') accepted += 1;
  }
  return { reached, accepted };
}
