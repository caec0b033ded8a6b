import { errorText } from '../../../../src-shared/domain/errorText.ts';
import {
  type JsonObject,
  isJsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import type { Score } from '../../../../src-shared/domain/score.ts';
import type {
  ArgumentsMode,
  CaseContent,
  Expectation,
} from '../../../../src-shared/domain/testCase.ts';
import {
  toError,
  WorkerPool,
  type ItemOutcome,
  type RunOptions,
} from '../../../adapters/process/workerPool.ts';
import { AjvJudge } from '../../../scoring/ajvJudge.ts';
import { cutDepth } from '../../../scoring/depth.ts';
import type { OfferedTool, ScoreInput } from '../../../scoring/scoreInput.ts';
import { scorerFingerprint, scoreRun } from '../../../scoring/scoreRun.ts';
import { hashText, stages, type Refusals, type ScoringItem } from './scoringItem.ts';
import { sendableInput, sendableTools } from './sendable.ts';
import { besideModule } from '../../../runtime/besideModule.ts';

/** Texts of a list of tools, and of a run, in characters of JSON. */
const maxToolsLength = 50_000;
const maxInputLength = 10_000;
const maxSchemaDepth = 8;

const plainKeywords = new Set([
  ...['type', 'enum', 'const', 'required', 'minimum', 'maximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'title', 'description', 'default', 'examples', '$schema'],
]);

/** No pattern, no format, no reference: what is left takes as long as its text is. */
function isPlainSchema(schema: JsonValue, depth = 0): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isJsonObject(schema) || depth > maxSchemaDepth) return false;
  const all = (schemas: JsonValue[]): boolean =>
    schemas.every((each) => isPlainSchema(each, depth + 1));
  return Object.entries(schema).every(([keyword, value]) => {
    if (keyword === 'properties') return isJsonObject(value) && all(Object.values(value));
    if (keyword === 'anyOf') return Array.isArray(value) && all(value);
    if (keyword === 'items' || keyword === 'additionalProperties') return all([value]);
    // In draft 3 a type can be a schema.
    if (keyword === 'type') return !JSON.stringify(value).includes('{');
    return plainKeywords.has(keyword);
  });
}

const quickLists = new WeakMap<readonly OfferedTool[], boolean>();

/**
 * Whether a run is surely scored in milliseconds, so that it needs no thread that could be ended: its
 * texts are short, its expectation has no matcher, and its tools have plain schemas.
 */
function isQuick(
  { expectation, acceptable, ...rest }: ScoringItem['input'],
  tools: readonly OfferedTool[],
): boolean {
  let isQuickList = quickLists.get(tools);
  if (isQuickList === undefined) {
    isQuickList =
      JSON.stringify(tools).length <= maxToolsLength &&
      tools.every(({ inputSchema }) => isPlainSchema(inputSchema));
    quickLists.set(tools, isQuickList);
  }
  if (!isQuickList || acceptable !== undefined) return false;
  const expected = JSON.stringify(expectation);
  return (
    expected.length + JSON.stringify(rest).length <= maxInputLength && !expected.includes('"$')
  );
}

/** A list of tools. Lists with the same key must be equal: a worker receives each key only once. */
export interface ToolList {
  key: string;
  tools: readonly OfferedTool[];
}

/** A run to be scored, as an evaluation stores it. */
export interface ObservedRun {
  content: Expectation & Pick<CaseContent, 'query'>;
  observation: Pick<Observation, 'calls' | 'confidence' | 'reasoning'>;
  highConfidence: number;
  /** Of the evaluation; the case's own wins. */
  argumentsMode: ArgumentsMode;
}

export interface ScorerOptions {
  /** Computing time for one run in ms. Default 200. */
  cpuLimitMs?: number;
  workers?: number;
  /**
   * So many quick runs are scored on the caller's thread before one is started, which takes a fifth
   * of the time of a small evaluation. Default 0: nothing is computed where a window waits.
   */
  inPlace?: number;
}

/** A run with what was refused so far; it is queued again after each refusal. */
interface Waiting {
  item: ScoringItem;
  tools: readonly OfferedTool[];
  attempts: number;
  settled: boolean;
  resolve: (score: Score) => void;
  reject: (error: unknown) => void;
}

interface Group {
  list: ToolList | null;
  waiting: Waiting[];
}

