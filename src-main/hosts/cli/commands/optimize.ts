import { counted, formatPercent, formatPValue } from '../../../../src-shared/display/numbers.ts';
import {
  describeStop,
  optimizationAnswer,
  optimizationNextStep,
  spendText,
} from '../../../../src-shared/display/optimizationTexts.ts';
import {
  evaluationSettings,
  type InlineSources,
} from '../../../../src-shared/domain/evaluation.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import {
  modelConfiguration,
  type ModelConfiguration,
} from '../../../../src-shared/domain/model.ts';
import {
  objectives,
  optimizationSettings,
  unitOf,
  type Optimization,
  type OptimizationBudget,
  type OptimizationPlan,
} from '../../../../src-shared/domain/optimization.ts';
import { providers } from '../../../../src-shared/domain/provider.ts';
import type { CommandContext } from '../commandContext.ts';
import { define, inSession, type OptionsOf } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import {
  readInlineSources,
  rejectUnregisteredServer,
  suiteIdOf,
} from '../input/evaluationSource.ts';
import { suiteEntries, programsFlag } from '../input/evalOptions.ts';
import { didYouMean } from '../../../../src-shared/display/nearest.ts';
import { ModelEnvironment } from '../input/modelEnvironment.ts';
import {
  additionFlags,
  modelFlags,
  readAdditionOptions,
  rejectAdditionOptions,
  readModelOptions,
} from '../input/modelOptions.ts';
import type { AgentOptions } from '../input/agentOption.ts';
import { oneOf, readBy, webAddress } from '../input/optionValues.ts';
import { runOptimized } from '../optimizedEvaluation.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';
import type { Client } from '../session.ts';
import { onInterrupt } from '../signals.ts';

const { objective, seed, maxSteps, maxAddedTokens } = optimizationSettings.shape;
const flags = [
  {
    '--suite <name|file>': { about: 'a suite of the workspace, or a suite file', required: true },
    '--tools <file>': 'improve the tools of this file; no server is started',
    '--server <name...>': 'improve the tools of these servers',
    '--provider <provider>': {
      about: `the model under test: ${providers.join(', ')}`,
      required: true,
      words: providers,
    },
    '--model <model>': 'model of the provider (TOUCHSTONE_MODEL)',
    '--proposer <proposer>': {
      about: 'who writes the candidates: rules, or a provider',
      default: 'rules',
    },
    '--proposer-model <model>': 'model of the proposer',
    '--proposer-url <url>': 'address of a compatible endpoint of the proposer',
    '--objective <objective>': {
      about: objectives.join(', '),
      default: 'accuracy',
      of: objective,
    },
    '--tool <id...>': 'edit only these tools, such as mail:search_messages; default: all',
    '--budget <limit...>': 'limits: calls=N tokens=N usd=N minutes=N',
    '--seed <n>': {
      about: 'the same seed and answers give the same result',
      default: '42',
      of: seed,
    },
    '--steps <n>': { about: 'the most candidates', default: '60', of: maxSteps },
    '--max-added-tokens <n>': {
      about:
        'the most tokens a tool may gain; it may always become as long as its server’s other tools',
      default: '60',
      of: maxAddedTokens,
    },
    '--repetitions <n>': {
      about: 'how many times each case or task runs',
      default: '1',
      of: evaluationSettings.shape.repetitions,
    },
    '--only <entries>': 'cases (default) or tasks of a suite that has both',
    '--execute <mode>':
      'execution mode of tasks: stub (default; executes nothing), read-only, or full',
    '--yes': 'agree to --execute full',
    ...programsFlag,
    '--out <file>': 'writes the edits as a JSON Patch on the tool list',
    '--diff <file>': 'writes the edits as a unified diff',
    '--markdown <file>': 'writes the text of a pull request',
    '--tools-out <file>': 'writes all tools with the edits, to be read as --tools',
  },
  modelFlags,
  additionFlags('proposer'),
] as const;
type OptimizeOptions = OptionsOf<typeof flags>;

export const optimize = define({
  flags,
  notes: 'Exit code 0: a candidate is proven; 1: nothing is proven.',
  example: 'optimize --suite office-sample --provider builtin --objective both --out patch.json',
  run: ({ options, ...context }) => runOptimize(options, context),
});

