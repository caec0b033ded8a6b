import {
  environmentFor,
  type EnvironmentValues,
} from '../../../../src-shared/domain/environmentDefaults.ts';
import {
  noTypedAdditions,
  readTypedAdditions,
  type TypedAdditions,
} from '../../../../src-shared/domain/requestAdditions.ts';
import { agentTimeout, partsOfAgentModel } from '../../../../src-shared/domain/agents.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import {
  exampleBaseUrl,
  needsBaseUrl,
  providers,
  providerTable,
  type Provider,
} from '../../../../src-shared/domain/provider.ts';

const isRecording = (provider: Provider): boolean => providerTable[provider].kind === 'recording';

/** The providers that a row of the form offers; recordings come last. */
export const providerChoices = [
  ...providers.filter((provider) => !isRecording(provider)),
  ...providers.filter(isRecording),
].map((value) => ({ value, label: providerTable[value].label }));

/** A number while it is being typed; empty means left out. */
export type Typed = number | string;

export interface ModelRow extends TypedAdditions {
  /** Identifies a row while it is edited. */
  key: number;
  provider: Provider;
  model: string;
  /** Empty means the provider's default address. */
  baseUrl: string;
  replayFile: string;
  /** The program and its arguments, as a line. */
  command: string;
  api: ModelConfiguration['api'];
  reasoningEffort: ModelConfiguration['reasoningEffort'];
  strict: boolean;
  deferTools: boolean;
  confidence: ModelConfiguration['confidence'];
  contextTokens: Typed;
  requestsPerMinute: Typed;
  maxWait: Typed;
}

/** A new row; what the environment says for its provider is filled in. */
export function emptyRow(
  key: number,
  provider: Provider,
  environment: EnvironmentValues = {},
): ModelRow {
  const { model = '', baseUrl } = environmentFor(provider, environment);
  return {
    key,
    provider,
    model,
    baseUrl: baseUrl ?? (needsBaseUrl(provider) ? exampleBaseUrl : ''),
    replayFile: '',
    command: '',
    api: null,
    reasoningEffort: null,
    strict: false,
    deferTools: false,
    confidence: 'none',
    contextTokens: '',
    requestsPerMinute: '',
    maxWait: '',
    ...noTypedAdditions,
  };
}

/** Words of a command line; one in double quotes may contain spaces. */
export const wordsOf = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '');

export function numberOf(typed: Typed): number | undefined {
  if (typeof typed === 'number') return typed;
  return typed.trim() === '' ? undefined : Number(typed);
}

/**
 * The row as a configuration, before the contract's schema parses it, without the options that its
 * provider doesn't support.
 */
export function toConfiguration(
  row: ModelRow,
  common: { timeout: number | null; temperature: number | null; maxRetries: number | null },
) {
  const { provider } = row;
  const description = providerTable[provider];
  if (description.kind === 'local') return { ...common, provider, model: description.model };
  const model = row.model.trim();
  const chosen = {
    reasoningEffort: row.reasoningEffort,
    strict: row.strict,
    deferTools: row.deferTools,
    confidence: row.confidence,
  };
  if (description.kind === 'recording')
    return { ...common, ...chosen, provider, model, replayFile: row.replayFile.trim() };
  if (description.kind === 'program')
    return { ...common, provider, model, command: wordsOf(row.command) };
  if (description.kind === 'agent') {
    const command = wordsOf(row.command);
    const { agent } = partsOfAgentModel(model);
    const own = command.length > 0 && { agent: { name: agent, command } };
    return { ...common, timeout: agentTimeout, provider, model, ...own };
  }
  return {
    ...common,
    ...chosen,
    provider,
    model,
    baseUrl: row.baseUrl.trim() === '' ? null : row.baseUrl.trim(),
    api: description.wireFormats.length === 1 ? null : row.api,
    contextTokens: numberOf(row.contextTokens) ?? null,
    requestsPerMinute: numberOf(row.requestsPerMinute) ?? null,
    maxWait: numberOf(row.maxWait) ?? null,
    ...readTypedAdditions(row),
  };
}
