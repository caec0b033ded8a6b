import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readMessages, type ChatMessage } from '../exchange/chatMessages.ts';
import { nonEmptyText } from '../exchange/values.ts';
import { AgentEvents } from './agentEvents.ts';
import { parsed, readOutput, timeOf } from './conversations.ts';
import { turnsOf, type RecordedCall, type RecordedTurn } from './recordedTurns.ts';

interface Span {
  traceId: string;
  spanId: string;
  name: string;
  attributes: JsonObject;
  events: { name: string; attributes: JsonObject }[];
  time: string | null;
  failed: boolean;
}

/** What a span of a tool says about a call in the answer of a model. */
export interface CallFact {
  server: string | null;
  failed: boolean;
}

/** A value of OTLP as JSON: `{stringValue: "x"}` (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). */
function anyValue(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value ?? null)) return value ?? null;
  const object = value as JsonObject;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue } = object;
  if (stringValue !== undefined) return stringValue;
  if (boolValue !== undefined) return boolValue;
  if (intValue !== undefined) return typeof intValue === 'string' ? Number(intValue) : intValue;
  if (doubleValue !== undefined) return doubleValue;
  if (isJsonObject(arrayValue ?? null)) {
    const { values } = arrayValue as JsonObject;
    return Array.isArray(values) ? values.map(anyValue) : [];
  }
  return isJsonObject(kvlistValue ?? null)
    ? attributesOf((kvlistValue as JsonObject)['values'])
    : object;
}

/** Attributes as a list of keys and values, or as an object, whose parts may be objects again. */
function attributesOf(value: JsonValue | undefined): JsonObject {
  if (Array.isArray(value))
    return Object.fromEntries(
      value
        .filter(isJsonObject)
        .map(({ key, value: own }) => [nonEmptyText(key) ?? '', anyValue(own)]),
    );
  const read = parsed(value);
  if (!isJsonObject(read ?? null)) return {};
  const flat: JsonObject = {};
  const enter = (object: JsonObject, prefix: string): void => {
    for (const [name, each] of Object.entries(object)) {
      flat[`${prefix}${name}`] = each;
      if (isJsonObject(each)) enter(each, `${prefix}${name}.`);
    }
  };
  enter(read as JsonObject, '');
  return flat;
}

const listAt = (object: JsonObject, ...names: string[]): JsonObject[] => {
  for (const name of names) {
    const found = object[name];
    if (Array.isArray(found)) return found.filter(isJsonObject);
  }
  return [];
};

/** The spans of a record: OTLP, or one span as exporters print it. Null if it has none. */
function spansOf(record: JsonObject): Span[] | null {
  const resources = listAt(record, 'resourceSpans', 'resource_spans');
  if (resources.length > 0)
    return resources
      .flatMap((each) => listAt(each, 'scopeSpans', 'scope_spans', 'instrumentationLibrarySpans'))
      .flatMap((each) => listAt(each, 'spans'))
      .flatMap((each) => spansOf(each) ?? []);
  const context = isJsonObject(record['context'] ?? null) ? (record['context'] as JsonObject) : {};
  const traceId =
    record['traceId'] ?? record['trace_id'] ?? context['trace_id'] ?? context['traceId'];
  const spanId =
    record['spanId'] ??
    record['span_id'] ??
    context['span_id'] ??
    context['spanId'] ??
    ('attributes' in record ? record['id'] : undefined);
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return null;
  const attributes = attributesOf(record['attributes'] ?? record['SpanAttributes'] ?? {});
  const status = isJsonObject(record['status'] ?? null) ? (record['status'] as JsonObject) : {};
  const code = status['code'] ?? status['status_code'];
  return [
    {
      traceId,
      spanId,
      name: nonEmptyText(record['name']) ?? '',
      attributes,
      events: listAt(record, 'events').map((event) => ({
        name: nonEmptyText(event['name']) ?? '',
        attributes: attributesOf(event['attributes']),
      })),
      time:
        timeOf({
          startTime: record['startTimeUnixNano'] ?? record['start_time_unix_nano'] ?? null,
          start_time: record['start_time'] ?? record['startTime'] ?? null,
        }) ?? nanoseconds(record['startTimeUnixNano']),
      failed:
        code === 2 ||
        code === 'STATUS_CODE_ERROR' ||
        code === 'ERROR' ||
        nonEmptyText(attributes['error.type']) !== null,
    },
  ];
}

