import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { Provider } from '../../../src-shared/domain/provider.ts';
import type { Observation } from '../../../src-shared/domain/observation.ts';
import type { PriorMessage, StubResult } from '../../../src-shared/domain/testCase.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';

/**
 * What a model is asked. `tools` is the very array of the evaluation's subset: the same list is the
 * same object, so adapters may cache by it.
 */
export interface ChatRequest {
  query: string;
  system: string | null;
  messages: readonly PriorMessage[];
  tools: readonly SnapshotTool[];
  repetition: number;
  /**
   * Absent = one request, one reply. Else calls are answered by the stubs, and the model goes on.
   */
  turns?: { maximum: number; stubs: readonly StubResult[] };
}

/**
 * What came back. `request` is the body that was sent, with the tool array left out under `tools`:
 * it is rebuilt by `describeTools` from the frozen tools, byte for byte.
 */
export interface ChatReply {
  observation: Observation;
  request: { [key: string]: JsonValue };
  response: JsonValue;
  /**
   * From asking to having the whole answer, as the adapter saw it: waiting for a turn, retries and
   * back-off are not part of it.
   */
  elapsedMs: number;
}

/** Raised where no answer came: the run is `failed`, never scored. */
export class ChatFailure extends Error {
  override readonly name = 'ChatFailure';
  readonly kind: 'provider' | 'model';
  /** True where no further run can succeed either (wrong key, no quota): the evaluation stops. */
  readonly fatal: boolean;
  readonly response: JsonValue | null;

  constructor(
    kind: 'provider' | 'model',
    message: string,
    options: { fatal?: boolean; response?: JsonValue; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.fatal = options.fatal ?? false;
    this.response = options.response ?? null;
  }
}

/** How tools were put before a provider: reversible, and shown. */
export interface ToolMapping {
  names: readonly { wire: string; tool: string }[];
  excluded: readonly { tool: string; reason: string }[];
  relaxations: readonly string[];
}

export interface ChatModel {
  readonly provider: Provider;
  /** Name of the wire format, part of what identifies a run. */
  readonly wireApi: string;
  /** Settings as they are really sent; null = not sent. */
  readonly sent: Record<string, string | number | boolean | null>;
  /** The tool array in this wire format: pure and deterministic. */
  describeTools(tools: readonly SnapshotTool[]): JsonValue[];
  /**
   * Tools (`server:tool`) that the provider can't be offered, with the reason. Absent = it takes
   * every tool.
   */
  excludedTools?(tools: readonly SnapshotTool[]): readonly { tool: string; reason: string }[];
  /**
   * How many tokens the provider's own endpoint counts for a request. Throws ChatFailure where it
   * can't. Absent: nothing is sent.
   */
  countInput?(request: ChatRequest, signal: AbortSignal): Promise<number>;
  choose(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>;
  close(): Promise<void>;
}

/** Throws ServiceError INVALID where the configuration can't work, before anything is started. */
export type OpenChatModel = (
  configuration: ModelConfiguration,
  options?: OpenChatModelOptions,
) => Promise<ChatModel>;

export interface OpenChatModelOptions {
  /** Every exchange is appended to this file; null or absent = none is kept. */
  recordFile?: string | null;
  /** Part of what identifies an answer; absent = 1. */
  maxTurns?: number;
}