async function runOptimize(options: OptimizeOptions, context: CommandContext): Promise<void> {
  const { io, output } = context;
  const environment = new ModelEnvironment(io);
  webAddress(options.baseUrl, '--base-url');
  if (options.proposer === 'agent')
    throw new UsageError(
      '--proposer agent: An agent plays cases and writes no texts. Give rules, or a provider of a model.',
    );
  const model = readModel(
    { model: options.model, given: readModelOptions(options), agent: options },
    options.provider,
    '--provider',
    environment,
  );
  if (options.proposer === 'rules')
    rejectAdditionOptions(options, 'proposer', '--proposer with the provider of a model');
  const settings = optimizationSettings.parse({
    objective: options.objective,
    toolIds: options.tool ?? null,
    proposer:
      options.proposer === 'rules'
        ? { kind: 'rules' }
        : {
            kind: 'model',
            model: readModel(
              {
                model: options.proposerModel,
                given: {
                  baseUrl: webAddress(options.proposerUrl, '--proposer-url'),
                  ...readAdditionOptions(options, 'proposer'),
                },
              },
              options.proposer,
              '--proposer',
              environment,
            ),
          },
    budget: readBudget(options.budget ?? []),
    seed: options.seed,
    maxSteps: options.steps,
    maxAddedTokens: options.maxAddedTokens,
  });
  const { repetitions } = options;
  environment.note(output);
  if (options.only !== undefined) oneOf(options.only, '--only', suiteEntries);
  for (const file of [options.out, options.diff, options.markdown, options.toolsOut])
    if (file !== undefined) await checkOutput(file);
  const inline = await readInlineSources(options, io);
  rejectUnknownTool(options, inline);
  const isKept = !inline.suite || !inline.tools;
  await inSession(context, isKept ? 'write' : 'temporary', async ({ client }) => {
    await environment.checkAddress(client);
    const suiteId = await suiteIdOf(client, options.suite, inline);
    await rejectUnregisteredServer(client, options);
    const { wasCancelled, ...base } = await runOptimized(
      { client, options, suiteId, inline, model, repetitions },
      context,
    );
    if (wasCancelled) {
      output.error('Canceled before the search; nothing was tried.');
      io.setExitCode(exitCodes.incomplete);
      return;
    }
    const target = { ...settings, ...base, modelSettingsId: null };
    const estimated = await client.optimizations.plan(target);
    output.note(estimateText(estimated));
    for (const warning of estimated.warnings) output.note(`warning: ${warning}`);
    if (!isKept) output.note(firstProofNote);
    const started = await client.optimizations.start(target);
    const ended = await watchOptimization(client, started, context);
    output.answer(shape(ended, estimated, isKept), () => text(ended, isKept));
    await writePatches(client, ended, options, isKept);
    io.setExitCode(exitCodeOf(ended));
  });
}

function readModel(
  {
    model,
    given,
    agent,
  }: {
    model: string | undefined;
    given: Readonly<Record<string, unknown>>;
    agent?: AgentOptions;
  },
  provider: string,
  option: string,
  environment: ModelEnvironment,
): ModelConfiguration {
  const known = oneOf(provider, option, providers);
  const models = model === undefined ? undefined : [model];
  const [name = ''] = environment.modelsOf(known, models, agent);
  const configuration = { provider: known, model: name, ...environment.complete(known, given) };
  const from = `${option} ${provider}`;
  return readBy(modelConfiguration, configuration, from, 'The model can’t be used.');
}

/** Before anything runs; the tools of a server are known only afterwards. */
function rejectUnknownTool({ tool = [], tools }: OptimizeOptions, inline: InlineSources): void {
  const known = inline.tools?.map((entry) => toolId(entry.tool.server, entry.tool.name));
  const unknown = known && tool.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw new UsageError(
      `--tool ${unknown}: It isn't in ${tools ?? 'the file'}.${didYouMean(unknown, known ?? [])}`,
    );
}

const limits = ['calls', 'tokens', 'usd', 'minutes'] as const;

function readBudget(list: readonly string[]): Partial<OptimizationBudget> {
  const budget: Partial<OptimizationBudget> = {};
  for (const entry of list) {
    const [name = '', value = ''] = entry.split('=');
    const key = oneOf(name, '--budget', limits);
    const number = Number(value);
    const isWhole = key === 'usd' || key === 'minutes' || Number.isInteger(number);
    if (value === '' || !Number.isFinite(number) || number <= 0 || !isWhole)
      throw new UsageError(`--budget ${entry}: It needs a number above 0, such as ${key}=100.`);
    budget[key] = number;
  }
  return budget;
}

