import { existsSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import type {
  ProjectFile,
  ProjectModel,
  ProjectSuite,
} from '../../../../src-shared/domain/projectFile.ts';
import { notSent } from '../../../../src-shared/domain/environmentDefaults.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { modelFieldList } from '../../../../src-shared/domain/modelFields.ts';
import {
  writeAddition,
  type AdditionName,
} from '../../../../src-shared/domain/requestAdditions.ts';
import { findWrittenCredential } from '../../../services/models/requestSecrets.ts';
import { readProjectText } from '../../../services/checks/projectText.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import type { AskedModels, EvalOptions } from './evalOptions.ts';
import { readInput } from './files.ts';
import type { BaselineOptions, HiddenOptions } from './gateOptions.ts';
import { optionName, type ModelOptions } from './modelOptions.ts';
import { didYouMean } from '../../../../src-shared/display/nearest.ts';
import { unreadableFile } from './otherFile.ts';
import { sortServers } from './projectServers.ts';

/** The project file that `check` reads if none is named. */
export const projectFileName = 'touchstone.yaml';

/** The options of `check`. */
export type CheckOptions = Partial<EvalOptions> &
  BaselineOptions &
  HiddenOptions & {
    config?: string;
    against?: string;
    ownAddresses?: boolean;
    repetitionsUpTo?: string;
    renamed?: string[];
  };

/** A project file with the folder that its paths begin in. */
export interface Project {
  /** Each with what the file says for all of them. */
  suites: readonly ProjectSuite[];
  prices: NonNullable<ProjectFile['prices']>;
  folder: string;
}

/** Reads the named project file, or the one of this folder; null if there is none. */
export async function readProject(
  named: string | undefined,
  io: CommandIo,
): Promise<Project | null> {
  if (named === undefined && !existsSync(projectFileName)) return null;
  const name = named ?? projectFileName;
  const text = await readInput(name, io);
  const { file, problems } = readProjectText(text);
  const expected = { role: 'project', kind: 'a project' } as const;
  if (file === null) throw unreadableFile({ name, text, expected, problems });
  return {
    suites: suitesIn(file),
    prices: file.prices ?? [],
    folder: name === '-' ? '.' : dirname(name),
  };
}

function suitesIn({ version: _, prices: _prices, ...settings }: ProjectFile): ProjectSuite[] {
  if (!('suites' in settings)) return [settings];
  const { suites, ...shared } = settings;
  return suites.map((own) => {
    const { tools, servers, ...others } = shared;
    // Tools and servers exclude each other, so one of a suite replaces the other one of the file.
    const offered = own.tools === undefined && own.servers === undefined ? { tools, servers } : {};
    const reports = others.reports && withLabel(others.reports, labelOf(own));
    return { ...withoutUndefined({ ...others, ...offered, reports }), ...own };
  });
}

const text = (value: number | string | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** A file of the project by its path from here; a name with no such file is a name. */
function suiteOf(suite: string, folder: string): string {
  const path = join(folder, suite);
  return /\.(ya?ml|json)$/i.test(suite) || existsSync(path) ? path : suite;
}

function modelOf({ provider, model, ...own }: ProjectModel, folder: string): AskedModels {
  const written = findWrittenCredential(own);
  if (written !== null)
    throw new UsageError(
      `models: The ${written.place} of ${provider} holds a credential, and project files are shared. ` +
        'Write ${env:NAME} in its place, and set that variable where the check runs.',
    );
  const options = modelFieldList.map(([name, { kind, option, key }]) => {
    const value = own[key];
    return [
      optionName(option),
      name === 'temperature' && value === null
        ? notSent
        : kind === 'number'
          ? text(value as number | string | undefined)
          : kind === 'lines'
            ? linesOf(name as AdditionName, value as JsonObject | undefined)
            : value,
    ];
  });
  const { preset } = own;
  return {
    provider,
    ...(model !== undefined && { model: [model] }),
    options: {
      ...(Object.fromEntries(options) as ModelOptions),
      commandFolder: folder,
      ...(typeof preset === 'string' && { preset }),
    },
  };
}

/** Additions as they are typed; they are left out where the file has none. */
const linesOf = (addition: AdditionName, given: JsonObject = {}): string[] =>
  Object.entries(given).map(([name, value]) => writeAddition(addition, name, value));

const pairs = (limits: Readonly<Record<string, number | undefined>> | undefined): string[] =>
  Object.entries(limits ?? {}).flatMap(([name, limit]) =>
    limit === undefined ? [] : [`${name}=${limit}`],
  );

/** A suite of a project as the options that say the same, so that both are checked in one place. */
function projectOptions(file: ProjectSuite, folder: string): CheckOptions {
  const at = (path: string): string => join(folder, path);
  const { thresholds, baseline } = file;
  const servers = file.servers === undefined ? {} : sortServers(file.servers);
  if (file.judge !== undefined && file.judges !== undefined)
    throw new UsageError(`${file.suite}: judge and judges both name judges. Leave one out.`);
  if (file.tools !== undefined && servers.started !== undefined)
    throw new UsageError(
      `${file.suite}: tools is a snapshot, and servers are started in its place. Leave one out.`,
    );
  return withoutUndefined({
    suite: suiteOf(file.suite, folder),
    tools: file.tools && at(file.tools),
    server: servers.registered,
    declared: servers.started && { servers: servers.started, folder },
    models: file.models?.map((each) => modelOf(each, folder)),
    judges: (file.judges ?? (file.judge && [file.judge]))?.map((each) => modelOf(each, folder)),
    user: file.user && modelOf(file.user, folder),
    replay: file.replay && at(file.replay),
    cache: file.cache && at(file.cache),
    only: file.only,
    execute: file.execute,
    ...(typeof file.repetitions === 'object'
      ? { repetitionsUpTo: text(file.repetitions.up_to) }
      : { repetitions: text(file.repetitions) }),
    concurrency: text(file.concurrency),
    topK: text(file.top_k),
    retriever: file.retriever,
    seed: text(file.seed),
    shuffleCases: file.shuffle_cases,
    shuffleTools: file.shuffle_tools,
    argumentsMode: file.arguments_mode,
    client: typeof file.client === 'object' ? file.client.join(',') : file.client,
    system: file.system,
    serverInstructions: file.server_instructions,
    maxTurns: text(file.max_turns),
    spendLimit: text(file.budget?.cost_usd),
    min: thresholds?.min && pairs(thresholds.min),
    max: thresholds?.max && pairs(thresholds.max),
    against: baseline?.report && at(baseline.report),
    release: baseline?.release && at(baseline.release),
    renamed: file.renamed && Object.entries(file.renamed).map(([old, now]) => `${old}=${now}`),
    tolerance: baseline?.tolerance && pairs(baseline.tolerance),
    maxBroken: text(baseline?.max_broken),
    allowChangedCases: baseline?.allow_changed_cases,
    ...(typeof file.max_hidden === 'object'
      ? { maxHidden: text(file.max_hidden.tools), hiddenIn: file.max_hidden.clients }
      : { maxHidden: text(file.max_hidden) }),
    pooled: file.pooled,
    allowFailed: text(file.allow_failed),
    report: file.reports?.map((name) => (name === 'github' ? name : at(name))),
  });
}

/** A suite that `check` runs, with all of its options. */
export interface SuiteCheck {
  /** What tells it from the other suites; null if it is the only one. */
  label: string | null;
  options: CheckOptions;
}

/**
 * What a check runs: every suite of the project, or the one that `--suite` names. What was given on
 * the command line replaces what the file says.
 */
export function checksOf(project: Project | null, flags: CheckOptions): SuiteCheck[] {
  const { suites = [], folder = '.' } = project ?? {};
  const [first] = suites;
  if (suites.length < 2)
    return [{ label: null, options: mergeOptions(first ?? null, folder, flags) }];
  const labels = suites.map(labelOf);
  const double = labels.find((label, at) => labels.indexOf(label) !== at);
  if (double !== undefined)
    throw new UsageError(`suites: Two are called ${double}. Give each a name of its own.`);
  const { suite: chosen, ...others } = flags;
  if (chosen !== undefined) {
    const one = suites.find((each, at) =>
      [labels[at], each.suite, join(folder, each.suite)].includes(chosen),
    );
    if (one === undefined)
      throw new UsageError(
        `--suite ${chosen}: The project has no such suite.${didYouMean(chosen, labels)} Give one ` +
          `of ${labels.join(', ')}.`,
      );
    return [{ label: null, options: mergeOptions(one, folder, others) }];
  }
  const ofOne = optionsOfOne.find((option) => flags[option] !== undefined);
  if (ofOne !== undefined)
    throw new UsageError(
      `check: --${ofOne} is for one suite, and the project has ${suites.length}. Choose one with --suite.`,
    );
  return suites.map((suite, at) => {
    const label = labels[at] ?? '';
    const report = flags.report && withLabel(flags.report, label);
    return { label, options: mergeOptions(suite, folder, { ...flags, ...(report && { report }) }) };
  });
}

/** Options that name files of one suite. */
const optionsOfOne = ['against', 'release', 'tools', 'replay', 'record', 'shard'] as const;

/** The name of a suite, or that of its file without the ending. */
const labelOf = ({ name, suite }: ProjectSuite): string =>
  name ?? basename(suite).replace(/(\.suite)?\.(ya?ml|json)$/i, '');

/** Reports of several suites: `check.xml` becomes `check-mail.xml`. */
export const withLabel = (reports: readonly string[], label: string): string[] =>
  reports.map((file) => {
    if (file === 'github') return file;
    const { dir, name, ext } = parse(file);
    return join(dir, `${name}-${label.replaceAll(/[^\p{L}\p{N}._-]/gu, '_')}${ext}`);
  });

/** A suite of a project with what was given on the command line in place of what the file says. */
function mergeOptions(
  suite: ProjectSuite | null,
  folder: string,
  flags: CheckOptions,
): CheckOptions {
  const own = suite === null ? {} : projectOptions(suite, folder);
  const merged: CheckOptions = { ...own, ...withoutUndefined(flags) };
  // Another provider or model replaces the models of the file.
  const [first] = own.models ?? [];
  if (flags.provider !== undefined || flags.model !== undefined) {
    delete merged.models;
    merged.provider = flags.provider ?? first?.provider;
  }
  if (flags.repetitions === undefined && flags.repetitionsUpTo !== undefined)
    delete merged.repetitions;
  if (flags.repetitions !== undefined && flags.repetitionsUpTo === undefined)
    delete merged.repetitionsUpTo;
  if (flags.tools !== undefined) delete merged.server;
  if (flags.server !== undefined) delete merged.tools;
  if (flags.tools !== undefined || flags.server !== undefined) delete merged.declared;
  if (merged.declared && flags.ownAddresses === true)
    merged.declared = { ...merged.declared, ownAddresses: true };
  return merged;
}

function withoutUndefined<Values extends object>(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Values;
}
