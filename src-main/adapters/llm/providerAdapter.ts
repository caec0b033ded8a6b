import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { Provider } from '../../../src-shared/domain/provider.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ChatModel, ToolMapping } from './chatModel.ts';
import type { ListedEndpoint, ReadAdditions } from './request/additions.ts';
import type { RefusedSettings } from './request/refusedSettings.ts';
import type { Throttle } from './request/throttle.ts';
import type { Timing } from './request/timing.ts';

/** What stored requests and recordings need of a wire format: pure and deterministic. */
export interface WireDescription {
  /** The tool array of a request. */
  describeTools(tools: readonly SnapshotTool[], sent: ChatModel['sent']): JsonValue[];
  mapTools(tools: readonly SnapshotTool[], sent: ChatModel['sent']): ToolMapping;
}

export interface OpenParts {
  warn: (message: string) => void;
  /** A wire format by its name; null for an unknown name. */
  wireFormat: (wireApi: string) => WireDescription | null;
  secrets: Secrets;
  /** Called with every host that gets a request. */
  contacted: (host: string) => void;
  timing: Timing;
  /** One for each host, shared by all evaluations. */
  throttleOf: (host: string) => Throttle;
  /** The most requests of one run. */
  maxTurns: number;
  /** What the endpoint refused so far in this evaluation, and learns from now on. */
  refused: RefusedSettings;
  /**
   * What a person adds to each request, with the values of its references. Throws ServiceError
   * INVALID where one has no value, or where a credential is written out.
   */
  additions: ReadAdditions;
}

/** One provider: a file that exports this, an entry in `providerTable` and in `openChatModel.ts`. */
export interface ProviderAdapter {
  provider: Provider;
  /**
   * Its wire formats, so that stored requests can be shown and recordings replayed without opening
   * it.
   */
  wireFormats: Readonly<Record<string, WireDescription>>;
  open(configuration: ModelConfiguration, parts: OpenParts): Promise<ChatModel>;
  /** The models that its endpoint lists. Absent: it has no endpoint. */
  listModels?(
    configuration: ListedEndpoint,
    parts: OpenParts,
    signal: AbortSignal,
  ): Promise<{ host: string; models: string[] }>;
}
