import { z } from 'zod';
import { maxJudges } from './judgePromptText.ts';
import { clientIds, presentedAs } from './clientFacts.ts';
import { notSent } from './environmentDefaults.ts';
import { evaluationSettings } from './evaluation.ts';
import { gateBounds, gateMetrics, plainGateMetrics } from './gate.ts';
import { modelConfiguration, type ModelConfiguration } from './model.ts';
import { modelFieldList, type ModelSetting } from './modelFields.ts';
import { priceInput } from './price.ts';
import { projectServers } from './projectServers.ts';
import { executionModes } from './task.ts';

const model = modelConfiguration.shape;
const settings = evaluationSettings.shape;

/** The inner schema of a field with a default: here, a field that is left out has no value yet. */
const given = <Schema extends z.ZodType>(schema: z.ZodDefault<Schema>, about: string) =>
  schema.unwrap().describe(about).optional();

/** The schema of a setting in a file: without its default and null, with what the table says. */
function fieldSchema(name: ModelSetting, about: string | undefined): z.ZodType {
  let schema: z.ZodType = ownSchemas[name] ?? model[name];
  while (schema instanceof z.ZodDefault || (schema instanceof z.ZodNullable && !ownSchemas[name]))
    schema = schema.unwrap() as z.ZodType;
  return (about === undefined ? schema : schema.describe(about)).optional();
}

/** Settings that a file writes otherwise than a configuration holds them. */
const ownSchemas: Partial<Record<ModelSetting, z.ZodType>> = {
  command: z.string().max(10_000),
  agent: z.string().min(1).max(1_000),
  temperature: z.union([model.temperature.unwrap(), z.literal(notSent)]),
};

const presetSchema = z.string().describe('A well-known endpoint in place of base_url.').optional();

const projectModel = z
  .strictObject({
    provider: model.provider,
    model: model.model.describe('Left out: the only model of the provider.').optional(),
    ...(Object.fromEntries(
      modelFieldList.flatMap(([name, { key, fileAbout }]) => [
        [key, fieldSchema(name, fileAbout)],
        ...(name === 'baseUrl' ? [['preset', presetSchema]] : []),
      ]),
    ) as Record<string, z.ZodType>),
  })
  .meta({ title: 'Model', description: 'A model that is asked. It holds no key.' });
export type ProjectModel = Pick<ModelConfiguration, 'provider'> & { model?: string } & Readonly<
    Record<string, unknown>
  >;

const rates = gateMetrics.flatMap((metric) =>
  gateBounds.map((bound) => (bound === 'value' ? metric : (`${metric}.${bound}` as const))),
);
const limits = z.partialRecord(z.enum([...rates, ...plainGateMetrics]), z.number());

