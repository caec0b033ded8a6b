import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import { z } from 'zod';
import { notSent } from '../../../../src-shared/domain/environmentDefaults.ts';
import {
  additionSettings,
  modelFieldList,
  modelFields,
  type AdditionSettings,
  type ModelSetting,
  type TypedSettings,
} from '../../../../src-shared/domain/modelFields.ts';
import { endpointPresets, ownPartOf } from '../../../services/models/endpointPresets.ts';
import {
  additionForms,
  optionalAdditions,
  readAdditionLines,
  type AdditionName,
  type RequestAdditions,
} from '../../../../src-shared/domain/requestAdditions.ts';
import { flagGroup, headed, type OptionsOf } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { readAgent } from './agentOption.ts';
import { splitCommand } from './targets.ts';

/** Options of a model's configuration, the same as in the window. */
export interface ModelOptions extends TypedSettings {
  preset?: string;
  /** Not an option: where relative paths in `command` begin; default: this folder. */
  commandFolder?: string;
}

/** What is added to the requests to a model beside those under test; its role begins the options. */
export type AdditionOptions<Role extends string> = {
  [
    Name in keyof TypedSettings<AdditionSettings> as Role extends ''
      ? Name
      : `${Role}${Capitalize<Name>}`
  ]?: TypedSettings[Name];
};

export const modelFlags = headed(
  'Model and endpoint:',
  flagGroup<ModelOptions>((command) =>
    addSettings(command, Object.keys(modelFields) as ModelSetting[], ''),
  ),
);

/** The flags of `AdditionOptions`: `--judge-header` for the role `judge`. */
export const additionFlags = <Role extends string>(role: Role) =>
  flagGroup<AdditionOptions<Role>>((command) =>
    addSettings(
      command,
      // Vectors are never streamed.
      additionSettings.filter((name) => name !== 'stream' || role !== 'embedding'),
      role,
    ),
  );

function addSettings(command: Command, names: readonly ModelSetting[], role: string): Command {
  for (const [name, field] of modelFieldList) {
    if (!names.includes(name)) continue;
    const flag = flagOf(role, name);
    const option = new Option(
      field.value === undefined ? flag : `${flag} ${field.value}`,
      role === '' ? field.about : `${role}: ${field.about}`,
    );
    if (field.choices) option.choices(field.choices);
    if (field.kind === 'lines') option.argParser(collect);
    command.addOption(option);
    if (name === 'baseUrl')
      command.addOption(
        new Option('--preset <name>', 'a well-known endpoint in place of --base-url').choices(
          endpointPresets.map(({ id }) => id),
        ),
      );
  }
  return command;
}

/** The order of cases and tools, prompts, turns and spending. */
export const orderFlags = {
  '--seed <n>': 'seed of every random order (default: 0)',
  '--shuffle-cases': 'run the cases in random order',
  '--shuffle-tools': 'shuffle the tools in each repetition',
  '--system <text>': "replaces the suite's system prompt",
  '--server-instructions': "append the servers' own instructions to the system prompt",
  '--max-turns <n>': 'answer calls with stub results and let the model continue (default: 1)',
  '--spend-limit <usd>': 'start no run that would exceed it',
} as const;

const number = (text: string | undefined, option: string): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new UsageError(`${option} ${text}: It needs a number.`);
  return value;
};

/**
 * Converts the options to fields of a model's configuration. Options that were not given are
 * omitted. A role begins the names of its options.
 */
