import { createHash } from 'node:crypto';
import type { LogReport } from '../../../../src-shared/contract/suites.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import type { OnRead } from '../exchange/caseExchange.ts';
import { nonEmptyText } from '../exchange/values.ts';
import { readConversation } from './conversations.ts';
import { logRecords, UnreadableLog, type LogSource } from './logRecords.ts';
import { turnsOf, type RecordedCall, type RecordedTurn } from './recordedTurns.ts';
import { GatewaySessions } from './gatewaySessions.ts';
import { Batches } from './batches.ts';
import { Sessions } from './sessions.ts';
import { Spans, type CallFact } from './spans.ts';

export interface KeptTurn extends RecordedTurn {
  times: number;
}

/** Different turns with the same tools that are kept: more are never shown. */
export const maxOfTools = 1000;
export const maxKept = 20_000;
const maxDamaged = 20;
const maxDepth = 3;

/** A log, read: its turns, and what became of its records. */
export interface ReadLog {
  kinds: string[];
  records: number;
  /** Records without a request and its answer. */
  unread: number;
  /** Requests that were answered. */
  answered: number;
  damaged: LogReport['damaged'];
  turns: KeptTurn[];
  /** Different turns that were not kept, because there are enough with the same tools. */
  notKept: number;
  /** What other records say about a call, by its id. */
  facts: ReadonlyMap<string, CallFact>;
}

/**
 * Reads a log of what models did. The same request after the same messages is one turn: programs
 * send the whole conversation again with each result, so that the turn with the most calls stands
 * for those whose calls are its beginning. Takes memory for the turns that differ alone.
 *
 * @returns why it can’t be read, if nothing of it can
 */
export function readLog(
  source: LogSource,
  fileName: string,
  onRead?: OnRead,
): ReadLog | { why: string } {
  const log = new Log();
  try {
    for (const record of logRecords(source, fileName, onRead)) log.take(record);
  } catch (error) {
    if (error instanceof UnreadableLog) return { why: error.message };
    throw error;
  }
  const read = log.end();
  return read.turns.length > 0 ? read : { why: nothing(read) };
}

const nothing = ({ records, damaged, kinds }: ReadLog): string =>
  kinds.includes('requests of a batch')
    ? 'It holds the requests of a batch, or their results alone. Put both into one file.'
    : damaged.count > 0 && damaged.count === records
      ? `None of its ${counted(records, 'line')} is a JSON object. The first: line ${damaged.first[0]?.line ?? 1}.`
      : `It holds no request with the answer of a model (${counted(records, 'record')}). Export the log with its inputs and outputs.`;

class Log {
  readonly #kinds = new Set<string>();
  readonly #damaged: LogReport['damaged'] = { count: 0, first: [] };
  #records = 0;
  #unread = 0;
  #answered = 0;
  /** By what was said before and asked. */
  readonly #kept = new Map<string, KeptTurn[]>();
  #size = 0;
  #notKept = 0;
  readonly #ofTools = new Map<string, number>();
  readonly #sessions = new Sessions((turn) => this.#add(turn));
  readonly #gateway = new GatewaySessions((turn) => this.#add(turn));
  readonly #spans = new Spans((turn) => this.#add(turn));
  readonly #batches = new Batches();

