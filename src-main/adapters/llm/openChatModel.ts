import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { Provider } from '../../../src-shared/domain/provider.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { createSecrets, type Secrets } from '../secrets/secrets.ts';
import { agentProvider } from './agent/agentProvider.ts';
import { anthropicProvider } from './anthropic/anthropicProvider.ts';
import { builtinProvider } from './builtin/builtinProvider.ts';
import type { ChatModel, OpenChatModel, ToolMapping } from './chatModel.ts';
import { commandProvider } from './command/commandProvider.ts';
import { compatibleProvider } from './compatible/compatibleProvider.ts';
import { openAiProvider } from './openai/openAiProvider.ts';
import { type OpenParts, type ProviderAdapter, type WireDescription } from './providerAdapter.ts';
import { noAdditions, type ListedEndpoint, type ReadAdditions } from './request/additions.ts';
import { RefusedSettings } from './request/refusedSettings.ts';
import { Throttle } from './request/throttle.ts';
import { systemTiming, type Timing } from './request/timing.ts';
import { markAsCached } from './cache/markAsCached.ts';
import { replyTrouble } from './replyTrouble.ts';
import { recordingKey } from './replay/recordingKey.ts';

const adapters: Readonly<Record<Provider, ProviderAdapter>> = {
  builtin: builtinProvider,
  // Uses the wire format that its recording was made in.
  replay: {
    provider: 'replay',
    wireFormats: {},
    open: async (...asked) => (await import('./replay/replayModel.ts')).openReplayModel(...asked),
  },
  openai: openAiProvider,
  anthropic: anthropicProvider,
  'openai-compatible': compatibleProvider,
  command: commandProvider,
  agent: agentProvider,
};
const wireFormats = new Map<string, WireDescription>(
  Object.values(adapters).flatMap((adapter) => Object.entries(adapter.wireFormats)),
);

/**
 * The tool array of a stored request, in the wire format and with the settings of that request.
 * Throws ServiceError NOT_FOUND for an unknown format.
 */
export function describeTools(
  wireApi: string,
  tools: readonly SnapshotTool[],
  sent: ChatModel['sent'] = {},
): JsonValue[] {
  return formatOf(wireApi).describeTools(tools, sent);
}

/**
 * How tools were named and adapted in a wire format, and which could not be offered. Throws
 * ServiceError NOT_FOUND for an unknown format.
 */
export function mapTools(
  wireApi: string,
  tools: readonly SnapshotTool[],
  sent: ChatModel['sent'] = {},
): ToolMapping {
  return formatOf(wireApi).mapTools(tools, sent);
}

function formatOf(wireApi: string): WireDescription {
  const format = wireFormats.get(wireApi);
  if (format) return format;
  throw new ServiceError('NOT_FOUND', {
    thing: `Wire format ${wireApi}`,
    cause: "This version doesn't support it.",
    nextStep: 'Open it with the version that ran the evaluation.',
  });
}

export interface OpenChatModelParts {
  /** Called with warnings for the user that stop nothing. */
  warn?: (message: string) => void;
  secrets?: Secrets;
  /** The key that cached answers are signed with. Default: they aren’t. */
  sealKey?: string | null;
  /** Called with every host that gets a request. */
  contacted?: (host: string) => void;
  timing?: Timing;
  /** Default: additions are sent as they are written. */
  additions?: ReadAdditions;
}

/** Opens the model of a configuration, and lists the models of an endpoint. */
export interface ModelAccess {
  open: OpenChatModel;
  list(endpoint: ListedEndpoint, signal: AbortSignal): Promise<{ host: string; models: string[] }>;
}

