import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { Provider } from '../../../src-shared/domain/model.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { builtinProvider } from './builtin/builtinProvider.ts';
import type { ChatModel, OpenChatModel } from './chatModel.ts';
import type { DescribeTools, OpenParts, ProviderAdapter } from './providerAdapter.ts';
import { openRecordingFile } from './replay/recordingFile.ts';
import { createRecordingModel } from './replay/recordingModel.ts';
import { replayProvider } from './replay/replayProvider.ts';

const adapters = new Map<Provider, ProviderAdapter>([builtinProvider, replayProvider].map((adapter) => [adapter.provider, adapter]));
const wireFormats = new Map<string, DescribeTools>([...adapters.values()].flatMap((adapter) => Object.entries(adapter.wireFormats)));

/**
 * The tool array of a stored request, in the wire format that it was sent over. Throws ServiceError NOT_FOUND for a format that no provider has.
 */
export function describeTools(wireApi: string, tools: readonly SnapshotTool[]): JsonValue[] {
  const describe = wireFormats.get(wireApi);
  if (!describe) {
    throw new ServiceError('NOT_FOUND', { thing: `Wire format ${wireApi}`, cause: 'This version does not know it.', nextStep: 'Open it with the version that made the evaluation.' });
  }
  return describe(tools);
}

export interface OpenChatModelParts {
  /** Where something goes that a user should know and that stops nothing. */
  warn?: (message: string) => void;
}

/** Opens the model of a configuration through its provider's adapter, recording its exchanges where a file is given. */
export function createOpenChatModel({ warn = (message) => process.emitWarning(message) }: OpenChatModelParts = {}): OpenChatModel {
  const parts: OpenParts = { warn, describeTools: (wireApi) => wireFormats.get(wireApi) ?? null };
  return async (configuration, options = {}) => {
    const adapter = adapters.get(configuration.provider);
    if (!adapter) throw withoutKey(configuration.provider);
    const model = await adapter.open(configuration, parts);
    return options.recordFile ? await record(model, configuration.model, options.recordFile, warn) : model;
  };
}

async function record(model: ChatModel, name: string, recordFile: string, warn: (message: string) => void): Promise<ChatModel> {
  try {
    return createRecordingModel(model, name, await openRecordingFile(recordFile, warn));
  } catch (error) {
    await model.close();
    throw error;
  }
}

function withoutKey(provider: Provider): ServiceError {
  return new ServiceError('INVALID', {
    thing: `Provider ${provider}`,
    cause: provider === 'openai-compatible' ? 'This version cannot reach an endpoint yet.' : 'It needs an API key, and this version has no place to keep one yet.',
    nextStep: 'Choose "builtin", which needs none, or "replay" with a recording.',
    field: 'provider',
  });
}
