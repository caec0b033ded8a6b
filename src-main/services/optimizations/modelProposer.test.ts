import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import {
  optimizationSettings,
  type Optimization,
  type OptimizationBudget,
  type OptimizationPlan,
} from '../../../src-shared/domain/optimization.ts';
import { halfOf } from '../../../src-shared/metrics/candidateProof.ts';
import type { OpenServices } from '../../app/createServices.ts';
import type { Reaction, SeenRequest } from '../../testing/fakeModelServer/react.ts';
import { addSuite, callOptions, createModelWorkspace } from '../../testing/modelWorkspace.ts';

const workspace = createModelWorkspace();
const words = ['sweep', 'polish', 'measure', 'repair', 'paint', 'inspect'];
const count = 60;
const usage = { input: 1000, output: 50 };
/** No query is part of another one. */
const queries = Array.from({ length: count }, (_, n): [string, string | null] => [
  `Could somebody ${words[n % 6] ?? ''} or ${words[(n + 1) % 6] ?? ''} room ${String(n).padStart(3, '0')}?`,
  'one',
]);
const halves = queries.map(([query], n) => ({ query, half: halfOf(`c${n}`) }));
const good = `Handles houses: ${words.join(', ')}.`;

/** The description of each offered tool, in any wire format. */
const described = ({ body }: SeenRequest): { name: string; description: string }[] =>
  ((body['tools'] ?? []) as JsonObject[]).map((tool) => {
    const inner = (tool['function'] ?? tool) as JsonObject;
    const text = (key: string): string => (typeof inner[key] === 'string' ? inner[key] : '');
    return { name: text('name'), description: text('description') };
  });

const edited = (path: string, text: string): string =>
  JSON.stringify({ reason: 'Says what it is for.', edits: [{ path, text }] });

/** Answers of the proposer, in order; the last one is repeated. */
function withProposals(...answers: readonly string[]): SeenRequest[] {
  const prompts: SeenRequest[] = [];
  workspace.rule = (request): Reaction => {
    const tools = described(request);
    if (tools.length === 0) {
      prompts.push(request);
      return { does: 'answer', text: answers[prompts.length - 1] ?? answers.at(-1) ?? '', usage };
    }
    const found = tools.find(({ description }) =>
      words.some((word) => request.query.includes(word) && description.includes(word)),
    );
    return found
      ? { does: 'answer', calls: [{ name: found.name, arguments: {} }], usage }
      : { does: 'answer', text: 'No tool fits.', usage };
  };
  return prompts;
}

interface Evaluated {
  services: OpenServices['services'];
  evaluationId: string;
}

async function evaluated(name: string, asked = queries): Promise<Evaluated> {
  const services = await workspace.open(name, [
    { name: 'one', description: 'Handles houses.' },
    { name: 'two', description: 'Handles gardens.' },
  ]);
  const { id } = await workspace.run(services, await addSuite(services, asked), {});
  return { services, evaluationId: id };
}

async function optimized(
  { services, evaluationId }: Evaluated,
  provider: 'openai' | 'anthropic',
  budget: Partial<OptimizationBudget> = {},
): Promise<Optimization & { plan: OptimizationPlan }> {
  const { origin } = workspace.server;
  const request = {
    ...optimizationSettings.parse({
      budget,
      proposer: {
        kind: 'model',
        model: {
          provider,
          model: 'fake-model',
          baseUrl: provider === 'anthropic' ? origin : `${origin}/v1`,
          maxRetries: 0,
        },
      },
    }),
    evaluationId,
    modelSettingsId: null,
  };
  const plan = await services.optimizations.plan(request);
  const started = await services.optimizations.start(request);
  for await (const { state } of services.optimizations.watch({ id: started.id }, callOptions))
    if (state !== 'running') break;
  return { ...(await services.optimizations.get({ id: started.id })), plan };
}

