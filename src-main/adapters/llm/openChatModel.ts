import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { Provider } from '../../../src-shared/domain/model.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import { createSecrets, type Secrets } from '../secrets/secrets.ts';
import { anthropicProvider } from './anthropic/anthropicProvider.ts';
import { builtinProvider } from './builtin/builtinProvider.ts';
import type { ChatModel, OpenChatModel } from './chatModel.ts';
import { compatibleProvider } from './compatible/compatibleProvider.ts';
import { openAiProvider } from './openai/openAiProvider.ts';
import type { DescribeTools, OpenParts, ProviderAdapter } from './providerAdapter.ts';
import { openRecordingFile } from './replay/recordingFile.ts';
import { createRecordingModel } from './replay/recordingModel.ts';
import { replayProvider } from './replay/replayProvider.ts';
import { systemTiming, type Timing } from './request/timing.ts';

const adapters: Readonly<Record<Provider, ProviderAdapter>> = {
  builtin: builtinProvider,
  replay: replayProvider,
  openai: openAiProvider,
  anthropic: anthropicProvider,
  'openai-compatible': compatibleProvider,
};
const wireFormats = new Map<string, DescribeTools>(Object.values(adapters).flatMap((adapter) => Object.entries(adapter.wireFormats)));

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
  secrets?: Secrets;
  /** Told of every host that is asked. */
  contacted?: (host: string) => void;
  timing?: Timing;
}

/** Opens the model of a configuration through its provider's adapter, recording its exchanges where a file is given. */
export function createOpenChatModel(given: OpenChatModelParts = {}): OpenChatModel {
  const { warn = (message: string) => process.emitWarning(message), secrets = createSecrets(), contacted = () => undefined, timing = systemTiming } = given;
  const parts: OpenParts = { warn, secrets, contacted, timing, describeTools: (wireApi) => wireFormats.get(wireApi) ?? null };
  return async (configuration, options = {}) => {
    const adapter = adapters[configuration.provider];
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