/** What is run and held against something: of the whole file, or of one of its suites. */
const settingsOfSuite = {
  tools: z
    .string()
    .min(1)
    .describe('A file of tools, in place of servers. With a suite file, no workspace is opened.')
    .optional(),
  servers: projectServers
    .describe('What starts or reaches the servers for this check; or names of registered servers.')
    .optional(),
  models: z.array(projectModel).min(1).describe('Each model is judged by itself.').optional(),
  judge: projectModel.optional().describe('The model that judge checks of tasks ask.'),
  judges: z
    .array(projectModel)
    .min(2)
    .max(maxJudges)
    .describe('In place of `judge`: several models, whose majority decides.')
    .optional(),
  user: projectModel.optional().describe('The model that plays simulated users of tasks.'),
  replay: z.string().min(1).describe('A recording that answers in place of the models.').optional(),
  cache: z
    .string()
    .min(1)
    .describe('A folder for answers: a model is asked only for those that it lacks.')
    .optional(),
  only: z.enum(['cases', 'tasks']).describe('Of a suite that has both.').optional(),
  execute: z
    .enum(executionModes)
    .describe('What tasks may execute; `full` also needs --yes on the command line.')
    .optional(),
  repetitions: z
    .union([
      settings.repetitions.unwrap(),
      z.strictObject({
        up_to: settings.repetitionsUpTo
          .unwrap()
          .describe(
            'Each case once, and those that disagree with the baseline this many times in all. Without ' +
              'a baseline to compare with, every case this many times.',
          ),
      }),
    ])
    .describe('How many times each case runs.')
    .optional(),
  concurrency: given(settings.concurrency, 'How many runs at a time.'),
  top_k: settings.topK.unwrap().unwrap().describe('Show only the best k tools.').optional(),
  retriever: z.string().min(1).describe('What ranks the tools of top_k.').optional(),
  seed: given(settings.seed, 'Seed of every random order.'),
  shuffle_cases: z.boolean().optional(),
  shuffle_tools: z.boolean().describe('Another tool order in each repetition.').optional(),
  client: z
    .union([z.enum(presentedAs.options), z.array(z.enum(presentedAs.options)).min(1)])
    .describe(
      'Present tools as this client does; generic: as providers take them. Several run one after ' +
        'the other and are compared.',
    )
    .optional(),
  arguments_mode: given(
    settings.argumentsMode,
    'exact: arguments that a case does not list are wrong. The mode of a case or suite wins.',
  ),
  system: z.string().max(100_000).describe("Replaces the suite's system prompt.").optional(),
  server_instructions: given(
    settings.serverInstructions,
    "Append the servers' own instructions to the system prompt.",
  ),
  max_turns: given(settings.maxTurns, 'Answer calls with stub results.'),
  thresholds: z
    .strictObject({
      min: limits.describe('The check fails if a metric is lower.').optional(),
      max: limits.describe('The check fails if a metric is higher.').optional(),
    })
    .describe('Limits that each model must hold.')
    .optional(),
  baseline: z
    .strictObject({
      report: z.string().min(1).describe('The JSON report to compare with.').optional(),
      release: z
        .string()
        .min(1)
        .describe(
          'A JSON report that stays until you replace it, such as that of the last release: small ' +
            'losses add up against it. Only the cases that both share are compared.',
        )
        .optional(),
      tolerance: z
        .partialRecord(z.enum(gateMetrics), z.number().min(0))
        .describe(
          'How much worse a metric may be. Without one for pass_rate or success_rate, a paired ' +
            'test decides whether a model is worse.',
        )
        .optional(),
      max_broken: z
        .int()
        .min(0)
        .describe('How many cases may pass in the baseline and fail now.')
        .optional(),
      allow_changed_cases: z
        .boolean()
        .describe('Compare only the cases that both share. Otherwise, a difference is refused.')
        .optional(),
    })
    .describe('What a result is compared with, case by case.')
    .optional(),
  renamed: z
    .record(z.string().min(1), z.string().min(1))
    .describe(
      'New names of tools by their names in the baseline, as `tool` or `server:tool`. Expectations ' +
        'follow, and cases are paired.',
    )
    .optional(),
  max_hidden: z
    .union([
      z.int().min(0),
      z.strictObject({
        tools: z.int().min(0),
        clients: z.array(z.enum(clientIds)).min(1),
      }),
    ])
    .describe(
      'How many tools may not reach the model in a client, such as Claude Code: of every client that ' +
        'is known, or of those that are named.',
    )
    .optional(),
  pooled: z.boolean().describe('Judge all models together.').optional(),
  allow_failed: z
    .int()
    .min(0)
    .describe('How many runs may have no score. Otherwise, there is no verdict.')
    .optional(),
  budget: z
    .strictObject({
      cost_usd: settings.spendLimitUsd.unwrap().unwrap().describe('Start no run beyond it.'),
    })
    .optional(),
  reports: z
    .array(z.string().min(1))
    .describe('Reports to write: file names, whose extension decides the format, or github.')
    .optional(),
};
const ofFile = {
  version: z.literal(1).describe('Version of this format.'),
  prices: z
    .array(
      z.strictObject({
        provider: priceInput.shape.provider,
        model: priceInput.shape.model,
        input_usd: priceInput.shape.inputUsd,
        output_usd: priceInput.shape.outputUsd,
      }),
    )
    .describe('US dollars per million tokens, for a suite and tools that are files.')
    .optional(),
};
const suiteName = z
  .string()
  .min(1)
  .describe('A suite file, or the name of a suite of the workspace.');

/** One of several suites. What it leaves out is as the file says for all of them. */
const projectSuite = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(100)
      .describe('Names its result and its reports. Left out: the name of its file.')
      .optional(),
    suite: suiteName,
    ...settingsOfSuite,
  })
  .meta({ title: 'Suite', description: 'Its fields replace those of the file.' });
export type ProjectSuite = z.infer<typeof projectSuite>;

/** The settings of `check` as a file, in YAML or JSON; published as `datasets/touchstone.schema.json`. */
export const projectFile = z
  .union([
    z.strictObject({ ...ofFile, suite: suiteName, ...settingsOfSuite }),
    z.strictObject({
      ...ofFile,
      suites: z.array(projectSuite).min(1).max(100).describe('Several suites with one verdict.'),
      ...settingsOfSuite,
    }),
  ])
  .meta({
    title: 'Touchstone project',
    description: 'What `touchstone check` runs, and what its result is held against.',
  });
export type ProjectFile = z.infer<typeof projectFile>;