const maxBatch = 100;
/** A schema or pattern that exceeded the time limit in this many runs is not tried again. */
const maxStrikes = 3;
/**
 * Every attempt leaves out one more schema or pattern; a run that still fails after this many
 * attempts is rejected.
 */
const maxAttempts = 20;

const workerEntry = besideModule(import.meta.url, 'scoringWorker');

/** For a command, which has nothing else to do: a few runs are not worth a thread. */
export const commandScoring: ScorerOptions = { inPlace: 20 };

/**
 * Scores runs in a worker thread with a time limit for each run, so that no schema and no pattern
 * can block the process. Runs that arrive in one turn of the event loop are sent as one batch. When
 * a schema or pattern exceeds the limit, the run is scored without it: conformance is undecided, a
 * `$regex` does not match, and the reason says so.
 */
export class Scorer {
  readonly fingerprint = scorerFingerprint();
  readonly #pool: WorkerPool<ScoringItem, Score>;
  readonly #cpuLimitMs: number;
  readonly #groups = new Map<string | null, Group>();
  readonly #schemaHashes = new WeakMap<JsonObject, number>();
  /** How often a schema (s) or pattern (p) exceeded the limit, by its hash. */
  readonly #strikes = new Map<string, number>();
  #flushing = false;
  #inPlace: number;
  #judge: AjvJudge | null = null;

