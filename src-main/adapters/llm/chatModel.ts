import type { FailureKind } from '../../../src-shared/domain/evaluation.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import type { Provider } from '../../../src-shared/domain/provider.ts';
import type { Observation } from '../../../src-shared/domain/observation.ts';
import type { RecordedRun, RecordedTools } from '../../../src-shared/domain/recordedExchange.ts';
import type { RefusedSetting } from '../../../src-shared/domain/refusedSetting.ts';
import type { ExecutionMode, TaskContent } from '../../../src-shared/domain/task.ts';
import type { PriorMessage, StubResult } from '../../../src-shared/domain/testCase.ts';
import type { SnapshotTool } from '../../../src-shared/domain/tool.ts';
import type { ReadAdditions } from './request/additions.ts';
import type { RequestAccount } from './request/requestAccount.ts';

/**
 * A request to a model. `tools` is the array of the evaluation's subset itself: equal lists are the
 * same object, so adapters may cache by it.
 */
export interface ChatRequest {
  query: string;
  system: string | null;
  messages: readonly PriorMessage[];
  tools: readonly SnapshotTool[];
  repetition: number;
  /** What servers say about themselves, for what speaks MCP itself; absent: nothing. */
  instructions?: ServerInstructions;
  /** How calls are executed, for what asks for permission; absent: `stub`. */
  mode?: ExecutionMode;
  /**
   * Absent = one request, one reply. Else stubs answer the calls and the model continues.
   */
  turns?: { maximum: number; stubs: readonly StubResult[] };
}

export type ServerInstructions = readonly { server: string; instructions: string | null }[];

export interface CallResult {
  id: string;
  text: string;
  isError: boolean;
  /** As data, for what speaks MCP itself. */
  structured?: JsonValue;
}

/** What the next request of a conversation adds. Every call of a reply gets its result. */
export type ChatInput =
  { by: 'user'; text: string } | { by: 'tools'; results: readonly CallResult[] };

/** A conversation whose calls the caller answers. It begins with a text of the user. */
export interface Conversation {
  /** Each reply holds only what it adds: its own calls, text and tokens. */
  next(input: ChatInput, signal: AbortSignal, account?: RequestAccount): Promise<ChatReply>;
  /** Ends what plays it. Absent: nothing runs between requests. */
  close?(): Promise<void>;
}

export type ConversationRequest = Omit<ChatRequest, 'query' | 'turns'>;

/**
 * The reply of a model. `request` is the body that was sent without its tool array, which
 * `describeTools` rebuilds from the frozen tools, byte for byte.
 */
export interface ChatReply {
  observation: Observation;
  request: { [key: string]: JsonValue };
  response: JsonValue;
  /**
   * From sending the request to having the whole answer. Waiting for a slot, retries and back-off
   * don't count.
   */
  elapsedMs: number;
}

type ChatFailureKind = Extract<FailureKind, 'provider' | 'agent' | 'model'>;

/** Thrown where there is no answer: the run is `failed` and not scored. */
export class ChatFailure extends Error {
  override readonly name = 'ChatFailure';
  readonly kind: ChatFailureKind;
  /** True where no other run can succeed either (wrong key, no quota): the evaluation stops. */
  readonly fatal: boolean;
  readonly response: JsonValue | null;

  constructor(
    kind: ChatFailureKind,
    message: string,
    options: { fatal?: boolean; response?: JsonValue; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.fatal = options.fatal ?? false;
    this.response = options.response ?? null;
  }
}

/** How tools were adapted for a provider: reversible, and shown. */
export interface ToolMapping {
  names: readonly { wire: string; tool: string }[];
  excluded: readonly { tool: string; reason: string }[];
  relaxations: readonly string[];
  /** Tools whose schema is sent in another form than it was published, with all that changes. */
  adapted: readonly { tool: string; changes: readonly string[] }[];
}

/** What decides how a run of a task goes, besides the model and its settings. */
export interface TaskToRecord extends Omit<ConversationRequest, 'instructions'> {
  mode: ExecutionMode;
  content: TaskContent;
}

export interface ChatModel {
  readonly provider: Provider;
  /** Name of the wire format, part of what identifies a run. */
  readonly wireApi: string;
  /** Settings as they are sent; null = not sent. */
  readonly sent: Record<string, string | number | boolean | null>;
  /** What the endpoint refused so far, so that it is not sent anymore. Absent: it refuses nothing. */
  readonly refused?: readonly RefusedSetting[];
  /** The tool array in this wire format: pure and deterministic. */
  describeTools(tools: readonly SnapshotTool[]): JsonValue[];
  /**
   * Tools (`server:tool`) that can't be offered to the provider, with the reason. Absent = it
   * accepts every tool.
   */
  excludedTools?(tools: readonly SnapshotTool[]): readonly { tool: string; reason: string }[];
  /**
   * Tokens of a request, counted by the provider's endpoint. Throws ChatFailure where it can't.
   * Absent: nothing is sent.
   */
  countInput?(request: ChatRequest, signal: AbortSignal): Promise<number>;
  /** Every request that it sends is in `account`, also if there is no reply. */
  choose(request: ChatRequest, signal: AbortSignal, account?: RequestAccount): Promise<ChatReply>;
  /** Absent: the provider can't continue after a call was answered. */
  converse?(request: ConversationRequest): Conversation;
  /** Only on a model that is being recorded: keeps a whole run of a task. */
  recordTask?(task: TaskToRecord, run: RecordedRun): Promise<void>;
  /** Only on a model that is being recorded: keeps the tools of the runs that follow. */
  recordTools?(tools: RecordedTools): Promise<void>;
  /** Only on a recording: the tools of its runs of tasks; null if it has none. */
  replayTools?(): RecordedTools | null;
  /** Only on a recording: the run as it was recorded; null if it was not. */
  replayTask?(task: TaskToRecord): RecordedRun | null;
  close(): Promise<void>;
}

/** Throws ServiceError INVALID where the configuration can't work, before anything is sent. */
export type OpenChatModel = (
  configuration: ModelConfiguration,
  options?: OpenChatModelOptions,
) => Promise<ChatModel>;

interface OpenChatModelOptions {
  /** Every exchange is appended to this file; null or absent = no recording. */
  recordFile?: string | null;
  /** Answers are kept in this folder and come from it; null or absent = no cache. */
  cacheFolder?: string | null;
  /** The most requests of one run, part of what identifies an answer; absent = 1. */
  maxTurns?: number;
  /** What the endpoint refused before, in the same evaluation. */
  refused?: readonly RefusedSetting[];
  /** Reads what is added to its requests, in place of how all models are read. */
  additions?: ReadAdditions;
}
