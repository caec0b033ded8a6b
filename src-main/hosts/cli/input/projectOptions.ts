import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProjectFile, ProjectModel } from '../../../../src-shared/domain/projectFile.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { readProjectText } from '../../../services/checks/projectText.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import type { AskedModels, EvalOptions } from './evalOptions.ts';
import { readInput } from './files.ts';
import type { BaselineOptions } from './gateOptions.ts';

/** The project file that `check` reads if none is named. */
export const projectFileName = 'touchstone.yaml';

/** The options of `check`. */
export interface CheckOptions extends Partial<EvalOptions>, BaselineOptions {
  config?: string;
  against?: string;
}

/** A project file with the folder that its paths begin in. */
export interface Project {
  file: ProjectFile;
  folder: string;
}

/** Reads the named project file, or the one of this folder; null if there is none. */
export async function readProject(
  named: string | undefined,
  io: CommandIo,
): Promise<Project | null> {
  if (named === undefined && !existsSync(projectFileName)) return null;
  const name = named ?? projectFileName;
  const { file, problems } = readProjectText(await readInput(name, io));
  const [first] = problems;
  if (file === null)
    throw new UsageError(
      `${name}:${first?.line ?? 1}:${first?.column ?? 1}: ` +
        (first?.message ?? "It isn't a project file.") +
        (problems.length > 1 ? ` (and ${counted(problems.length - 1, 'more problem')})` : ''),
    );
  return { file, folder: name === '-' ? '.' : dirname(name) };
}

const text = (value: number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** A file of the project by its path from here; a name with no such file is a name. */
function suiteOf(suite: string, folder: string): string {
  const path = join(folder, suite);
  return /\.(ya?ml|json)$/i.test(suite) || existsSync(path) ? path : suite;
}

function modelOf({ provider, model, ...own }: ProjectModel): AskedModels {
  return {
    provider,
    ...(model !== undefined && { model: [model] }),
    options: {
      baseUrl: own.base_url,
      preset: own.preset,
      command: own.command,
      api: own.api,
      temperature: text(own.temperature),
      timeout: text(own.timeout),
      retries: text(own.retries),
      reasoningEffort: own.reasoning_effort,
      strict: own.strict,
      deferTools: own.defer_tools,
      confidence: own.confidence,
      contextTokens: text(own.context_tokens),
      rpm: text(own.requests_per_minute),
    },
  };
}

const pairs = (limits: Readonly<Record<string, number | undefined>> | undefined): string[] =>
  Object.entries(limits ?? {}).flatMap(([name, limit]) =>
    limit === undefined ? [] : [`${name}=${limit}`],
  );

/** A project as the options that say the same, so that both are checked in one place. */
export function projectOptions({ file, folder }: Project): CheckOptions {
  const at = (path: string): string => join(folder, path);
  const { thresholds, baseline } = file;
  return withoutUndefined({
    suite: suiteOf(file.suite, folder),
    tools: file.tools && at(file.tools),
    server: file.servers,
    models: file.models?.map(modelOf),
    replay: file.replay && at(file.replay),
    cache: file.cache && at(file.cache),
    repetitions: text(file.repetitions),
    concurrency: text(file.concurrency),
    topK: text(file.top_k),
    retriever: file.retriever,
    seed: text(file.seed),
    shuffleCases: file.shuffle_cases,
    shuffleTools: file.shuffle_tools,
    system: file.system,
    serverInstructions: file.server_instructions,
    maxTurns: text(file.max_turns),
    spendLimit: text(file.budget?.cost_usd),
    min: thresholds?.min && pairs(thresholds.min),
    max: thresholds?.max && pairs(thresholds.max),
    against: baseline?.report && at(baseline.report),
    tolerance: baseline?.tolerance && pairs(baseline.tolerance),
    maxBroken: text(baseline?.max_broken),
    allowChangedCases: baseline?.allow_changed_cases,
    pooled: file.pooled,
    allowFailed: text(file.allow_failed),
    report: file.reports?.map((name) => (name === 'github' ? name : at(name))),
  });
}

/** What was given on the command line replaces what the file says. */
export function mergeOptions(project: Project | null, flags: CheckOptions): CheckOptions {
  const own = project === null ? {} : projectOptions(project);
  const merged: CheckOptions = { ...own, ...withoutUndefined(flags) };
  // Another provider or model replaces the models of the file.
  const [first] = own.models ?? [];
  if (flags.provider !== undefined || flags.model !== undefined) {
    delete merged.models;
    merged.provider = flags.provider ?? first?.provider;
  }
  if (flags.tools !== undefined) delete merged.server;
  if (flags.server !== undefined) delete merged.tools;
  return merged;
}

const withoutUndefined = (options: object): CheckOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
