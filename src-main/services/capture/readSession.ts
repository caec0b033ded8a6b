import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CapturedSession, SessionTool } from '../../../src-shared/contract/sessions.ts';
import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import {
  answersClient,
  sessionHeader,
  sessionLine,
} from '../../../src-shared/domain/recordedSession.ts';
import { quantile } from '../../../src-shared/metrics/quantile.ts';
import { isShownEmpty } from '../../presentation/results.ts';
import { readClientFacts } from '../clients/clientViews.ts';
import type { SessionFile } from './sessionsFolder.ts';

const invalidParams = -32_602;

interface ToolUse {
  calls: number;
  failed: number;
  invalid: number;
  repeated: number;
  durations: number[];
  emptyIn: Set<string>;
}
type Uses = Map<string, ToolUse>;

const objectOf = (value: JsonValue | undefined): JsonObject =>
  isJsonObject(value ?? null) ? (value as JsonObject) : {};

/**
 * Reads a captured session. A line that can't be read, such as the last one of a gateway that was
 * killed, is counted; null for a file that is none.
 */
export async function readSession(
  file: SessionFile,
): Promise<{ session: CapturedSession; uses: Uses } | null> {
  let read: Session | null = null;
  const lines = createInterface({
    input: createReadStream(file.path, 'utf8'),
    crlfDelay: Infinity,
  });
  try {
    for await (const line of lines) {
      const value = orElse(() => parseJson(line), undefined);
      if (read !== null) read.take(value);
      else {
        const header = sessionHeader.safeParse(value);
        if (!header.success) return null;
        read = new Session(header.data, file);
      }
    }
  } finally {
    lines.close();
  }
  return read === null ? null : { session: read.facts, uses: read.uses };
}

class Session {
  readonly facts: CapturedSession;
  readonly uses: Uses = new Map();
  readonly #asked = new Map<string, { tool: string | null; method: string; ms: number }>();
  readonly #seen = new Set<string>();

  constructor(
    { server, mode, startedAt }: Pick<CapturedSession, 'server' | 'mode' | 'startedAt'>,
    { path, bytes }: SessionFile,
  ) {
    this.facts = {
      ...{ server, mode, startedAt, file: path, bytes, client: null },
      ...{ durationMs: 0, calls: 0, failed: 0, ended: null, damaged: 0 },
    };
  }

  take(value: unknown): void {
    const read = sessionLine.safeParse(value);
    if (!read.success) {
      this.facts.damaged += 1;
      return;
    }
    const line = read.data;
    this.facts.durationMs = Math.max(this.facts.durationMs, line.ms);
    if ('ended' in line) this.facts.ended = line.ended;
    else if (line.from === 'client') this.#takeRequest(line.message, line.ms);
    else if (answersClient(line)) this.#takeAnswer(line.message, line.ms);
  }

  #use(tool: string): ToolUse {
    const use = this.uses.get(tool) ?? {
      calls: 0,
      failed: 0,
      invalid: 0,
      repeated: 0,
      durations: [],
      emptyIn: new Set(),
    };
    this.uses.set(tool, use);
    return use;
  }

  #takeRequest({ id, method, params }: JsonObject, ms: number): void {
    if (typeof method !== 'string' || id === undefined) return;
    const given = objectOf(params);
    const tool =
      method === 'tools/call' && typeof given['name'] === 'string' ? given['name'] : null;
    this.#asked.set(JSON.stringify(id), { tool, method, ms });
    if (method === 'initialize') {
      const { name, version } = objectOf(given['clientInfo']);
      if (typeof name === 'string')
        this.facts.client = typeof version === 'string' ? `${name} ${version}` : name;
    }
    if (tool === null) return;
    this.facts.calls += 1;
    const use = this.#use(tool);
    use.calls += 1;
    const key = `${tool} ${canonicalJson(given['arguments'] ?? {})}`;
    if (this.#seen.has(key)) use.repeated += 1;
    this.#seen.add(key);
  }

  #takeAnswer({ id = null, result, error }: JsonObject, ms: number): void {
    const key = JSON.stringify(id);
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    if (asked === undefined) return;
    const answer = objectOf(result);
    if (asked.method === 'tools/list' && Array.isArray(answer['tools']))
      for (const each of answer['tools']) {
        const { name } = objectOf(each);
        if (typeof name === 'string') this.#use(name);
      }
    if (asked.tool === null) return;
    const use = this.#use(asked.tool);
    use.durations.push(ms - asked.ms);
    for (const { name, results } of readClientFacts())
      if (isShownEmpty(answer, results)) use.emptyIn.add(name);
    if (error === undefined && answer['isError'] !== true) return;
    use.failed += 1;
    this.facts.failed += 1;
    // Servers built with an SDK put the code into the text of a result.
    if (
      objectOf(error)['code'] === invalidParams ||
      JSON.stringify(answer).includes(`${invalidParams}`)
    )
      use.invalid += 1;
  }
}

/** Tools of all sessions: those that were called first, most calls first. */
export function toolsOfSessions(
  read: readonly { session: Pick<CapturedSession, 'server'>; uses: Uses }[],
): SessionTool[] {
  const tools = new Map<string, SessionTool & { durations: number[] }>();
  for (const { session, uses } of read)
    for (const [tool, use] of uses) {
      const key = JSON.stringify([session.server, tool]);
      const known = tools.get(key) ?? {
        ...{ server: session.server, tool, calls: 0, failed: 0, invalid: 0, repeated: 0 },
        ...{ medianMs: null, maxMs: null, durations: [], emptyIn: [] },
      };
      known.calls += use.calls;
      known.failed += use.failed;
      known.invalid += use.invalid;
      known.repeated += use.repeated;
      known.durations.push(...use.durations);
      known.emptyIn = [...new Set([...known.emptyIn, ...use.emptyIn])];
      tools.set(key, known);
    }
  return [...tools.values()]
    .map(({ durations, ...tool }) => ({
      ...tool,
      medianMs: quantile(durations, 0.5),
      maxMs: quantile(durations, 1),
    }))
    .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1));
}
