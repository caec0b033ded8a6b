import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import { builtinModelName, type Provider } from '../../../../src-shared/domain/provider.ts';

/** The models that can be chosen; each row of the form is one. */
export const choices = [
  'builtin',
  'openai',
  'anthropic',
  'openai-compatible',
  'replay',
] as const satisfies readonly Provider[];
export type Choice = (typeof choices)[number];
export const choiceWords: Record<Choice, string> = {
  builtin: 'builtin (no model)',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  'openai-compatible': 'Compatible endpoint',
  replay: 'replay of a recording',
};

/** A number as it is being typed; empty = left out. */
export type Typed = number | string;

export interface ModelRow {
  /** Tells rows apart while they are edited. */
  key: number;
  provider: Choice;
  model: string;
  /** Empty = the provider's own address. */
  baseUrl: string;
  replayFile: string;
  api: ModelConfiguration['api'];
  reasoningEffort: ModelConfiguration['reasoningEffort'];
  strict: boolean;
  deferTools: boolean;
  confidence: ModelConfiguration['confidence'];
  contextTokens: Typed;
  requestsPerMinute: Typed;
}

export function emptyRow(key: number, provider: Choice): ModelRow {
  return {
    key,
    provider,
    model: '',
    baseUrl: provider === 'openai-compatible' ? 'http://localhost:11434/v1' : '',
    replayFile: '',
    api: null,
    reasoningEffort: null,
    strict: false,
    deferTools: false,
    confidence: 'none',
    contextTokens: '',
    requestsPerMinute: '',
  };
}

export const isRemote = (
  provider: Choice,
): provider is 'openai' | 'anthropic' | 'openai-compatible' =>
  provider !== 'builtin' && provider !== 'replay';

export function numberOf(typed: Typed): number | undefined {
  if (typeof typed === 'number') return typed;
  return typed.trim() === '' ? undefined : Number(typed);
}

/**
 * The row as a configuration, before the contract's own schema reads it; what its provider has no
 * place for is left out.
 */
export function toConfiguration(
  row: ModelRow,
  common: { timeout: number | null; temperature: number | null; maxRetries: number | null },
) {
  const { provider } = row;
  if (provider === 'builtin') return { ...common, provider, model: builtinModelName };
  const model = row.model.trim();
  const chosen = {
    reasoningEffort: row.reasoningEffort,
    strict: row.strict,
    deferTools: row.deferTools,
    confidence: row.confidence,
  };
  if (provider === 'replay')
    return { ...common, ...chosen, provider, model, replayFile: row.replayFile.trim() };
  return {
    ...common,
    ...chosen,
    provider,
    model,
    baseUrl: row.baseUrl.trim() === '' ? null : row.baseUrl.trim(),
    api: provider === 'anthropic' ? null : row.api,
    contextTokens: numberOf(row.contextTokens) ?? null,
    requestsPerMinute: numberOf(row.requestsPerMinute) ?? null,
  };
}