  take(record: { line: number } & ({ value: JsonObject } | { why: string })): void {
    this.#records += 1;
    const { line } = record;
    if ('why' in record) {
      this.#damaged.count += 1;
      if (this.#damaged.first.length < maxDamaged)
        this.#damaged.first.push({ line, why: record.why });
      return;
    }
    if (!this.#read(record.value, line, 0)) this.#unread += 1;
  }

  /** Reads a record, and those in it: an export may be an object with lists. */
  #read(value: JsonObject, line: number, depth: number): boolean {
    const kind =
      this.#gateway.take(value, line) ??
      this.#spans.take(value, line) ??
      this.#sessions.take(value, line);
    if (kind !== null) {
      this.#kinds.add(kind);
      return true;
    }
    const joined = this.#batches.take(value, line);
    if (joined !== undefined) {
      this.#kinds.add('requests of a batch');
      return joined === null || this.#readConversation(joined.value, joined.line);
    }
    // A span of the Agents SDK: https://openai.github.io/openai-agents-python/tracing/
    const { span_data: span = null } = value;
    if (isJsonObject(span)) return this.#readConversation(span, line);
    let isRead = isOther(value) ? false : this.#readConversation(value, line);
    if (depth < maxDepth)
      for (const each of Object.values(value))
        if (Array.isArray(each) && each.length > 0 && each.every(isJsonObject))
          for (const inner of each)
            isRead = (isMessage(inner) ? false : this.#read(inner, line, depth + 1)) || isRead;
        else if (isJsonObject(each) && 'entries' in each)
          isRead = this.#read(each, line, depth + 1) || isRead;
    return isRead;
  }

  #readConversation(value: JsonObject, line: number): boolean {
    const conversation = readConversation(value);
    if (conversation === null) return false;
    const turns = turnsOf(conversation.messages, { ...conversation, line });
    for (const turn of turns) this.#add(turn);
    if (turns.length > 0) this.#kinds.add(kindOf(value));
    return turns.length > 0;
  }

  end(): ReadLog {
    this.#spans.end();
    this.#sessions.end();
    this.#gateway.end();
    return {
      kinds: [...this.#kinds],
      records: this.#records,
      // A request without its answer, or the other way round.
      unread: this.#unread + this.#batches.alone,
      answered: this.#answered,
      damaged: this.#damaged,
      turns: [...this.#kept.values()].flat(),
      notKept: this.#notKept,
      facts: this.#spans.facts,
    };
  }

  #add(turn: RecordedTurn): void {
    this.#answered += 1;
    const key = createHash('sha256')
      // Without a request, a call is only the same as one with its arguments.
      .update(JSON.stringify([turn.messages, turn.query || turn.answers.flat().map(callText)]))
      .digest('base64');
    const same = this.#kept.get(key) ?? [];
    const known = same.find((each) => begins(each, turn) || begins(turn, each));
    if (known !== undefined) {
      known.times += 1;
      known.system ??= turn.system;
      known.model ??= turn.model;
      if (turn.answers.flat().length > known.answers.flat().length) known.answers = turn.answers;
      return;
    }
    const tools = toolsOf(turn);
    const count = this.#ofTools.get(tools) ?? 0;
    if (count >= maxOfTools || this.#size >= maxKept) {
      this.#notKept += 1;
      return;
    }
    this.#ofTools.set(tools, count + 1);
    this.#size += 1;
    same.push({ ...turn, times: 1 });
    this.#kept.set(key, same);
  }
}

/** Records that hold neither a request nor an answer: a tool that ran, a retriever. */
function isOther(value: JsonObject): boolean {
  const type = (nonEmptyText(value['run_type'] ?? value['type']) ?? '').toLowerCase();
  return (
    ('run_type' in value || 'traceId' in value) &&
    /^(?:tool|retriever|parser|prompt|embedding|span|event|guardrail|evaluator)$/.test(type)
  );
}

/** A message, or an item of the Responses API: its conversation is that of the record around it. */
const isMessage = (value: JsonObject): boolean =>
  ('role' in value && 'content' in value) || ('call_id' in value && 'type' in value);

const kindOf = (value: JsonObject): string =>
  'run_type' in value
    ? 'LangSmith runs'
    : 'traceId' in value || 'observations' in value || 'projectId' in value
      ? 'Langfuse traces'
      : 'call_type' in value
        ? 'LiteLLM requests'
        : 'requests and answers of a model';

const toolsOf = (turn: RecordedTurn): string =>
  turn.answers
    .flat()
    .map(({ name }) => name)
    .join('\n');

const callText = ({ name, arguments: given }: RecordedCall): string =>
  `${name} ${canonicalJson(given ?? {})}`;

/** Whether the calls of one turn are the first of another one, or all of them. */
function begins(one: RecordedTurn, other: RecordedTurn): boolean {
  const calls = one.answers.flat();
  const others = other.answers.flat();
  return (
    calls.length <= others.length &&
    calls.every((call, at) => {
      const same = others[at];
      return same !== undefined && callText(call) === callText(same);
    })
  );
}
