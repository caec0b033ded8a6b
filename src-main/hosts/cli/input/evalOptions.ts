import { resolve } from 'node:path';
import {
  evaluationSettings,
  type EvaluationRequest,
  type InlineSources,
} from '../../../../src-shared/domain/evaluation.ts';
import {
  clientIds,
  presentedAs,
  type ClientId,
  type PresentedAs,
} from '../../../../src-shared/domain/clientFacts.ts';
import { argumentsModes } from '../../../../src-shared/domain/testCase.ts';
import { executionModes } from '../../../../src-shared/domain/task.ts';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { providers } from '../../../../src-shared/domain/provider.ts';
import { formatsBySubject } from '../../../../src-shared/domain/report.ts';
import { shard, type Shard } from '../../../../src-shared/domain/shard.ts';
import type { JudgedBy } from '../../../services/checks/judgeReports.ts';
import { offlineRetrieverIds } from '../../../services/retrieval/offlineRetrieverIds.ts';
import { headed, type OptionsOf } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { reportFlags } from '../output/reportFiles.ts';
import type { StoredInput } from './files.ts';
import { gateFlags } from './gateOptions.ts';
import {
  additionFlags,
  modelFlags,
  orderFlags,
  readModelOptions,
  readOrderOptions,
  type ModelOptions,
} from './modelOptions.ts';
import type { ModelEnvironment } from './modelEnvironment.ts';
import type { DeclaredServers } from './projectServers.ts';
import { oneOf, webAddress, wholeNumber } from './optionValues.ts';

export interface AskedModels {
  provider: string;
  model?: string[];
  options: ModelOptions;
}

export const suiteEntries = ['cases', 'tasks'] as const;

const topKNumber = { minValue: 1, maxValue: 10_000 };

/** The flag of every command that scores arguments. */
export const argumentsModeFlag = {
  '--arguments-mode <mode>': {
    about:
      'exact: arguments that a case does not list are wrong (default: at-least); the mode of a case ' +
      'or suite wins',
    choices: argumentsModes,
  },
} as const;

/** The flag of every command that shows tools to models. */
export const clientFlag = {
  '--client <name>': {
    about: `present tools as this client does: ${clientIds.join(', ')} (default: generic, as providers take them)`,
    choices: presentedAs.options,
  },
} as const;

/** The same of commands that can run as several clients, one after the other. */
const clientsFlag = {
  '--client <names>': {
    about: `${clientFlag['--client <name>'].about}; several, with commas between, run one after the other and are compared`,
    words: presentedAs.options,
  },
} as const;

/** The clients of --client, each once; empty: as providers take tools. */
export function readClients(text: string | undefined): PresentedAs[] {
  if (text === undefined) return [];
  const names = text.split(',').map((name) => name.trim());
  return [...new Set(names.map((name) => oneOf(name, '--client', presentedAs.options)))];
}

/** The flag of every command that may start programs of a suite. No file can give it. */
export const programsFlag = {
  '--allow-programs':
    'let the suite start its programs: checks by programs, and those that prepare its runs',
} as const;

/**
 * The flags of `eval`. They have no defaults of commander, so that another command can tell what was
 * given.
 */