/** A record of a log, which names the span that it is an event of. */
const isLogRecord = (record: JsonObject): boolean =>
  ('body' in record && ('trace_id' in record || 'traceId' in record)) ||
  (isJsonObject(record['attributes'] ?? null) &&
    nonEmptyText((record['attributes'] as JsonObject)['event.name']) !== null);

/** The first characters suffice to sort: nanoseconds have 19 digits until the year 2286. */
const nanoseconds = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** Attributes such as `gen_ai.prompt.0.tool_calls.1.name`, as the list that they spell out. */
function listOf(attributes: JsonObject, prefix: string): JsonObject[] {
  const root: JsonObject = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith(`${prefix}.`)) continue;
    let at: JsonObject = root;
    const parts = name.slice(prefix.length + 1).split('.');
    for (const part of parts.slice(0, -1)) {
      const inner = at[part];
      at = isJsonObject(inner ?? null) ? (inner as JsonObject) : (at[part] = {});
    }
    at[parts.at(-1) ?? ''] = value;
  }
  return numbered(root) ?? [];
}

/** The members of an object whose names are numbers, in their order, with all lists in them. */
function numbered(object: JsonObject): JsonObject[] | null {
  const names = Object.keys(object);
  if (names.length === 0 || !names.every((name) => /^\d+$/.test(name))) return null;
  return names
    .toSorted((a, b) => Number(a) - Number(b))
    .map((name) => object[name])
    .filter((each) => isJsonObject(each ?? null))
    .map((each) => withLists(each as JsonObject));
}

const withLists = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      isJsonObject(value) ? (numbered(value) ?? withLists(value)) : value,
    ]),
  );

/** A message of OpenInference (https://github.com/Arize-ai/openinference, semantic conventions). */
const fromOpenInference = ({ message }: JsonObject): JsonObject => {
  const said = isJsonObject(message ?? null) ? (message as JsonObject) : {};
  return {
    ...said,
    ...(Array.isArray(said['contents']) && {
      content: said['contents'].map((each) =>
        isJsonObject(each) && isJsonObject(each['message_content'] ?? null)
          ? (each['message_content'] as JsonObject)
          : each,
      ),
    }),
    ...(Array.isArray(said['tool_calls']) && {
      tool_calls: said['tool_calls'].map((each) =>
        isJsonObject(each) ? (each['tool_call'] ?? each) : each,
      ),
    }),
  };
};

const messagesAt = (value: JsonValue | undefined): ChatMessage[] | null =>
  readMessages(parsed(value));

/** A message as an event of its own: https://github.com/open-telemetry/semantic-conventions, v1.36. */
function fromEvent(name: string, attributes: JsonObject): ChatMessage[] {
  const body = parsed(attributes['gen_ai.event.content']);
  const own: JsonObject = {
    ...attributes,
    ...(isJsonObject(body ?? null) && (body as JsonObject)),
  };
  const said = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name)?.[1];
  if (said !== undefined)
    return (
      readMessages([
        {
          role: said,
          content: parsed(own['content']) ?? '',
          tool_calls: parsed(own['tool_calls']) ?? [],
          ...(own['id'] !== undefined && { tool_call_id: own['id'] }),
        },
      ]) ?? []
    );
  if (name === 'gen_ai.choice') {
    const message = parsed(own['message']);
    const inner = isJsonObject(message ?? null)
      ? (message as JsonObject)
      : { content: message ?? '' };
    return (
      readMessages([
        {
          role: 'assistant',
          content: parsed(inner['content']) ?? '',
          tool_calls: parsed(inner['tool_calls'] ?? own['tool_calls']) ?? [],
        },
      ]) ?? []
    );
  }
  if (name === 'gen_ai.content.prompt') return messagesAt(own['gen_ai.prompt']) ?? [];
  if (name === 'gen_ai.content.completion') return readOutput(own['gen_ai.completion']) ?? [];
  if (name === 'gen_ai.client.inference.operation.details') return fromAttributes(own);
  return [];
}

