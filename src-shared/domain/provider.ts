import { wireFormats, type WireApi } from './wireFormat.ts';

export const providers = [
  'builtin',
  'replay',
  'openai',
  'anthropic',
  'openai-compatible',
  'command',
  'agent',
] as const;
export type Provider = (typeof providers)[number];

/** Each provider takes some of them; one that it does not take is refused before the start. */
export const reasoningEfforts = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/**
 * Sources of a run's confidence, in addition to `agreement`, which only needs three repetitions.
 */
export const confidenceSources = ['none', 'logprobs', 'self_report'] as const;

/** Runs inside the program: it needs no key, sends nothing and costs nothing. */
interface LocalProvider {
  kind: 'local';
  /** As forms and reports name it. */
  label: string;
  /** The name of its only model: the version of its rules. */
  model: string;
}

/** Answers from a file of recorded answers, in the wire format that they were recorded in. */
interface RecordedProvider {
  kind: 'recording';
  label: string;
}

/** Starts a program of the user's for each request, without keys, prices or a network. */
interface ProgramProvider {
  kind: 'program';
  label: string;
}

/** Starts a client that plays a whole run by itself, see `agentTemplate.ts`. */
interface AgentProvider {
  kind: 'agent';
  label: string;
}

/** Asks an endpoint over the network. It can be given a price and can write and judge texts. */
interface EndpointProvider {
  kind: 'endpoint';
  label: string;
  /** Whether `providerAddress.ts` has its address. Otherwise each configuration names one. */
  ownAddress: boolean;
  key: {
    /** The environment variable that is read where no key was set in the program. */
    variable: string;
    required: boolean;
  };
  /** The first one is used where a configuration chooses none. */
  wireFormats: readonly [WireApi, ...WireApi[]];
  efforts: readonly ReasoningEffort[];
  /** The highest temperature that its models take. */
  maxTemperature: number;
  /** It serves embedding models through OpenAI's API. */
  embeddings: boolean;
}

/**
 * All that the program knows of its providers. Every list, form, price and estimate is derived from
 * this table; only the code that talks to an endpoint is elsewhere (`src-main/adapters/llm`).
 */
export const providerTable = {
  builtin: { kind: 'local', label: 'Built-in selector (no model)', model: 'default-v1' },
  replay: { kind: 'recording', label: 'replay of a recording' },
  openai: {
    kind: 'endpoint',
    label: 'OpenAI',
    ownAddress: true,
    key: { variable: 'OPENAI_API_KEY', required: true },
    wireFormats: ['openai-responses', 'openai-chat'],
    efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
    maxTemperature: 2,
    embeddings: true,
  },
  anthropic: {
    kind: 'endpoint',
    label: 'Anthropic',
    ownAddress: true,
    key: { variable: 'ANTHROPIC_API_KEY', required: true },
    wireFormats: ['anthropic-messages'],
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    maxTemperature: 1,
    embeddings: false,
  },
  'openai-compatible': {
    kind: 'endpoint',
    label: 'Compatible endpoint',
    ownAddress: false,
    // A key of its own: the one for OpenAI is never sent to another host by accident.
    key: { variable: 'OPENAI_COMPATIBLE_API_KEY', required: false },
    wireFormats: ['openai-chat', 'openai-responses'],
    efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
    maxTemperature: 2,
    embeddings: true,
  },
  command: { kind: 'program', label: 'Command' },
  agent: { kind: 'agent', label: 'Agent' },
} as const satisfies Record<
  Provider,
  LocalProvider | RecordedProvider | EndpointProvider | ProgramProvider | AgentProvider
>;

type ProviderWith<Part> = {
  [Each in Provider]: (typeof providerTable)[Each] extends Part ? Each : never;
}[Provider];

/** A provider with an endpoint: one that takes a key and has prices. */
export type RemoteProvider = ProviderWith<{ kind: 'endpoint' }>;
export const isRemote = (provider: Provider): provider is RemoteProvider =>
  providerTable[provider].kind === 'endpoint';
export const remoteProviders = providers.filter(isRemote);

export type AddressedProvider = ProviderWith<{ ownAddress: true }>;

/** An endpoint that serves embedding models, or an encoder in a folder of this computer. */
type EmbeddingProvider = ProviderWith<{ embeddings: true }> | 'local';
export const embeddingProviders = [
  ...remoteProviders.filter(
    (provider): provider is Exclude<EmbeddingProvider, 'local'> =>
      providerTable[provider].embeddings,
  ),
  'local',
] as const;

/** `/models/minilm`, `./minilm`, `~/minilm`, `C:\minilm`: no name of a model looks like that. */
const folderPath = /^(?:~?[\\/]|\.{1,2}[\\/]|[A-Za-z]:[\\/])/;

/**
 * An embedding model by what was entered: a path is a folder of this computer; any other name is
 * OpenAI's where no address is given.
 */
export const embeddingProviderOf = (model: string, baseUrl: string | null): EmbeddingProvider =>
  folderPath.test(model) ? 'local' : baseUrl === null ? 'openai' : 'openai-compatible';

/** The name of an embedding model in reports, which tell nobody where folders are. */
export const embeddingModelName = (provider: EmbeddingProvider, model: string): string =>
  provider === 'local' ? (/[^\\/]+(?=[\\/]*$)/.exec(model)?.[0] ?? model) : model;

/** Whether each configuration must name the provider's address. */
export const needsBaseUrl = (provider: Provider): boolean => {
  const description = providerTable[provider];
  return description.kind === 'endpoint' && !description.ownAddress;
};

/** The provider that a form for an endpoint begins with: most such endpoints are free to ask. */
export const firstChoice = 'openai-compatible' satisfies RemoteProvider;

/** An endpoint that many people run on their own machine: the address that a form begins with. */
export const exampleBaseUrl = 'http://localhost:11434/v1';

/** The only model of `builtin`. */
export const builtinModelName = providerTable.builtin.model;

/** The only model of a provider that has one; null where a configuration names the model. */
export function onlyModelOf(provider: Provider): string | null {
  const description = providerTable[provider];
  return description.kind === 'local' ? description.model : null;
}

/**
 * The wire format that a configuration is asked in; null exactly where nothing is sent. An `api`
 * that the provider does not have gives the provider's first one.
 */
export function wireApiOf({
  provider,
  api,
}: {
  provider: Provider;
  api: (typeof wireFormats)[WireApi]['api'];
}): WireApi | null {
  const description = providerTable[provider];
  if (description.kind !== 'endpoint') return null;
  const offered: readonly [WireApi, ...WireApi[]] = description.wireFormats;
  return offered.find((each) => wireFormats[each].api === api) ?? offered[0];
}

/**
 * How a configuration is named wherever it is shown: a program without a model never passes for
 * one.
 */
export function modelLabel({ provider, model }: { provider: Provider; model: string }): string {
  const { kind, label } = providerTable[provider];
  return kind === 'local' ? label : `${provider} · ${model}`;
}
