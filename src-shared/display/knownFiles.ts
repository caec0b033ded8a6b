import { orElse } from '../domain/orElse.ts';
import { parseJson } from '../domain/exactNumber.ts';
import { type ForeignFormat, foreignFormatTable } from '../domain/foreignFormat.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { recognizeOther } from './otherFiles.ts';
import { guessFormat } from './guessFormat.ts';

/** What a text in a notation that is read holds, by what takes it. */
export type FileRole =
  | 'suite'
  | 'cases'
  | 'tools'
  | 'report'
  | 'project'
  | 'servers'
  | 'exchanges'
  | 'recording'
  | 'log'
  | 'other'
  | 'JSON';

export interface KnownFile {
  role: FileRole;
  /** With its article, as in “This is …”. */
  kind: string;
  /** The format of cases that have to be imported. */
  format?: ForeignFormat;
  /** Chats whose answers may be what is right, or only what a model did. */
  mayBeLog?: true;
  /** What to do with it, where its role doesn't say. */
  remedy?: string;
  /** What tells it, counted from 1. */
  line?: number;
}

const known = (role: FileRole, kind: string): KnownFile => ({ role, kind });

/** What to do with such a file, in words of the window and of commands. */
const nextSteps: Readonly<Record<FileRole, string>> = {
  suite: 'Import it as a suite.',
  cases: 'Import it as cases.',
  servers: 'Import it as servers.',
  tools: 'Give it where a list of tools is asked for.',
  report: 'Choose another file.',
  project: 'Choose another file.',
  exchanges: 'Choose another file.',
  recording: 'Choose another file.',
  log: 'It says what a model did, not what is right: import it as a log, and review what it proposes.',
  other: 'Choose another file.',
  JSON: 'Write one object per line (JSON lines).',
};

/** The names of an object, or of a YAML mapping that may have problems elsewhere. */
interface Outline {
  value: JsonValue | undefined;
  names: ReadonlySet<string>;
  isLines: boolean;
  /** The names of the objects of a list, in lines or not. */
  ofRecords: ReadonlySet<string>;
}

const tryJson = (text: string): JsonValue | undefined => {
  return orElse(() => parseJson(text) as JsonValue, undefined);
};

/** Longer texts are only examined at their start. */
const maxParsed = 4 * 1024 * 1024;
const maxLines = 20;

const namesIn = (values: readonly JsonValue[]): Set<string> =>
  new Set(values.flatMap((each) => (isJsonObject(each) ? Object.keys(each) : [])));