export const evalFlags = [
  {
    '--suite <name|file>': 'a suite of the workspace, or a suite file (- reads standard input)',
    '--tools <file>':
      'offer the tools of this file without starting a server; with a suite file, nothing is stored',
    '--server <name...>': 'offer the tools of these servers to every case',
    '--provider <provider>': { about: providers.join(', '), words: providers },
    '--model <model...>': 'model of the provider, or several (TOUCHSTONE_MODEL)',
    '--repetitions <n>': 'how many times each case runs (default: 1)',
    '--concurrency <n>': 'how many at a time (default: 8)',
    '--estimate': 'estimate tokens and cost, and start nothing',
    '--count': 'with --estimate: let the provider count input tokens',
    '--only <entries>': 'cases or tasks of a suite that has both',
    '--verbose': 'show every warning, including repeated ones',
  },
  headed('Verdict and reports:', gateFlags, reportFlags(formatsBySubject.evaluation)),
  modelFlags,
  headed(
    'Tools, prompts, order and spending:',
    {
      '--top-k <k>': 'show the model only the best k tools for each case',
      '--retriever <name>': {
        about: 'what ranks them: default, bm25, tfidf or hybrid',
        words: offlineRetrieverIds,
      },
      ...clientsFlag,
    },
    orderFlags,
    argumentsModeFlag,
  ),
  headed('Stored answers and parts:', {
    '--record <file>':
      'append every exchange to this file; with --replay of the same file, only those it lacks',
    '--replay <file>': 'answer from this file instead of asking a model',
    '--cache <dir>': 'keep answers in this folder, and ask a model only for those that it lacks',
    '--shard <i/n>':
      'run only part i of n of the suite; `touchstone merge` makes one result of their JSON reports',
  }),
  headed(
    'Tasks, their judge and simulated user:',
    {
      '--execute <mode>': `execution mode of tasks: ${executionModes.join(', ')} (default: stub, which executes nothing)`,
      '--yes': 'agree that --execute full runs every tool that a model calls',
      ...programsFlag,
      '--judge-provider <provider>': 'provider of the judge (default: --provider)',
      '--judge-model <models>':
        'model that judge checks of tasks ask; several, with commas between, decide by majority',
      '--judge-base-url <url>': 'address of the judge, if it is a compatible endpoint',
      '--user-provider <provider>': 'provider of the simulated user (default: --provider)',
      '--user-model <model>': 'model that plays simulated users of tasks',
      '--user-base-url <url>': 'address of that model, if it is a compatible endpoint',
      '--labels <file>': 'what people said about judge checks of earlier runs (JSON lines)',
    },
    additionFlags('judge'),
    additionFlags('user'),
  ),
] as const;

/** The options of `eval`, as its flags or a project file give them. */
export type EvalOptions = OptionsOf<typeof evalFlags> & {
  suite: string;
  /** The models of a project file, in place of the flags. */
  models?: AskedModels[];
  /** Those of a project file, under the flags. */
  judges?: AskedModels[];
  user?: AskedModels;
  /** Servers that a project file starts. */
  declared?: DeclaredServers;
};

/** Checks the options before any file or workspace is opened. */
export function checkEvalOptions(options: EvalOptions): void {
  for (const { provider } of askedModels(options)) oneOf(provider, '--provider', providers);
  webAddress(options.baseUrl, '--base-url');
  wholeNumber(options.repetitions, '--repetitions', evaluationSettings.shape.repetitions.unwrap());
  wholeNumber(options.concurrency, '--concurrency', evaluationSettings.shape.concurrency.unwrap());
  wholeNumber(options.topK, '--top-k', topKNumber);
  if (options.execute !== undefined) oneOf(options.execute, '--execute', executionModes);
  if (options.only !== undefined) oneOf(options.only, '--only', suiteEntries);
  if (
    readShard(options.shard) !== null &&
    options.estimate !== true &&
    !(options.report ?? []).some((file) => file.endsWith('.json'))
  )
    throw new UsageError(
      '--shard: `touchstone merge` needs the JSON report of each part. Give --report FILE.json.',
    );
  if (options.provider === 'replay' && options.replay === undefined)
    throw new UsageError('--provider replay: It needs a recording. Give --replay FILE.');
  if (options.count === true && options.estimate !== true)
    throw new UsageError(
      'eval: --count works only with --estimate: in a run, tokens are reported by ' +
        'the provider. Give both, or neither.',
    );
  if (options.record !== undefined && options.replay !== undefined) {
    if (options.provider === 'replay')
      throw new UsageError(
        'eval: --record and --replay need a model to ask for what the recording lacks. Give ' +
          '--provider and --model.',
      );
    if (resolve(options.record) !== resolve(options.replay))
      throw new UsageError(
        'eval: --record and --replay together complete one recording. Give both the same file.',
      );
  }
  const { maxLength } = modelConfiguration.shape.model;
  const invalidName = options.model?.find(
    (name) => name === '' || name.length > (maxLength ?? Infinity),
  );
  if (invalidName !== undefined)
    throw new UsageError(
      `--model ${invalidName.slice(0, 20)}: It needs a name of 1 to ${maxLength} characters.`,
    );
  if ([options.suite, options.tools, options.replay].filter((file) => file === '-').length > 1)
    throw new UsageError(
      'eval: Standard input can be read for one option only. Put the others into files.',
    );
  for (const option of ['suite', 'tools', 'record', 'replay', 'cache'] as const)
    if (options[option] === '')
      throw new UsageError(
        `--${option}: The name is empty. Name a ${option === 'cache' ? 'folder' : 'file'}.`,
      );
}

