import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ChatMessage } from '../exchange/chatMessages.ts';
import { keyText, nonEmptyText } from '../exchange/values.ts';
import { parsed } from './conversations.ts';
import { turnsOf, type RecordedTurn } from './recordedTurns.ts';

/** What was said and called in a session of an agent, as far as its events were read. */
interface Session {
  line: number;
  model: string | null;
  events: { order: number; message: ChatMessage }[];
}

const maxSessions = 20_000;

/**
 * Events of a coding agent, each a log record: a prompt of a person, a request to a model, and a call
 * with how it ended. Claude Code (https://code.claude.com/docs/en/monitoring-usage) and Gemini CLI
 * (https://github.com/google-gemini/gemini-cli, docs/cli/telemetry.md). Prompts and arguments are in
 * them only if the agent was told to log them.
 */
export class AgentEvents {
  readonly #onTurn: (turn: RecordedTurn) => void;
  readonly #sessions = new Map<string, Session>();

  constructor(onTurn: (turn: RecordedTurn) => void) {
    this.#onTurn = onTurn;
  }

  /** Takes an event of an agent; false for every other one. */
  take(name: string, attributes: JsonObject, line: number): boolean {
    const kind = /^(?:claude_code|gemini_cli|qwen-code|codex)\.(\w+)$/.exec(name)?.[1] ?? name;
    if (!ofAgents.has(kind) || (kind === name && !('session.id' in attributes))) return false;
    const id = nonEmptyText(attributes['session.id']) ?? '';
    const session = this.#sessions.get(id) ?? { line, model: null, events: [] };
    if (this.#sessions.size >= maxSessions && !this.#sessions.has(id)) return true;
    this.#sessions.set(id, session);
    session.model ??= nonEmptyText(attributes['model']);
    const message = messageOf(kind, attributes, `event ${session.events.length}`);
    const number = Number(attributes['event.sequence'] ?? Number.NaN);
    const order = Number.isNaN(number) ? session.events.length : number;
    if (message !== null) session.events.push({ order, message });
    return true;
  }

  end(): void {
    for (const { line, model, events } of this.#sessions.values()) {
      const messages = events
        .toSorted((one, other) => one.order - other.order)
        .map(({ message }) => message);
      for (const turn of turnsOf(messages, { model, time: null, line })) this.#onTurn(turn);
    }
    this.#sessions.clear();
  }
}

const ofAgents: ReadonlySet<string> = new Set(
  'user_prompt tool_result tool_call tool_decision api_request api_response'.split(' '),
);

/** @param own names a call that the event has no ID for */
function messageOf(kind: string, attributes: JsonObject, own: string): ChatMessage | null {
  if (kind === 'user_prompt') {
    const prompt = nonEmptyText(attributes['prompt']);
    return prompt === null || /^<?redacted>?$/i.test(prompt.trim())
      ? null
      : { role: 'user', text: prompt, calls: [] };
  }
  if (kind === 'tool_result' || kind === 'tool_call') {
    const call = callOf(attributes);
    const id = nonEmptyText(attributes['tool_use_id'] ?? attributes['call_id']) ?? own;
    const failed = /^false$/i.test(keyText(attributes['success']) ?? '');
    return call === null
      ? null
      : { role: 'assistant', text: '', calls: [call], callIds: [id], results: [{ id, failed }] };
  }
  // That a model answered, whatever it said.
  return kind === 'api_request' || kind === 'api_response'
    ? { role: 'assistant', text: '', calls: [] }
    : null;
}

/** The call of an event, with its server where the tool is one of MCP. */
function callOf(attributes: JsonObject): JsonObject | null {
  const said = parsed(attributes['tool_parameters']);
  const details = isJsonObject(said ?? null) ? (said as JsonObject) : {};
  const server =
    nonEmptyText(details['mcp_server_name']) ?? nonEmptyText(attributes['mcp_server_name']);
  const name =
    nonEmptyText(details['mcp_tool_name']) ??
    nonEmptyText(attributes['function_name']) ??
    nonEmptyText(attributes['tool_name']);
  if (name === null) return null;
  const given = parsed(
    attributes['function_args'] ?? attributes['tool_input'] ?? attributes['arguments'],
  );
  const prefix = `${server ?? ''}__`;
  const tool = server !== null && name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return {
    name: server === null || name.startsWith('mcp__') ? name : `${server}:${tool}`,
    ...(isJsonObject(given ?? null) && { arguments: given ?? {} }),
  };
}