export function readModelOptions(options: ModelOptions, role = ''): Record<string, unknown> {
  const preset = endpointPresets.find(({ id }) => id === options.preset);
  if (preset && options.baseUrl !== undefined)
    throw new UsageError("--preset and --base-url can't be combined. Choose one.");
  if (options.preset !== undefined && !preset)
    throw new UsageError(
      `--preset ${options.preset}: No preset has this name. Give one of ` +
        `${endpointPresets.map(({ id }) => id).join(', ')}.`,
    );
  const own = preset ? ownPartOf(preset) : null;
  if (preset && own !== null)
    throw new UsageError(
      `--preset ${preset.id}: Its address has your own ${own}. Give --base-url ${preset.baseUrl} ` +
        `with yours. What it supports: ${preset.rules}`,
    );
  const given: Readonly<Record<string, string | boolean | string[] | undefined>> = {
    ...options,
    baseUrl: options.baseUrl ?? preset?.baseUrl,
  };
  return withoutUndefined(
    Object.fromEntries(
      modelFieldList.map(([name, { kind, option }]): [string, unknown] => {
        const flag = flagOf(role, name);
        const value = given[optionName(option)];
        if (value === undefined) return [name, undefined];
        if (name === 'command')
          return [name, readCommand(value as string, options.commandFolder ?? '.')];
        if (name === 'agent')
          return [name, readAgent(value as string, options.commandFolder ?? '.').template];
        if (kind === 'lines')
          return [name, additionOf(name as AdditionName, flag, value as readonly string[])];
        if (name === 'temperature' && value === notSent) return [name, null];
        return [name, kind === 'number' ? number(value as string, flag) : value];
      }),
    ),
  );
}

/**
 * What the options of a role add to each request, as fields of a configuration. Throws a usage error
 * for one that no model of the role could take.
 */
export function readAdditionOptions<Role extends string>(
  options: AdditionOptions<Role>,
  role: Role,
): Partial<RequestAdditions> {
  const given: Readonly<Record<string, unknown>> = { ...options };
  const own = additionSettings.map((name): [string, unknown] => {
    const option = optionName(modelFields[name].option);
    return [option, given[role === '' ? option : optionName(`${role}-${option}`)]];
  });
  const read = readModelOptions(Object.fromEntries(own), role);
  const issue = additionSchema.safeParse(read).error?.issues[0];
  if (issue === undefined) return read;
  const name = String(issue.path[0]) as AdditionSettings;
  throw new UsageError(`${flagOf(role, name)}: ${issue.message}`);
}

/** Throws a usage error where options add to the requests of a model that isn't asked. */
export function rejectAdditionOptions<Role extends string>(
  options: AdditionOptions<Role>,
  role: Role,
  needed: string,
): void {
  const [given] = Object.keys(readAdditionOptions(options, role)) as AdditionSettings[];
  if (given !== undefined) throw new UsageError(`${flagOf(role, given)}: It needs ${needed}.`);
}

const additionSchema = z.object(optionalAdditions);
const flagOf = (role: string, name: ModelSetting): string =>
  `--${role === '' ? '' : `${role}-`}${modelFields[name].option}`;

/** As commander names an option: `base-url` becomes `baseUrl`. */
export const optionName = (option: string): string =>
  option.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function additionOf(addition: AdditionName, option: string, given: readonly string[]) {
  const read = readAdditionLines(addition, given);
  if (read !== null) return read;
  // A value may be a credential, so it is not repeated.
  throw new UsageError(
    `${option}: It needs the form '${additionForms[addition].example}'` +
      (addition === 'body' ? `, with texts in quotes, such as 'user="u-1"'.` : '.'),
  );
}

const collect = (text: string, before: string[] = []): string[] => [...before, text];

/** Relative paths are completed, because a program is started in a folder of its own. */
function readCommand(line: string, folder: string): string[] {
  const { command, args } = splitCommand(line);
  return [command, ...args].map((word) =>
    /^\.{1,2}[/\\]/.test(word) ? resolve(folder, word) : word,
  );
}

export function readOrderOptions(options: OptionsOf<typeof orderFlags>): Record<string, unknown> {
  return withoutUndefined({
    seed: number(options.seed, '--seed'),
    caseOrder: options.shuffleCases === true ? 'shuffled' : undefined,
    toolOrder: options.shuffleTools === true ? 'shuffled' : undefined,
    systemPrompt: options.system,
    serverInstructions: options.serverInstructions,
    maxTurns: number(options.maxTurns, '--max-turns'),
    spendLimitUsd: number(options.spendLimit, '--spend-limit'),
  });
}

const withoutUndefined = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