export function createModelAccess(given: OpenChatModelParts = {}): ModelAccess {
  const {
    warn = (message: string) => process.emitWarning(message),
    secrets = createSecrets(),
    contacted = () => undefined,
    timing = systemTiming,
    sealKey = null,
    additions = async ({ headers = {}, query = {}, body = {} }) => ({
      ...noAdditions,
      headers,
      query,
      body,
    }),
  } = given;
  const throttles = new Map<string, Throttle>();
  const throttleOf = (host: string): Throttle => {
    const known = throttles.get(host) ?? new Throttle(timing);
    throttles.set(host, known);
    return known;
  };
  const partsFor = (maxTurns: number, refused = new RefusedSettings()): OpenParts => ({
    warn,
    secrets,
    contacted,
    timing,
    throttleOf,
    maxTurns,
    refused,
    additions,
    wireFormat: (wireApi) => wireFormats.get(wireApi) ?? null,
  });
  return {
    async open(configuration, options = {}) {
      const refused = new RefusedSettings(options.refused);
      const parts = {
        ...partsFor(options.maxTurns ?? 1, refused),
        ...(options.additions && { additions: options.additions }),
      };
      const model = await adapters[configuration.provider].open(configuration, parts);
      const asked = options.cacheFolder
        ? await cached(model, configuration, options.cacheFolder, { ...parts, sealKey })
        : model;
      const recorded = options.recordFile
        ? await record(asked, configuration.model, options.recordFile, { warn, secrets })
        : asked;
      const { provider, replayFile } = configuration;
      return replayFile === null || provider === 'replay'
        ? recorded
        : createReplayFirstModel(recorded, configuration, replayFile, parts);
    },
    async list(endpoint, signal) {
      const adapter = adapters[endpoint.provider];
      if (!adapter.listModels)
        throw new ServiceError('INVALID', {
          thing: `Provider ${endpoint.provider}`,
          cause: 'It has no endpoint that lists models.',
          nextStep: 'Choose another provider.',
          field: 'provider',
        });
      return adapter.listModels(endpoint, partsFor(1), signal);
    },
  };
}

/**
 * Opens the model of a configuration through its provider's adapter, recording its exchanges where
 * a file is given.
 */
export function createOpenChatModel(given: OpenChatModelParts = {}): OpenChatModel {
  return createModelAccess(given).open;
}

/** Providers that answer without a request: a cache would only repeat them. */
const answeringHere: readonly Provider[] = ['builtin', 'replay'];

async function cached(
  model: ChatModel,
  configuration: ModelConfiguration,
  folder: string,
  { warn, secrets, refused, additions, sealKey }: OpenParts & { sealKey: string | null },
): Promise<ChatModel> {
  if (answeringHere.includes(configuration.provider)) return model;
  try {
    const [{ openAnswerCache }, { createCachingModel }] = await Promise.all([
      import('./cache/answerCache.ts'),
      import('./cache/cachingModel.ts'),
    ]);
    const cache = openAnswerCache(folder, warn, secrets.redactValue, sealKey);
    const { secretsHash } = await additions(configuration);
    return createCachingModel(model, configuration, cache, { secretsHash, refused });
  } catch (error) {
    await model.close();
    throw error;
  }
}

async function record(
  model: ChatModel,
  name: string,
  recordFile: string,
  { warn, secrets }: Pick<OpenParts, 'warn' | 'secrets'>,
): Promise<ChatModel> {
  try {
    const [{ openRecordingFile }, { createRecordingModel }] = await Promise.all([
      import('./replay/recordingFile.ts'),
      import('./replay/recordingModel.ts'),
    ]);
    const file = await openRecordingFile(recordFile, warn, secrets.redactValue);
    return createRecordingModel(model, name, file);
  } catch (error) {
    await model.close();
    throw error;
  }
}

/**
 * A model that is asked only for what a recording has no answer to: after a tool was reworded, only
 * the cases that saw it. Throws ServiceError where the file is missing or damaged; then the model is
 * closed.
 */
export async function createReplayFirstModel(
  model: ChatModel,
  configuration: Pick<ModelConfiguration, 'model'>,
  file: string,
  { warn, refused }: Pick<OpenParts, 'warn' | 'refused'>,
): Promise<ChatModel> {
  const { readRecording } = await import('./replay/readRecording.ts');
  const { exchanges, warning } = await readRecording(file).catch(async (error: unknown) => {
    await model.close();
    throw error;
  });
  if (warning !== null) warn(warning);
  const answers = new Map(
    exchanges
      .filter((exchange) => exchange.wireApi === model.wireApi)
      .map((exchange) => [exchange.key, exchange]),
  );
  return {
    ...model,
    get refused() {
      return refused.list;
    },
    async choose(request, signal, account) {
      signal.throwIfAborted();
      const known = answers.get(
        recordingKey({ ...request, model: configuration.model, sent: model.sent }),
      );
      const asked = { tools: request.tools, sent: model.sent };
      // What was cut off or made its call as text may end well this time.
      if (!known || replyTrouble(known.observation, asked) !== null)
        return model.choose(request, signal, account);
      refused.learnFrom(known.observation);
      const { observation, request: sentRequest, response, elapsedMs } = known;
      return {
        observation: markAsCached(observation),
        request: sentRequest,
        response,
        elapsedMs,
      };
    },
  };
}