/** The conversation in the attributes of a span, in every convention; empty if there is none. */
function fromAttributes(attributes: JsonObject): ChatMessage[] {
  const at = (name: string): JsonValue | undefined => attributes[name];
  // Since v1.37: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
  const input = messagesAt(at('gen_ai.input.messages'));
  const output = messagesAt(at('gen_ai.output.messages'));
  if (input !== null || output !== null) {
    const system = readMessages([
      { role: 'system', content: parsed(at('gen_ai.system_instructions')) ?? '' },
    ]);
    return [...(system ?? []), ...(input ?? []), ...(output ?? [])];
  }
  // Pydantic AI keeps the whole conversation.
  const whole = messagesAt(at('pydantic_ai.all_messages'));
  if (whole !== null) return whole;
  const events = parsed(at('events') ?? at('all_messages_events'));
  if (Array.isArray(events))
    return events
      .filter(isJsonObject)
      .flatMap((event) => fromEvent(nonEmptyText(event['event.name']) ?? '', event));
  // Vercel’s AI SDK: https://ai-sdk.dev/docs/ai-sdk-core/telemetry
  const prompt = messagesAt(at('ai.prompt.messages')) ?? promptOf(parsed(at('ai.prompt')));
  if (prompt !== null) {
    const called = parsed(at('ai.response.toolCalls') ?? at('ai.result.toolCalls'));
    const content = at('ai.response.text') ?? at('ai.result.text') ?? '';
    const said = readMessages([{ role: 'assistant', content, tool_calls: called ?? [] }]);
    return [...prompt, ...(said ?? [])];
  }
  // OpenLLMetry: https://www.traceloop.com/docs/openllmetry/contributing/semantic-conventions
  const numberedPrompt = readMessages(listOf(attributes, 'gen_ai.prompt'));
  if (numberedPrompt !== null)
    return [...numberedPrompt, ...(readMessages(listOf(attributes, 'gen_ai.completion')) ?? [])];
  const inference = readMessages(listOf(attributes, 'llm.input_messages').map(fromOpenInference));
  if (inference === null) return [];
  const said = listOf(attributes, 'llm.output_messages').map(fromOpenInference);
  return [...inference, ...(readMessages(said) ?? [])];
}

function promptOf(value: JsonValue | undefined): ChatMessage[] | null {
  if (!isJsonObject(value ?? null)) return null;
  const { system, messages, prompt } = value as JsonObject;
  const said = readMessages(messages) ?? readMessages([{ role: 'user', content: prompt ?? '' }]);
  return said === null || typeof system !== 'string'
    ? said
    : [{ role: 'system', text: system, calls: [] }, ...said];
}

interface ToolSpan {
  call: RecordedCall;
  server: string | null;
  time: string;
}

function toolSpanOf({ attributes, failed, time, name }: Span): ToolSpan | null {
  const at = (key: string): string | null => nonEmptyText(attributes[key]);
  const isTool =
    at('gen_ai.operation.name') === 'execute_tool' ||
    at('openinference.span.kind')?.toUpperCase() === 'TOOL' ||
    at('traceloop.span.kind') === 'tool' ||
    at('mcp.method.name') === 'tools/call' ||
    at('ai.toolCall.name') !== null;
  const tool =
    at('gen_ai.tool.name') ??
    at('ai.toolCall.name') ??
    at('tool.name') ??
    at('traceloop.entity.name') ??
    /^(?:execute_tool|tools\/call) (\S+)$/.exec(name)?.[1];
  if (!isTool || tool === undefined) return null;
  const given = parsed(
    attributes['gen_ai.tool.call.arguments'] ??
      attributes['ai.toolCall.args'] ??
      attributes['tool.parameters'] ??
      attributes['input.value'] ??
      attributes['traceloop.entity.input'],
  );
  return {
    call: {
      name: tool,
      arguments: isJsonObject(given ?? null) ? (given as JsonObject) : null,
      id: at('gen_ai.tool.call.id') ?? at('ai.toolCall.id'),
      failed,
    },
    server: at('mcp.server.name') ?? at('mcp.server'),
    time: time ?? '',
  };
}

const maxTraces = 20_000;

/** What is known of a trace whose answers don't say what was called. */
interface Trace {
  messages: ChatMessage[];
  tools: ToolSpan[];
  hasCalls: boolean;
  line: number;
  model: string | null;
}

/**
 * Spans of generative AI: the answer of a model is a span, and each call of a tool is one more.
 * A call counts once, and the span of the tool says how it ended.
 */
export class Spans {
  readonly #onTurn: (turn: RecordedTurn) => void;
  readonly #traces = new Map<string, Trace>();
  readonly #logged = new Map<string, ChatMessage[]>();
  readonly #agents: AgentEvents;
  /** By the id of a call. */
  readonly facts = new Map<string, CallFact>();

