import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import { notSent } from '../../../../src-shared/domain/environmentDefaults.ts';
import { confidenceSources } from '../../../../src-shared/domain/model.ts';
import { reasoningEfforts } from '../../../../src-shared/domain/provider.ts';
import { endpointPresets, ownPartOf } from '../../../services/models/endpointPresets.ts';
import {
  additionForms,
  readAdditionLines,
  type AdditionName,
} from '../../../../src-shared/domain/requestAdditions.ts';
import { UsageError } from '../exitCodes.ts';
import { splitCommand } from './targets.ts';

/** Options of a model's configuration, the same as in the window. */
export interface ModelOptions {
  baseUrl?: string;
  preset?: string;
  command?: string;
  /** Not an option: where relative paths in `command` begin; default: this folder. */
  commandFolder?: string;
  api?: string;
  temperature?: string;
  header?: string[];
  query?: string[];
  body?: string[];
  stream?: boolean;
  timeout?: string;
  retries?: string;
  reasoningEffort?: string;
  strict?: boolean;
  deferTools?: boolean;
  confidence?: string;
  contextTokens?: string;
  rpm?: string;
  maxWait?: string;
}

/** Options for the order of cases and tools, prompts, turns and spending. */
export interface OrderOptions {
  seed?: string;
  shuffleCases?: boolean;
  shuffleTools?: boolean;
  system?: string;
  serverInstructions?: boolean;
  maxTurns?: string;
  spendLimit?: string;
}

export function addModelOptions(command: Command): Command {
  return command
    .option('--base-url <url>', 'address of a compatible endpoint (OPENAI_BASE_URL)')
    .addOption(
      new Option('--preset <name>', 'a well-known endpoint in place of --base-url').choices(
        endpointPresets.map(({ id }) => id),
      ),
    )
    .option('--command <line>', 'program that answers, with --provider command')
    .addOption(
      new Option('--api <api>', 'wire format, if the provider has two').choices([
        'responses',
        'chat',
      ]),
    )
    .option(
      '--temperature <t>',
      'sent if the model supports it; none: never (TOUCHSTONE_TEMPERATURE, or 0.4)',
    )
    .option('--timeout <seconds>', 'for one answer (TOUCHSTONE_TIMEOUT, or 30)')
    .option('--retries <n>', 'after provider errors (TOUCHSTONE_RETRIES, or 3)')
    .addOption(
      new Option('--reasoning-effort <effort>', 'left out: not sent').choices(reasoningEfforts),
    )
    .option('--strict', 'ask the provider to enforce the schema on arguments')
    .option('--defer-tools', "let the provider's own tool search find the tools")
    .addOption(
      new Option('--confidence <source>', 'source of confidence values').choices(confidenceSources),
    )
    .option('--context-tokens <n>', 'context window of the model in tokens')
    .option('--rpm <n>', 'maximum requests per minute')
    .option(
      '--max-wait <seconds>',
      'longest wait where an endpoint asks for one (default: timeout + 60)',
    )
    .option('--header <name: value>', 'one more header of each request; repeatable', collect)
    .option('--query <name=value>', 'one more query parameter; repeatable', collect)
    .option('--body <key=json>', 'one more field of each request; repeatable', collect)
    .option('--stream', 'ask for streamed answers, for endpoints that give no others');
}

export function addOrderOptions(command: Command): Command {
  return command
    .option('--seed <n>', 'seed of every random order (default: 0)')
    .option('--shuffle-cases', 'run the cases in random order')
    .option('--shuffle-tools', 'shuffle the tools in each repetition')
    .option('--system <text>', "replaces the suite's system prompt")
    .option('--server-instructions', "append the servers' own instructions to the system prompt")
    .option(
      '--max-turns <n>',
      'answer calls with stub results and let the model continue (default: 1)',
    )
    .option('--spend-limit <usd>', 'start no run that would exceed it');
}

const number = (text: string | undefined, option: string): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new UsageError(`${option} ${text}: It needs a number.`);
  return value;
};

/**
 * Converts the options to fields of a model's configuration. Options that were not given are
 * omitted.
 */
export function readModelOptions(options: ModelOptions): Record<string, unknown> {
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
  return withoutUndefined({
    baseUrl: options.baseUrl ?? preset?.baseUrl,
    command: readCommand(options),
    api: options.api,
    temperature:
      options.temperature === notSent ? null : number(options.temperature, '--temperature'),
    ...readAdditions(options),
    timeout: number(options.timeout, '--timeout'),
    maxRetries: number(options.retries, '--retries'),
    reasoningEffort: options.reasoningEffort,
    strict: options.strict,
    deferTools: options.deferTools,
    confidence: options.confidence,
    contextTokens: number(options.contextTokens, '--context-tokens'),
    requestsPerMinute: number(options.rpm, '--rpm'),
    maxWait: number(options.maxWait, '--max-wait'),
  });
}

/** What options add to each request. An option that is given twice for one name counts last. */
function readAdditions({
  header,
  query,
  body,
  stream,
}: Pick<ModelOptions, 'header' | 'query' | 'body' | 'stream'>): Record<string, unknown> {
  return {
    headers: header && additionOf('headers', '--header', header),
    query: query && additionOf('query', '--query', query),
    body: body && additionOf('body', '--body', body),
    stream,
  };
}

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
function readCommand({
  command: line,
  commandFolder: folder = '.',
}: ModelOptions): string[] | undefined {
  if (line === undefined) return undefined;
  const { command, args } = splitCommand(line);
  return [command, ...args].map((word) =>
    /^\.{1,2}[/\\]/.test(word) ? resolve(folder, word) : word,
  );
}

/** Converts the options to settings of an evaluation. */
export function readOrderOptions(options: OrderOptions): Record<string, unknown> {
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
