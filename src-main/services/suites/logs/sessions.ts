import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readMessages, type ChatMessage } from '../exchange/chatMessages.ts';
import { nonEmptyText } from '../exchange/values.ts';
import { isRequest, turnsOf, type RecordedTurn } from './recordedTurns.ts';
import { timeOf } from './conversations.ts';

interface Session {
  messages: ChatMessage[];
  /** By the id of an answer, which a program writes in several lines. */
  answers: Map<string, ChatMessage>;
  model: string | null;
  time: string | null;
  line: number;
}

/** Earlier messages of a session that are kept with a request. */
const maxEarlier = 60;
const maxText = 8000;

/**
 * Sessions of coding agents, whose lines are one conversation. A request is passed on as soon as
 * the next one comes, so that a session may have any length.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();
  readonly #onTurn: (turn: RecordedTurn) => void;
  /** The session of lines that don't name theirs. */
  #current = '';

  constructor(onTurn: (turn: RecordedTurn) => void) {
    this.#onTurn = onTurn;
  }

  /** Takes a line of a session; the kind of program, or null if it is of none. */
  take(record: JsonObject, line: number): string | null {
    if (this.#takeClaude(record, line)) return 'Claude Code sessions';
    if (this.#takeCodex(record, line)) return 'Codex rollouts';
    return this.#takeGemini(record, line) ? 'Gemini CLI sessions' : null;
  }

  end(): void {
    for (const session of this.#sessions.values()) this.#pass(session);
    this.#sessions.clear();
  }

  /** Claude Code: https://code.claude.com/docs/en/sessions (JSON lines under `projects`). */
  #takeClaude(record: JsonObject, line: number): boolean {
    const { sessionId, type, message } = record;
    const isLine =
      typeof type === 'string' &&
      (claudeLines.has(type) || (typeof sessionId === 'string' && 'uuid' in record));
    if (!isLine) return false;
    if (record['isSidechain'] === true || record['isMeta'] === true) return true;
    if (!isJsonObject(message ?? null) || typeof sessionId !== 'string') return claudeSays(record);
    const said = message as JsonObject;
    const read = readMessages([said]) ?? [];
    const session = this.#session(`claude ${sessionId}`, line);
    const id = typeof said['id'] === 'string' ? said['id'] : null;
    const before = id === null ? undefined : session.answers.get(id);
    for (const each of read)
      if (before === undefined || each.role !== 'assistant') this.#say(session, each, record, line);
      else {
        before.calls.push(...each.calls);
        before.callIds = [...(before.callIds ?? []), ...(each.callIds ?? [])];
      }
    const [first] = read;
    if (id !== null && before === undefined && first?.role === 'assistant')
      session.answers.set(id, first);
    session.model = nonEmptyText(said['model']) ?? session.model;
    return true;
  }

  /** Codex: https://github.com/openai/codex, codex-rs/protocol (rollout items). */
  #takeCodex(record: JsonObject, line: number): boolean {
    const { type, payload } = record;
    // The first versions wrote the items alone, after a line with the id of the session.
    const isItem = typeof type === 'string' && bareItems.has(type) && !('response' in record);
    if (!isItem && (!isJsonObject(payload ?? null) || typeof type !== 'string')) return false;
    const item = isItem ? record : (payload as JsonObject);
    if (type === 'session_meta') this.#current = `codex ${nonEmptyText(item['id']) ?? line}`;
    if (this.#current === '') this.#current = `codex ${line}`;
    const session = this.#session(this.#current, line);
    if (type === 'turn_context') session.model = nonEmptyText(item['model']) ?? session.model;
    if (type === 'event_msg') endOfCodexCall(item, session);
    if (isItem || type === 'response_item')
      for (const each of readMessages([item]) ?? []) this.#say(session, each, record, line);
    return true;
  }

  /** Gemini CLI: https://geminicli.com/docs/cli/session-management (chats/session-*.json). */
  #takeGemini(record: JsonObject, line: number): boolean {
    const { sessionId, messages, type, message, projectHash } = record;
    if (Array.isArray(messages) && typeof sessionId === 'string') {
      for (const each of messages) if (isJsonObject(each)) this.#sayGemini(sessionId, each, line);
      return true;
    }
    if (typeof projectHash === 'string' && typeof sessionId === 'string') {
      this.#current = sessionId;
      return true;
    }
    if (type === 'gemini' || (type === 'user' && 'id' in record && 'content' in record)) {
      this.#sayGemini(this.#current, record, line);
      return true;
    }
    // logs.json has what people typed, and nothing of what the model did.
    return typeof sessionId === 'string' && 'messageId' in record && typeof message === 'string';
  }

  #sayGemini(sessionId: string, record: JsonObject, line: number): void {
    const session = this.#session(`gemini ${sessionId}`, line);
    const { type, content = '', toolCalls } = record;
    session.model = nonEmptyText(record['model']) ?? session.model;
    const role = type === 'user' ? 'user' : type === 'gemini' ? 'model' : null;
    if (role === null) return;
    const calls = Array.isArray(toolCalls) ? toolCalls.filter(isJsonObject) : [];
    for (const each of readMessages([{ role, content, tool_calls: calls }]) ?? [])
      this.#say(session, each, record, line);
    if (calls.length === 0) return;
    const results = calls.map(({ id, status }) => ({
      id: typeof id === 'string' ? id : null,
      failed: status === 'error',
    }));
    this.#say(session, { role: 'result', text: '', calls: [], results }, record, line);
  }

  #session(name: string, line: number): Session {
    let session = this.#sessions.get(name);
    if (session === undefined) {
      session = { messages: [], answers: new Map(), model: null, time: null, line };
      this.#sessions.set(name, session);
    }
    return session;
  }

  #say(session: Session, message: ChatMessage, record: JsonObject, line: number): void {
    if (isRequest(message)) {
      this.#pass(session);
      session.messages = session.messages.slice(-maxEarlier);
      session.answers.clear();
      session.line = line;
      session.time = timeOf(record);
    }
    message.text = message.text.slice(0, maxText);
    session.messages.push(message);
  }

  /** Passes on the last request with what followed it. */
  #pass(session: Session): void {
    const last = turnsOf(session.messages, session).at(-1);
    if (last !== undefined && last.line === session.line) this.#onTurn(last);
  }
}

const claudeLines: ReadonlySet<string> = new Set(
  'summary file-history-snapshot queue-operation custom-title agent-name'.split(' '),
);
/** A line of a session that is neither said nor called: a hook, a summary. */
const claudeSays = (record: JsonObject): boolean =>
  'uuid' in record || claudeLines.has(nonEmptyText(record['type']) ?? '');

const bareItems: ReadonlySet<string> = new Set(
  (
    'message reasoning function_call function_call_output custom_tool_call ' +
    'custom_tool_call_output'
  ).split(' '),
);

/** An event of Codex that says how a call of an MCP server ended. */
function endOfCodexCall(item: JsonObject, session: Session): void {
  if (item['type'] !== 'mcp_tool_call_end') return;
  const result: JsonValue = item['result'] ?? null;
  const id = nonEmptyText(item['call_id']);
  const inner = isJsonObject(result) ? result['Ok'] : undefined;
  const failed =
    isJsonObject(result) &&
    ('Err' in result || (isJsonObject(inner ?? null) && (inner as JsonObject)['isError'] === true));
  session.messages.push({ role: 'result', text: '', calls: [], results: [{ id, failed }] });
}