  constructor(onTurn: (turn: RecordedTurn) => void) {
    this.#onTurn = onTurn;
    this.#agents = new AgentEvents(onTurn);
  }

  take(record: JsonObject, line: number): string | null {
    const spans = spansOf(record);
    const isLog = this.#takeLogs(record, line);
    if (spans === null && !isLog) return null;
    if (!isLogRecord(record)) for (const span of spans ?? []) this.#takeSpan(span, line);
    return 'OpenTelemetry spans';
  }

  #trace(id: string, line: number): Trace | null {
    let trace = this.#traces.get(id);
    if (trace === undefined && this.#traces.size < maxTraces) {
      trace = { messages: [], tools: [], hasCalls: false, line, model: null };
      this.#traces.set(id, trace);
    }
    return trace ?? null;
  }

  #takeSpan(span: Span, line: number): void {
    const { attributes, time } = span;
    const trace = this.#trace(span.traceId, line);
    const tool = toolSpanOf(span);
    if (tool !== null) {
      const { call, server } = tool;
      if (call.id !== null) this.facts.set(call.id, { server, failed: call.failed });
      trace?.tools.push(tool);
      return;
    }
    const own = fromAttributes(attributes);
    const messages =
      own.length > 0
        ? own
        : span.events.flatMap((event) => fromEvent(event.name, event.attributes));
    if (messages.length === 0) return;
    const model =
      nonEmptyText(attributes['gen_ai.response.model']) ??
      nonEmptyText(attributes['gen_ai.request.model']) ??
      nonEmptyText(attributes['llm.model_name']) ??
      nonEmptyText(attributes['ai.model.id']);
    const turns = turnsOf(messages, { model, time, line });
    for (const turn of turns) this.#onTurn(turn);
    if (trace === null) return;
    trace.model ??= model;
    if (messages.length > trace.messages.length) trace.messages = messages;
    if (messages.some(({ calls }) => calls.length > 0)) trace.hasCalls = true;
  }

  /** Messages as log records: each is an event of the span that it names. */
  #takeLogs(record: JsonObject, line: number): boolean {
    const resources = listAt(record, 'resourceLogs', 'resource_logs');
    const isAlone = isLogRecord(record);
    const records = (isAlone ? [record] : []).concat(
      resources
        .flatMap((each) => listAt(each, 'scopeLogs', 'scope_logs'))
        .flatMap((each) => listAt(each, 'logRecords', 'log_records')),
    );
    for (const each of records) {
      const traceId = nonEmptyText(each['traceId'] ?? each['trace_id']) ?? '';
      const attributes = attributesOf(each['attributes']);
      const body = anyValue(each['body'] ?? each['_body']);
      const own = { ...attributes, ...(isJsonObject(body) && body) };
      const name =
        nonEmptyText(each['eventName'] ?? each['event_name'] ?? attributes['event.name']) ?? '';
      const said = name === '' && typeof body === 'string' ? body : name;
      if (this.#agents.take(said, attributes, line)) continue;
      const span = `${traceId} ${nonEmptyText(each['spanId'] ?? each['span_id']) ?? ''}`;
      const messages = [...(this.#logged.get(span) ?? []), ...fromEvent(name, own)];
      if (messages.length > 0 && this.#logged.size < maxTraces) this.#logged.set(span, messages);
      this.#trace(traceId, line);
    }
    return isAlone || resources.length > 0;
  }

  end(): void {
    this.#agents.end();
    for (const messages of this.#logged.values())
      for (const turn of turnsOf(messages, { model: null, time: null, line: 1 }))
        this.#onTurn(turn);
    for (const { messages, tools, hasCalls, line, model } of this.#traces.values()) {
      const [turn] = turnsOf([...messages, { role: 'assistant', text: 'called', calls: [] }], {
        model,
        time: null,
        line,
      }).slice(-1);
      if (turn === undefined || hasCalls || tools.length === 0) continue;
      const inOrder = tools.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
      const calls = inOrder.map(({ call, server }) => ({
        ...call,
        name: server === null ? call.name : `${server}:${call.name}`,
      }));
      this.#onTurn({ ...turn, answers: calls.map((call) => [call]) });
    }
    this.#traces.clear();
  }
}