  constructor(options: ScorerOptions = {}) {
    this.#cpuLimitMs = options.cpuLimitMs ?? 200;
    this.#inPlace = options.inPlace ?? 0;
    this.#pool = new WorkerPool({
      entry: workerEntry,
      size: options.workers ?? 1,
      cpuLimitMs: this.#cpuLimitMs,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 },
    });
  }

  /** Scores a run of an evaluation; `list` is sent to a worker only once. */
  score(list: ToolList, run: ObservedRun, signal?: AbortSignal): Promise<Score> {
    const { content, observation, highConfidence } = run;
    const { query, expectedCalls, orderDependent, allowedCalls } = content;
    const argumentsMode = content.argumentsMode ?? run.argumentsMode;
    const input = {
      expectation: { expectedCalls, orderDependent, allowedCalls, argumentsMode },
      query,
      calls: observation.calls,
      confidence: observation.confidence,
      highConfidence,
      modelReasoning: observation.reasoning,
    };
    return this.#enqueue(list, input, list.tools, signal);
  }

  scoreInput(input: ScoreInput, signal?: AbortSignal): Promise<Score> {
    const { tools, ...rest } = input;
    return this.#enqueue(null, rest, tools, signal);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #enqueue(
    list: ToolList | null,
    input: ScoringItem['input'],
    tools: readonly OfferedTool[],
    signal?: AbortSignal,
  ): Promise<Score> {
    return new Promise<Score>((resolve, reject) => {
      const settle = (): boolean => {
        if (waiting.settled) return false;
        waiting.settled = true;
        signal?.removeEventListener('abort', abort);
        return true;
      };
      const waiting: Waiting = {
        item: {
          input: sendableInput(input),
          tools: list ? null : sendableTools(tools),
          refusals: { schemas: [], patterns: [] },
        },
        tools,
        attempts: 0,
        settled: false,
        resolve: (score) => settle() && resolve(score),
        reject: (error) => settle() && reject(toError(error)),
      };
      const abort = (): void => waiting.reject(signal?.reason);
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort, { once: true });
      waiting.item.refusals.schemas.push(...this.#blockedSchemas(tools));
      this.#add(list, waiting);
    });
  }

  #add(list: ToolList | null, waiting: Waiting): void {
    const key = list?.key ?? null;
    let group = this.#groups.get(key);
    if (!group) this.#groups.set(key, (group = { list, waiting: [] }));
    group.waiting.push(waiting);
    if (group.waiting.length >= maxBatch) {
      this.#groups.delete(key);
      void this.#send(group);
    } else if (!this.#flushing) {
      this.#flushing = true;
      setImmediate(() => {
        this.#flushing = false;
        const groups = [...this.#groups.values()];
        this.#groups.clear();
        for (const each of groups) void this.#send(each);
      });
    }
  }

  async #send({ list, waiting }: Group): Promise<void> {
    const pending = waiting.filter((each) => !each.settled && !this.#scoreInPlace(list, each));
    if (pending.length === 0) return;
    // One loss is enough to learn from: otherwise 100 runs with a slow schema would hold up all
    // others for the time limit of each.
    const options: RunOptions = {
      endAtLoss: true,
      ...(list && { shared: { key: list.key, value: sendableTools(list.tools) } }),
    };
    try {
      const outcomes = await this.#pool.run(
        pending.map(({ item }) => ({
          ...item,
          refusals: this.#withBlockedPatterns(item.refusals),
        })),
        options,
      );
      for (const [index, outcome] of outcomes.entries()) {
        const run = pending[index];
        if (run) this.#settle(list, run, outcome);
      }
    } catch (error) {
      for (const run of pending) run.reject(error);
    }
  }

  #scoreInPlace(list: ToolList | null, { item, tools, resolve, reject }: Waiting): boolean {
    const offered = item.tools ?? sendableTools(list?.tools ?? tools);
    if (this.#inPlace === 0 || !isQuick(item.input, offered)) return false;
    this.#inPlace -= 1;
    this.#judge ??= new AjvJudge();
    try {
      resolve(scoreRun({ ...item.input, tools: offered }, this.#judge));
    } catch (error) {
      reject(new Error(`Scoring failed: ${errorText(error)}`));
    }
    return true;
  }

  /**
   * Resolves a run, or queues it again without the schema or pattern that the worker could not
   * finish.
   */
  #settle(list: ToolList | null, waiting: Waiting, outcome: ItemOutcome<Score>): void {
    if (outcome.outcome === 'done') return waiting.resolve(outcome.value);
    if (outcome.outcome === 'failed')
      return waiting.reject(new Error(`Scoring failed: ${outcome.reason}`));
    if (outcome.outcome === 'skipped') {
      const { schemas } = waiting.item.refusals;
      const refused = new Set(schemas.map(({ tool }) => tool));
      schemas.push(...this.#blockedSchemas(waiting.tools).filter(({ tool }) => !refused.has(tool)));
      return this.#add(list, waiting);
    }
    waiting.attempts += 1;
    const { stage, detail } = outcome;
    if (waiting.attempts > maxAttempts || (stage !== stages.schema && stage !== stages.pattern)) {
      return waiting.reject(new Error(`Scoring didn't finish. ${outcome.reason}`));
    }
    const limit =
      outcome.outcome === 'over_time'
        ? `didn't finish within ${this.#cpuLimitMs} ms of CPU time`
        : 'crashed the scoring thread';
    if (stage === stages.schema) {
      waiting.item.refusals.schemas.push({ tool: detail, reason: `The input schema ${limit}.` });
      const schema = waiting.tools[detail]?.inputSchema;
      if (schema) this.#strike(`s${this.#hashSchema(schema)}`);
    } else {
      waiting.item.refusals.patterns.push({ hash: detail, reason: `the pattern ${limit}` });
      this.#strike(`p${detail}`);
    }
    this.#add(list, waiting);
  }

  #strike(key: string): void {
    if (this.#strikes.size > 1000) this.#strikes.clear();
    this.#strikes.set(key, (this.#strikes.get(key) ?? 0) + 1);
  }

  #hashSchema(schema: JsonObject): number {
    let hash = this.#schemaHashes.get(schema);
    if (hash === undefined)
      this.#schemaHashes.set(schema, (hash = hashText(JSON.stringify(cutDepth(schema)))));
    return hash;
  }

  #blockedSchemas(tools: readonly OfferedTool[]): Refusals['schemas'] {
    if (this.#strikes.size === 0) return [];
    return tools.flatMap(({ inputSchema }, tool) => {
      const count = this.#strikes.get(`s${this.#hashSchema(inputSchema)}`) ?? 0;
      return count < maxStrikes
        ? []
        : [
            {
              tool,
              reason: `The input schema timed out in ${count} runs and is not ` + 'tried again.',
            },
          ];
    });
  }

  #withBlockedPatterns(refusals: Refusals): Refusals {
    const blocked = [...this.#strikes].flatMap(([key, count]) =>
      key.startsWith('p') && count >= maxStrikes
        ? [
            {
              hash: Number(key.slice(1)),
              reason: `the pattern timed out in ${count} runs and is not tried ` + 'again',
            },
          ]
        : [],
    );
    return blocked.length === 0
      ? refusals
      : { ...refusals, patterns: [...refusals.patterns, ...blocked] };
  }
}

export function createScorer(options: ScorerOptions = {}): Scorer {
  return new Scorer(options);
}
