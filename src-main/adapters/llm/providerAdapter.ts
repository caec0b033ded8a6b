import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { Provider } from '../../../src-shared/domain/provider.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ChatModel, ToolMapping } from './chatModel.ts';
import type { Throttle } from './request/throttle.ts';
import type { Timing } from './request/timing.ts';

/** A wire format as far as stored requests and recordings need it: pure and deterministic. */
export interface WireDescription {
  /** The tool array of a request. */
  describeTools(tools: readonly SnapshotTool[], sent: ChatModel['sent']): JsonValue[];
  mapTools(tools: readonly SnapshotTool[], sent: ChatModel['sent']): ToolMapping;
}

export interface OpenParts {
  warn: (message: string) => void;
  /** A wire format by its name; null where none has it. */
  wireFormat: (wireApi: string) => WireDescription | null;
  secrets: Secrets;
  /** Told of every host that is asked. */
  contacted: (host: string) => void;
  timing: Timing;
  /** One for each host, whoever asks it. */
  throttleOf: (host: string) => Throttle;
  /** Requests of a run at most. */
  maxTurns: number;
}

/** One provider: a file that exports this, and a line in `openChatModel.ts`. */
export interface ProviderAdapter {
  provider: Provider;
  /**
   * The wire formats that it speaks, so that stored requests can be shown and recordings replayed
   * without it.
   */
  wireFormats: Readonly<Record<string, WireDescription>>;
  open(configuration: ModelConfiguration, parts: OpenParts): Promise<ChatModel>;
  /** The models that its endpoint names. Absent: it has no endpoint. */
  listModels?(
    configuration: Pick<ModelConfiguration, 'provider' | 'baseUrl'>,
    parts: OpenParts,
    signal: AbortSignal,
  ): Promise<{ host: string; models: string[] }>;
}