/** A run on files alone can't know what was proved on the same cases before. */
const firstProofNote =
  'The level assumes that this is the first proof on these held-out cases: a suite file with a tools ' +
  'file keeps no count. Import the suite to count its proofs.';

function estimateText({
  unit,
  searchCases,
  proofCases,
  level,
  estimate,
  typical,
}: OptimizationPlan): string {
  return (
    `${counted(searchCases, unit)} to search with, ${counted(proofCases, unit)} to prove with ` +
    `(p ≤ ${formatPValue(level)}). Typical: ${spendText(typical)}. At most: ${spendText(estimate)}.`
  );
}

/** Shows each step until the optimization has ended. Ctrl-C pauses it. */
async function watchOptimization(
  client: Client,
  { id, settings }: Optimization,
  { output }: CommandContext,
): Promise<Optimization> {
  const startedAt = Date.now();
  const unsubscribe = onInterrupt(() => {
    output.note('Pausing; what was found is kept.');
    void client.optimizations.pause({ id }).catch(() => undefined);
  });
  try {
    for await (const { steps } of await client.optimizations.watch({ id }))
      output.progress(steps.length, settings.maxSteps, startedAt, 'candidates');
  } finally {
    output.endProgress();
    unsubscribe();
  }
  return client.optimizations.get({ id });
}

async function writePatches(
  client: Client,
  { id, result }: Optimization,
  { out, diff, markdown, toolsOut }: OptimizeOptions,
  isKept: boolean,
): Promise<void> {
  if (result === null) return;
  for (const [file, format] of [
    [out, 'json_patch'],
    [diff, 'diff'],
    [markdown, 'markdown'],
    [toolsOut, 'tools_file'],
  ] as const) {
    if (file === undefined) continue;
    const { text: patch } = await client.optimizations.export({ id, format });
    const note = format === 'markdown' && !isKept ? `\n${firstProofNote}\n` : '';
    await writeOutput(file, `${patch}${note}`);
  }
}

function exitCodeOf({ state }: Optimization): (typeof exitCodes)[keyof typeof exitCodes] {
  if (state === 'accepted') return exitCodes.pass;
  return state === 'nothing_found' || state === 'rejected' || state === 'cannot_tell'
    ? exitCodes.gateFailed
    : exitCodes.incomplete;
}

function shape(
  { state, stopped, steps, spent, result, settings, proofRank }: Optimization,
  { estimate, typical, warnings }: OptimizationPlan,
  isKept: boolean,
) {
  return {
    status: state,
    stopped,
    unit: unitOf(settings),
    objective: settings.objective,
    seed: settings.seed,
    candidates: steps.length,
    estimate,
    typical,
    warnings,
    proof_rank: proofRank,
    assumes_first_proof: !isKept,
    spent,
    result,
    steps,
  };
}

function text(optimization: Optimization, isKept: boolean): string {
  const { result, steps, spent, settings } = optimization;
  const refused = steps.filter((step) => step.result === 'refused').length;
  const gained = steps.filter((step) => step.result === 'best' || step.result === 'kept').length;
  const nextStep = optimizationNextStep(optimization);
  return [
    optimizationAnswer(optimization),
    ...(result === null
      ? []
      : [
          `${result.won} fixed, ${result.lost} broken; p = ${formatPValue(result.pValue)}, needed p ≤ ${formatPValue(result.level)}.`,
          ...result.reasons,
          ...(isKept ? [] : [firstProofNote]),
          '',
          ...result.tools
            .filter(({ before, after }) => before !== after)
            .map(
              ({ toolId, before, after, cases }) =>
                `${toolId}: ${formatPercent(before / cases)} → ${formatPercent(after / cases)} of ${counted(cases, unitOf(settings))}`,
            ),
        ]),
    '',
    `${counted(steps.length, 'candidate')}: ${gained} helped, ${refused} refused, ${steps.length - gained - refused} without gain. ${describeStop(optimization)}`,
    `Used: ${spendText(spent)}.`,
    ...(nextStep === '' ? [] : ['', nextStep]),
  ].join('\n');
}
