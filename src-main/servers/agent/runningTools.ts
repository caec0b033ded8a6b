import { z } from 'zod';
import { describeAnswer } from '../../../src-shared/display/comparisonAnswer.ts';
import { unscoredText } from '../../../src-shared/display/judgementTexts.ts';
import { headlineOf, scoredOf } from '../../../src-shared/display/verdictTexts.ts';
import type { ComparedCase } from '../../../src-shared/domain/comparison.ts';
import type { Evaluation } from '../../../src-shared/domain/evaluation.ts';
import { modelConfiguration, type ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { isRemote, modelLabel, onlyModelOf } from '../../../src-shared/domain/provider.ts';
import {
  addsEvaluation,
  agentTool,
  AgentError,
  type AgentBackend,
  type AgentTool,
  type CallContext,
  type Client,
} from './agentTool.ts';
import { evaluationNumber } from './readingTools.ts';
import type { SessionBudget } from './sessionBudget.ts';

export interface RunningOptions {
  backend: AgentBackend;
  budget: SessionBudget;
  /** The models that may be asked, besides the built-in selector. */
  models: readonly ModelConfiguration[];
}

const builtin = modelConfiguration.parse({ provider: 'builtin', model: onlyModelOf('builtin') });
const costsMoney = ({ provider }: Pick<ModelConfiguration, 'provider'>) => isRemote(provider);

const maxListed = 50;
const maxReasons = 5;

/** Waits for the end of an evaluation, and cancels it if the call is canceled. */
async function waitForEnd(
  client: Client,
  { id, counts }: Evaluation,
  { signal, progress }: CallContext,
): Promise<Evaluation> {
  const cancel = (): void => void client.evaluations.cancel({ id }).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    let done = 0;
    for await (const event of await client.evaluations.watch({ id, afterSeq: 0 })) {
      if (event.type !== 'runs') continue;
      done += event.outcomes.length;
      progress(done, counts.total);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  return client.evaluations.get({ id });
}

/** Cost of every answer in US dollars; null if one is unknown. */
async function costOf(client: Client, id: string): Promise<number | null> {
  const { answers, costUsd } = (await client.evaluations.summary({ id })).usage.all;
  return answers === 0 ? 0 : costUsd;
}

const cases = z.array(z.object({ case_id: z.string(), request: z.string() }));
const shortCases = (list: readonly ComparedCase[]) =>
  list.slice(0, maxListed).map(({ caseKey, query }) => ({ case_id: caseKey, request: query }));

/** What one evaluation is started with, what it may cost, and what its answer says. */
interface Job<Answer> {
  paid: boolean;
  expectedUsd: (client: Client) => Promise<number | null>;
  start: (client: Client, spendLimitUsd: number | null) => Promise<Evaluation>;
  read: (client: Client, ended: Evaluation) => Promise<Answer>;
}

/** Runs an evaluation to its end, within the budget if it can cost money. */
function run<Answer>({ budget, backend }: RunningOptions, job: Job<Answer>, context: CallContext) {
  return backend.write(async (client) => {
    const finish = async (started: Evaluation) => {
      const ended = await waitForEnd(client, started, context);
      const costUsd = job.paid ? await costOf(client, ended.id) : 0;
      return { costUsd, result: { ...(await job.read(client, ended)), cost_usd: costUsd } };
    };
    const answer = job.paid
      ? await budget.spend(
          await job.expectedUsd(client),
          (leftUsd) => job.start(client, leftUsd),
          finish,
        )
      : (await finish(await job.start(client, null))).result;
    return { ...answer, budget_left_usd: budget.leftUsd };
  });
}

function runEvaluation(options: RunningOptions): AgentTool {
  const { backend, models } = options;
  const allowed = new Map([builtin, ...models].map((model) => [modelLabel(model), model]));
  const [first = '', ...others] = allowed.keys();
  return agentTool({
    name: 'run_evaluation',
    title: 'Run evaluation',
    description:
      'Starts a new evaluation: one model answers every case of a suite, and the choices are ' +
      'scored. Returns the pass rate and cost. What models cost counts against the budget of the session.',
    inputSchema: z.object({
      suite: z.string().min(1).max(200).describe('Suite name, as list_suites returns it'),
      model: z
        .enum([first, ...others])
        .default(first)
        .describe('Which model answers; the default needs no network and is free'),
      repetitions: z
        .number()
        .int()
        .min(1)
        .max(10)
        .default(1)
        .describe('How often each case is asked, from 1 to 10'),
    }),
    outputSchema: z.object({
      evaluation: z.number().int(),
      status: z.string(),
      reason: z.string().nullable(),
      headline: z.string(),
      pass_rate: z.number().nullable(),
      pass_rate_low: z.number().nullable().describe('Lower end of the 95% interval'),
      pass_rate_high: z.number().nullable().describe('Upper end of the 95% interval'),
      scored: z.number().int(),
      not_scored: z.number().int(),
      not_scored_reasons: z.array(z.string()),
      cost_usd: z.number().nullable(),
      budget_left_usd: z.number(),
    }),
    annotations: addsEvaluation,
    call: async ({ suite, model: label, repetitions }, context) => {
      const model = allowed.get(label) ?? builtin;
      const suites = await backend.reader.suites.list();
      const found = suites.find(({ name }) => name === suite);
      if (!found)
        throw new AgentError(
          `Suite ${suite}: It isn't in the workspace. The suites are: ` +
            `${suites.map(({ name }) => name).join(', ') || 'none'}.`,
        );
      const settings = {
        suiteId: found.id,
        models: [model],
        repetitions,
      };
      const job = {
        paid: costsMoney(model),
        expectedUsd: async (client: Client) => (await client.evaluations.plan(settings)).costUsd,
        start: async (client: Client, spendLimitUsd: number | null) => {
          const { problems } = await client.evaluations.plan(settings);
          const errors = problems.filter(({ severity }) => severity === 'error');
          if (errors.length > 0)
            throw new AgentError(errors.map(({ message }) => message).join(' '));
          return client.evaluations.start({ ...settings, spendLimitUsd });
        },
        read: async (client: Client, ended: Evaluation) => {
          const verdict = await client.results.verdict({ id: ended.id });
          const unscored = await client.results.unscored({ id: ended.id });
          const { value, low, high } = verdict.passRate;
          return {
            evaluation: ended.number,
            status: ended.state,
            reason: ended.reason,
            headline: headlineOf(verdict),
            pass_rate: value,
            pass_rate_low: low,
            pass_rate_high: high,
            scored: scoredOf(ended.outcomes),
            not_scored: ended.outcomes.not_scored + ended.outcomes.not_run,
            not_scored_reasons: unscored.slice(0, maxReasons).map((group) => unscoredText(group)),
          };
        },
      };
      return run(options, job, context);
    },
  });
}

const sameModel = (a: ModelConfiguration, b: ModelConfiguration) =>
  a.provider === b.provider &&
  a.model === b.model &&
  a.baseUrl === b.baseUrl &&
  a.command?.join('\0') === b.command?.join('\0');

function tryDescription(options: RunningOptions): AgentTool {
  const { backend, models } = options;
  return agentTool({
    name: 'try_description',
    title: 'Try description',
    description:
      'Proves whether a reworded description helps: repeats a finished evaluation with the new ' +
      'text for one tool and compares it case by case. The server itself is never changed.',
    inputSchema: z.object({
      evaluation: evaluationNumber.describe('Baseline to repeat, by its number'),
      tool: z
        .string()
        .regex(/^[^:]+:.+$/)
        .describe('ID of the tool, server:tool, for example todo:add_task'),
      description: z.string().min(1).max(100_000).describe('New wording to try'),
    }),
    outputSchema: z.object({
      evaluation: z.number().int(),
      baseline: z.number().int(),
      status: z.string(),
      answer: z.enum(['better', 'worse', 'cannot tell']),
      summary: z.string(),
      fixed: cases,
      broken: cases,
      fixed_count: z.number().int(),
      broken_count: z.number().int(),
      p_value: z.number().nullable(),
      cost_usd: z.number().nullable(),
      budget_left_usd: z.number(),
    }),
    annotations: addsEvaluation,
    call: async ({ evaluation, tool, description }, context) => {
      const base = await backend.reader.evaluations.get({ id: String(evaluation) });
      const [model, ...more] = base.models;
      if (model === undefined || more.length > 0)
        throw new AgentError(
          `Evaluation #${base.number}: It has ${base.models.length} models. Choose one with a ` +
            'single model.',
        );
      const own = base.settings.models[0];
      if (own === undefined || ![builtin, ...models].some((each) => sameModel(each, own)))
        throw new AgentError(
          `Evaluation #${base.number}: This session may not ask ${modelLabel(model)}. Choose an ` +
            `evaluation of ${[builtin, ...models].map(modelLabel).join(' or ')}.`,
        );
      const job = {
        paid: costsMoney(own),
        expectedUsd: (client: Client) => costOf(client, base.id),
        start: (client: Client, spendLimitUsd: number | null) =>
          client.evaluations.whatIf({
            id: base.id,
            changes: [{ kind: 'override', toolId: tool, description }],
            spendLimitUsd,
          }),
        read: async (client: Client, ended: Evaluation) => {
          const {
            candidates: [found],
          } = await client.results.compare({
            baseline: { id: base.id },
            candidates: [{ id: ended.id }],
          });
          if (!found) throw new AgentError('The comparison has no result. Try again.');
          return {
            evaluation: ended.number,
            baseline: base.number,
            status: ended.state,
            answer: found.answer,
            summary: describeAnswer(found),
            fixed: shortCases(found.fixed),
            broken: shortCases(found.regressed),
            fixed_count: found.fixed.length,
            broken_count: found.regressed.length,
            p_value: found.pValue,
          };
        },
      };
      return run(options, job, context);
    },
  });
}

/** The tools that add evaluations to the workspace. */
export const runningTools = (options: RunningOptions): AgentTool[] => [
  runEvaluation(options),
  tryDescription(options),
];