describe('a model that proposes, through its SDK', () => {
  it.each(['openai', 'anthropic'] as const)(
    'sees only cases of the search half, and its proposal is proven (%s)',
    async (provider) => {
      const prompts = withProposals(edited('/description', good));
      const ended = await optimized(await evaluated(`proven-${provider}`), provider);
      expect(ended).toMatchObject({ state: 'accepted', result: { lost: 0 } });
      expect(prompts.length).toBeGreaterThan(0);
      expect(prompts.map(({ dialect }) => dialect)).toContain(
        provider === 'anthropic' ? 'messages' : 'responses',
      );
      for (const { body } of prompts) {
        const sent = JSON.stringify(body);
        const shown = halves.filter(({ query }) => sent.includes(query));
        expect(shown.length).toBeGreaterThan(0);
        expect(new Set(shown.map(({ half }) => half))).toEqual(new Set(['search']));
      }
    },
  );

  it('has bad answers refused with the reason, and runs no case with them', async () => {
    const [copied = ''] = halves.flatMap(({ query, half }) => (half === 'search' ? [query] : []));
    const bad = [
      ['I would say that it sweeps.', /^The answer is not the JSON/u],
      ['{"reason": "none", "edits": []}', /^The answer is not the JSON/u],
      [edited('/description', 'long '.repeat(5000)), /25,000 characters; the limit is 20,000/u],
      [edited('description', 'Without a slash.'), /not a description/u],
      [edited('/inputSchema/required/0', 'x'), /not a description/u],
      [edited('/description', 'Handles houses.'), /^It changes nothing/u],
      [edited('/description', `Handles houses. ${copied}`), /^It copies a request/u],
      [edited('/name', 'housekeeping'), /^It renames the tool/u],
      [edited('/description', 'Handles houses. '.repeat(40)), /^It adds \d+ tokens/u],
    ] as const;
    withProposals();
    const base = await evaluated('bad');
    for (const [answer, why] of bad) {
      const prompts = withProposals(answer);
      const before = workspace.server.requests.length;
      const ended = await optimized(base, 'openai');
      expect(ended).toMatchObject({ state: 'nothing_found', proofRank: null });
      expect(ended.steps.length).toBeGreaterThan(0);
      for (const step of ended.steps)
        expect(step).toMatchObject({
          result: 'refused',
          why: expect.stringMatching(why),
          toolIds: ['s:one'],
          screening: null,
          passRate: null,
        });
      // Only the proposer was asked.
      expect(workspace.server.requests.length - before).toBe(prompts.length);
      expect(ended.spent).toMatchObject({
        calls: prompts.length,
        tokens: prompts.length * (usage.input + usage.output),
      });
    }
  });

  it('counts what the proposer uses against the budget', async () => {
    const prompts = withProposals(
      ...Array.from({ length: 100 }, (_, n) => edited('/description', `Handles houses, ${n}.`)),
    );
    const proof = halves.filter(({ half }) => half === 'proof').length;
    const calls = proof + 30;
    const base = await evaluated('budget');
    const before = workspace.server.requests.length;
    const ended = await optimized(base, 'openai', { calls });
    expect(ended.stopped).toBe('budget');
    expect(prompts.length).toBeGreaterThan(1);
    expect(ended.spent.calls).toBeLessThanOrEqual(30);
    // Every call of the search is counted: those of the proposer and those with candidates.
    expect(ended.spent.calls).toBe(workspace.server.requests.length - before);
    expect(ended.spent.tokens).toBe(ended.spent.calls * (usage.input + usage.output));
  });

  it('makes about as many calls as planned when its first ideas help', async () => {
    // Ten ideas, each with one more word, then variants without one: two words stay unknown.
    const known = 'attic barn cellar deck eaves fence gable hall inglenook jamb'.split(' ');
    const all = [...known, 'kitchen', 'loft'];
    const asked = Array.from({ length: count }, (_, n): [string, string | null] => [
      `Could somebody look at the ${all[n % all.length] ?? ''} in house ${String(n).padStart(3, '0')}?`,
      'one',
    ]);
    const prompts = withProposals(
      ...known.map((_, n) =>
        edited('/description', `Handles ${known.slice(0, n + 1).join(', ')}.`),
      ),
      ...Array.from({ length: 60 }, (_, n) =>
        edited('/description', `Handles ${known.join(', ')}. Variant ${n}.`),
      ),
    );
    const answerTools = workspace.rule;
    workspace.rule = (request) => {
      const found = described(request).find(({ description }) =>
        all.some((word) => request.query.includes(word) && description.includes(word)),
      );
      if (described(request).length === 0) return answerTools(request);
      return found
        ? { does: 'answer', calls: [{ name: found.name, arguments: {} }], usage }
        : { does: 'answer', text: 'No tool fits.', usage };
    };
    const { plan, spent, stopped } = await optimized(await evaluated('planned', asked), 'openai');
    expect(stopped).toBe('no_gain');
    expect(prompts.length).toBeGreaterThanOrEqual(20);
    expect(spent.calls / plan.typical.calls).toBeGreaterThanOrEqual(0.8);
    expect(spent.calls / plan.typical.calls).toBeLessThanOrEqual(1.2);
    expect(spent.calls).toBeLessThanOrEqual(plan.estimate.calls);
  });
});