function outlineOf(text: string): Outline {
  const value = /^\s*[[{]/.test(text) && text.length <= maxParsed ? tryJson(text) : undefined;
  const lines = text.split('\n', maxLines).filter((line) => line.trim() !== '');
  const objects =
    value === undefined || !text.trim().includes('\n')
      ? lines.map(tryJson).filter((line) => line !== undefined && isJsonObject(line))
      : [];
  if (objects.length > 0) {
    const names = namesIn(objects);
    return { value, names, isLines: true, ofRecords: names };
  }
  if (value !== undefined) {
    const ofRecords = namesIn(Array.isArray(value) ? value.slice(0, maxLines) : []);
    return { value, names: namesIn([value]), isLines: false, ofRecords };
  }
  const top = text.matchAll(/^["']?([\w$-]+)["']?[ \t]*:(?=\s|$)/gm);
  const names = new Set([...top].map(([, name = '']) => name));
  return { value, names, isLines: false, ofRecords: new Set() };
}

/**
 * What a text is that was given to something else: a table, a report, a list of tools. Null for one
 * that nothing takes, or that can't be told. Meant for a text that couldn't be read: it looks at
 * names, not at all of its contents.
 */
export function recognizeFile(source: string, fileName = ''): KnownFile | null {
  const text = source.replace(/^\ufeff/, '');
  const outline = outlineOf(text);
  const { names, isLines } = outline;
  const has = (...all: string[]): boolean => all.every((name) => names.has(name));
  const own = ownFile(outline, has);
  if (own !== null) return own;
  const other = recognizeOther(text, names);
  if (other !== null && other.kind !== 'plain text') return { role: 'other', ...other };
  return (
    (has('schemaVersion') || !(has('cases') || has('version', 'name'))
      ? casesFile(text, fileName, outline)
      : null) ??
    (has('cases') || has('version', 'name') ? known('suite', 'a suite') : null) ??
    (outline.value !== undefined && !isLines ? known('JSON', 'JSON over several lines') : null) ??
    (other === null ? null : { role: 'other', ...other })
  );
}

function ownFile(
  { value, isLines, ofRecords }: Outline,
  has: (...all: string[]) => boolean,
): KnownFile | null {
  const object = value !== undefined && isJsonObject(value) ? value : {};
  const { format, servers, tools, result } = object;
  if (has('format', 'startedAt', 'overrides', 'masked'))
    return known('log', 'a session that a gateway recorded');
  if (typeof format === 'string' && format.startsWith('touchstone-'))
    return known('report', `a report of Touchstone (${format.slice('touchstone-'.length)})`);
  if (isLines && has('actual_calls', 'expected_calls'))
    return known('exchanges', 'a file of recorded exchanges');
  if (isLines && has('key', 'wireApi')) return known('recording', 'a recording');
  const log = logs.find(
    ([each, form]) =>
      has(...each) ||
      (form === 'records' && each.every((name) => ofRecords.has(name)) && !expects(ofRecords)),
  );
  const { log: archive } = object;
  if (isJsonObject(archive ?? null) && 'entries' in (archive as object))
    return known('log', 'an archive of HTTP requests (HAR)');
  if (log !== undefined) return known('log', log[2]);
  if (Array.isArray(value) && value.length > 1 && value.every(isSaid))
    return known('log', 'a conversation with a model');
  if (has('testResults', 'numTotalTests') && JSON.stringify(object).includes('"toolCalls":'))
    return known('log', 'results of vitest-evals');
  const isOfServers =
    ['mcpServers', 'mcp_servers', 'context_servers'].some((name) => has(name)) ||
    isJsonObject(servers ?? null);
  // A suite may start its own servers.
  if (isOfServers && !Object.values(object).some(asks))
    return known('servers', 'a configuration of MCP servers');
  const isListing = (each: JsonValue | undefined): boolean =>
    Array.isArray(each) &&
    each.every((tool) => isJsonObject(tool) && ('name' in tool || 'tool_id' in tool));
  const ofServers =
    Array.isArray(servers) &&
    servers.some((server) => isJsonObject(server) && isListing(server['tools']));
  const isDefinition = (each: JsonValue): boolean =>
    isJsonObject(each) && ('inputSchema' in each || 'input_schema' in each || isFunctionTool(each));
  if (
    (Array.isArray(value) && value.length > 0 && value.every(isDefinition)) ||
    isListing(tools) ||
    ofServers ||
    (isJsonObject(result ?? null) && isListing((result as Record<string, JsonValue>)['tools']))
  )
    return known('tools', 'a list of tools');
  if (!isLines && (has('suite') || has('suites')) && has('version') && !has('cases'))
    return known('project', 'a project');
  return null;
}

/** Whether a list has records with a request. */
const asks = (list: JsonValue): boolean =>
  Array.isArray(list) &&
  list.some(
    (each) => isJsonObject(each) && ['query', 'prompt', 'question'].some((name) => name in each),
  );

/** A message: of OpenAI and Anthropic, Gemini (parts), or LangChain (type, data). */
const isSaid = (each: JsonValue): boolean => {
  if (!isJsonObject(each) || !['content', 'parts', 'data'].some((name) => name in each))
    return false;
  const said = each['role'] ?? each['type'];
  return (
    typeof said === 'string' &&
    /^(?:system|developer|user|human|assistant|ai|model|tool|function)$/.test(said)
  );
};

/** A tool as models are told of it: `{type: "function", function: {name, parameters}}`. */
const isFunctionTool = ({ type, name, parameters, function: own }: JsonObject): boolean =>
  type === 'function' &&
  (isJsonObject(own ?? null) || (name !== undefined && parameters !== undefined));

/** Whether records say what is right, in any of its names. */
const expects = (names: ReadonlySet<string>): boolean =>
  [...names].some((name) =>
    /expect|should|reference|ground|ideal|target|^tools?$|^assert/i.test(name),
  );

const requestsLog = 'a log of requests and answers of a model';
/** Names that only logs have together, in lines, in one object, or in the records of a list. */
const logs: readonly (readonly [
  names: readonly string[],
  form: 'any' | 'records',
  kind: string,
])[] = [
  [['sessionId', 'message', 'type'], 'any', 'a session of a coding agent'],
  // Codex: https://github.com/openai/codex (rollout files).
  [['timestamp', 'payload', 'type'], 'any', 'a session of a coding agent'],
  // https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
  [['resourceSpans'], 'any', 'a log of spans (OpenTelemetry)'],
  [['traceId', 'spanId'], 'records', 'a log of spans (OpenTelemetry)'],
  [['trace_id', 'span_id'], 'records', 'a log of spans (OpenTelemetry)'],
  [['observations', 'projectId'], 'records', 'a log of traces (Langfuse)'],
  [['id', 'observations'], 'records', 'a log of traces (Langfuse)'],
  [['choices', 'model', 'object'], 'records', 'a log of answers of a model'],
  [['output', 'model', 'object'], 'records', 'a log of answers of a model'],
  [['stop_reason', 'content', 'model'], 'records', 'a log of answers of a model'],
  [['resourceLogs'], 'any', 'a log of messages (OpenTelemetry)'],
  [['hrTime', 'attributes'], 'records', 'a log of events (OpenTelemetry)'],
  // https://platform.claude.com/docs/en/build-with-claude/batch-processing
  [['custom_id', 'params'], 'records', 'a log of requests of a batch'],
  [['custom_id', 'result'], 'records', 'a log of results of a batch'],
  // https://platform.openai.com/docs/guides/batch
  [['custom_id', 'method', 'url', 'body'], 'records', 'a log of requests of a batch'],
  [['custom_id', 'response'], 'records', 'a log of results of a batch'],
  [['context', 'attributes', 'name'], 'records', 'a log of spans (OpenTelemetry)'],
  // What an exporter of JavaScript prints.
  [['traceId', 'id', 'attributes'], 'records', 'a log of spans (OpenTelemetry)'],
  [['sessionId', 'messages', 'startTime'], 'any', 'a session of a coding agent'],
  [['sessionId', 'messageId', 'message'], 'records', 'a session of a coding agent'],
  // https://inspect.aisi.org.uk/eval-logs.html
  [['eval', 'plan', 'samples'], 'any', 'a log of an evaluation (Inspect)'],
  [['eval', 'status', 'samples'], 'any', 'a log of an evaluation (Inspect)'],
  // https://openai.github.io/openai-agents-python/tracing/
  [['workflow_name', 'object'], 'any', 'a log of traces (Agents SDK)'],
  [['span_data', 'trace_id'], 'any', 'a log of traces (Agents SDK)'],
  [['sessionId', 'projectHash'], 'any', 'a session of a coding agent'],
  [['run_type', 'inputs', 'outputs'], 'records', 'a log of runs (LangSmith)'],
  [['traceId', 'input', 'output'], 'records', 'a log of traces (Langfuse)'],
  [['call_type', 'messages', 'response'], 'records', 'a log of requests (LiteLLM)'],
  [['reqPayload', 'respPayload'], 'records', requestsLog],
  [['prompt_messages', 'completion_message'], 'records', requestsLog],
  [['messages', 'response'], 'records', requestsLog],
  [['messages', 'choices'], 'records', requestsLog],
  [['messages', 'output', 'model'], 'records', requestsLog],
  [['input', 'output', 'model'], 'records', requestsLog],
  [['request', 'response'], 'records', requestsLog],
];

/** What holds the query in records. */
const askingName = /^(?:inputs?|messages?|prompt|query|question|user_?(?:input|query)|utterance)$/i;

/** Cases that have to be imported first. */
function casesFile(
  text: string,
  fileName: string,
  { isLines, names, ofRecords: listed }: Outline,
): KnownFile | null {
  const format = guessFormat(fileName, text);
  const isOne = listed.size === 0 && names.has('messages');
  const ofRecords = isOne ? names : listed;
  if (format === 'touchstone') return null;
  if (format === 'jsonl' && ![...ofRecords].some((name) => askingName.test(name))) return null;
  const isChats =
    format === 'jsonl' &&
    ['messages', 'conversations', 'conversation'].some((name) => ofRecords.has(name)) &&
    !expects(ofRecords);
  const kind =
    format === 'csv'
      ? 'a table (CSV)'
      : format === 'jsonl'
        ? isChats
          ? isOne
            ? 'a chat'
            : 'a fine-tuning set (chats)'
          : isLines
            ? 'a file of records (JSON lines)'
            : 'a list of records'
        : `a file of ${foreignFormatTable[format].exportLabel}`;
  return {
    ...known('cases', kind),
    format,
    ...(isChats && {
      mayBeLog: true as const,
      remedy:
        'Import it as cases if its answers are right, or as a log to review them if a model gave them.',
    }),
  };
}

/** That a text is something else than was expected; null if that isn't known. */
export function otherFile(
  text: string,
  expected: { role: FileRole; kind: string },
  fileName = '',
): (KnownFile & { message: string }) | null {
  const found = recognizeFile(text, fileName);
  if (found === null || found.role === expected.role) return null;
  if (found.role === 'JSON' && expected.role !== 'exchanges') return null;
  const message = `This is ${found.kind}, not ${expected.kind}. ${found.remedy ?? nextSteps[found.role]}`;
  return { ...found, message };
}