/** `2/4`, the second of four parts; null if the whole suite runs. */
function readShard(text: string | undefined): Shard | null {
  if (text === undefined) return null;
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const read = shard.safeParse({ index: Number(index), of: Number(of) });
  if (read.success) return read.data;
  throw new UsageError(
    `--shard ${text}: It needs the form I/N, such as 2/4 for the second of four parts.`,
  );
}

/** The models of the options, or else those of a project file. Options for models apply to both. */
const askedModels = (options: EvalOptions): AskedModels[] =>
  options.models === undefined
    ? [
        {
          provider: options.provider ?? (options.agent === undefined ? '' : 'agent'),
          ...(options.model && { model: options.model }),
          options,
        },
      ]
    : options.models.map((asked) => ({ ...asked, options: { ...asked.options, ...options } }));

/** The configurations of the models of one provider, or their replay. */
function modelsOf(
  asked: AskedModels,
  recording: StoredInput | null,
  isCompleted: boolean,
  environment: ModelEnvironment,
): Record<string, unknown>[] {
  const provider = oneOf(asked.provider, '--provider', providers);
  const models = environment.modelsOf(provider, asked.model, asked.options);
  if (models.length === 0)
    throw new UsageError(
      `--provider ${provider}: It needs a model. Give --model ` +
        `NAME${recording ? ', the name that was recorded' : ''}.`,
    );
  if (provider === 'command' && !recording && asked.options.command === undefined)
    throw new UsageError('--provider command: It needs a program. Give --command LINE.');
  return models.map((model) => ({
    // With --record, the recording is completed: its own provider is asked for the rest.
    provider: recording && !isCompleted ? 'replay' : provider,
    model,
    ...environment.complete(provider, readModelOptions(asked.options)),
    replayFile: recording?.path ?? null,
  }));
}

/** The only client of --client; undefined: as providers take tools. */
function clientOf(text: string | undefined): ClientId | undefined {
  const [client = 'generic'] = readClients(text);
  return client === 'generic' ? undefined : client;
}

export function toEvaluationRequest(
  options: EvalOptions,
  inline: InlineSources,
  suiteId: string | null,
  { thresholds, pooled }: Pick<JudgedBy, 'thresholds' | 'pooled'>,
  recording: StoredInput | null,
  environment: ModelEnvironment,
): EvaluationRequest {
  if (options.retriever !== undefined && options.topK === undefined)
    throw new UsageError('eval: --retriever ranks the tools of --top-k. Give --top-k K.');
  const read = evaluationSettings.safeParse({
    suiteId,
    servers: options.server ?? null,
    models: askedModels(options).flatMap((asked) =>
      modelsOf(asked, recording, options.record !== undefined, environment),
    ),
    ...readOrderOptions(options),
    repetitions: wholeNumber(options.repetitions, '--repetitions'),
    concurrency: wholeNumber(options.concurrency, '--concurrency'),
    // A running window that does the work has another working folder.
    recordFile: options.record === undefined ? null : resolve(options.record),
    cacheFolder: options.cache === undefined ? null : resolve(options.cache),
    shard: readShard(options.shard),
    gates: thresholds,
    pooledGates: pooled,
    topK: wholeNumber(options.topK, '--top-k', topKNumber) ?? null,
    retriever: options.retriever,
    argumentsMode: options.argumentsMode,
    client: clientOf(options.client),
  });
  const [issue] = read.error?.issues ?? [];
  if (!read.success)
    throw new UsageError(
      `eval: ${String(issue?.path.at(-1) ?? 'The options')}: ` +
        (issue?.message ?? "They can't be combined."),
    );
  const settings = read.data;
  return inline.suite || inline.tools ? { ...settings, inline } : settings;
}
