import { z } from 'zod';
import { unscoredText } from '../../../src-shared/display/judgementTexts.ts';
import { leftOutText } from '../../../src-shared/display/suiteTexts.ts';
import { headlineOf, scoredOf } from '../../../src-shared/display/verdictTexts.ts';
import type { Evaluation, InlineSources } from '../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import { builtin, costsMoney, runJob, type RunningOptions } from './agentRuns.ts';
import { addsEvaluation, agentTool, type AgentTool, type Client } from './agentTool.ts';
import { readAllowedSuite } from './allowedFolder.ts';
import { findSuite } from './findEvaluation.ts';
import { tryCandidate } from './tryCandidate.ts';

const maxReasons = 5;

function runEvaluation(options: RunningOptions): AgentTool {
  const { models } = options;
  const allowed = new Map([builtin, ...models].map((model) => [modelLabel(model), model]));
  const [first = '', ...others] = allowed.keys();
  return agentTool({
    name: 'run_evaluation',
    title: 'Run evaluation',
    description:
      'Starts a new evaluation: one model answers every case of a suite, stored or in a file, and ' +
      'the choices are scored. Returns the pass rate and cost. What models cost counts against the ' +
      'budget of the session.',
    inputSchema: z.object({
      suite: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('Suite name, as list_suites returns it, unless suite_file is given'),
      suite_file: z
        .string()
        .max(1000)
        .optional()
        .describe('Suite file instead, relative to the allowed folder'),
      tools_file: z
        .string()
        .max(1000)
        .optional()
        .describe('Listing file with the tools to offer, instead of the registered servers'),
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
      left_out: z.string().nullable().describe('What of the suite did not run'),
      budget_left_usd: z.number(),
    }),
    annotations: addsEvaluation,
    call: async (
      { suite, suite_file: file, tools_file: tools, model: label, ...rest },
      context,
    ) => {
      const model = allowed.get(label) ?? builtin;
      const { repetitions } = rest;
      const settings = {
        ...(await sourcesOf(options, { suite, file, tools })),
        models: [model],
        repetitions,
      };
      let leftOut = '';
      const job = {
        paid: costsMoney(model),
        expectedUsd: async (client: Client) => (await client.evaluations.plan(settings)).costUsd,
        start: async (client: Client, spendLimitUsd: number | null) => {
          const plan = await client.evaluations.plan(settings);
          leftOut = leftOutText('case', plan);
          const { problems } = plan;
          const errors = problems.filter(({ severity }) => severity === 'error');
          if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join(' '));
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
            left_out: leftOut === '' ? null : leftOut,
          };
        },
      };
      return runJob(options, job, context);
    },
  });
}

export const runningTools = (options: RunningOptions): AgentTool[] => [
  runEvaluation(options),
  tryCandidate(options),
];

/** The suite of the workspace, or the suite and the tools of files in the allowed folder. */
async function sourcesOf(
  { backend: { reader }, readFile }: RunningOptions,
  given: Record<'suite' | 'file' | 'tools', string | undefined>,
): Promise<{ suiteId: string | null; inline?: InlineSources }> {
  if ((given.suite === undefined) === (given.file === undefined))
    throw new Error('Give either suite or suite_file.');
  const inline: InlineSources = {};
  if (given.tools !== undefined) {
    const { tools, rejected } = await reader.evaluations.readTools(await readFile(given.tools));
    const [bad] = rejected;
    if (bad !== undefined) throw new Error(`${given.tools}: ${bad.name}: ${bad.reason}`);
    inline.tools = tools.map(({ tool, raw }) => ({ tool, raw }));
  }
  if (given.file !== undefined) inline.suite = await readAllowedSuite(readFile, given.file);
  return {
    suiteId: given.suite === undefined ? null : (await findSuite(reader, given.suite)).id,
    ...((inline.suite ?? inline.tools) && { inline }),
  };
}
