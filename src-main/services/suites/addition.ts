import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import type { ImportPreview } from '../../../src-shared/contract/suites.ts';
import type { SuiteTask } from '../../../src-shared/domain/task.ts';
import { inSuite, type Suite, type TestCase } from '../../../src-shared/domain/testCase.ts';
import { findNearDuplicates } from '../../analysis/nearDuplicates.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { sha256 } from '../../runtime/sha256.ts';
import type { SuiteContent } from './suiteFileCodec.ts';

type Case = SuiteContent['cases'][number];
type Task = SuiteContent['tasks'][number];

const maxShown = 10;
/** More queries than these aren't compared. */
const maxCompared = 10_000;

/** What a file adds to a suite: the cases and tasks that it doesn't have yet. */
export class Addition {
  readonly #entries: KnownEntries;
  readonly #queries: string[];
  readonly #before: number;
  #known = 0;

  private constructor(entries: KnownEntries, cases: readonly TestCase[]) {
    this.#entries = entries;
    this.#queries = cases.map(({ query }) => query);
    this.#before = cases.length;
  }

  static async to(
    suite: Suite,
    cases: readonly TestCase[],
    tasks: readonly SuiteTask[],
  ): Promise<Addition> {
    const entries = new KnownEntries(suite);
    const yieldIfDue = createYielder();
    for (const each of cases) {
      entries.addCase(each);
      await yieldIfDue();
    }
    for (const each of tasks) {
      entries.addTask(each);
      await yieldIfDue();
    }
    return new Addition(entries, cases);
  }

  newOf<Content extends SuiteContent>(content: Content): Content {
    // Without servers of their own, they have those of their file.
    const servers = (own: readonly string[]): string[] =>
      own.length > 0 ? [...own] : content.servers;
    const cases = content.cases.filter((each) =>
      this.#entries.addCase(inSuite({ ...each, servers: servers(each.servers) }, content)),
    );
    const tasks = content.tasks.filter(({ key, content: task }) =>
      this.#entries.addTask({ key, content: { ...task, servers: servers(task.servers) } }),
    );
    this.#known += content.cases.length + content.tasks.length - cases.length - tasks.length;
    if (this.#queries.length <= maxCompared)
      for (const { query } of cases) this.#queries.push(query);
    return { ...content, cases, tasks };
  }

  /** What was left out, and what is nearly the same. */
  async summary(): Promise<NonNullable<ImportPreview['into']>> {
    const queries = this.#queries;
    if (queries.length > maxCompared)
      return { known: this.#known, similar: null, firstSimilar: [] };
    const similar = (await findNearDuplicates(queries, createYielder())).filter(
      ({ other }) => other >= this.#before,
    );
    return {
      known: this.#known,
      similar: similar.length,
      firstSimilar: similar
        .slice(0, maxShown)
        .map(({ one, other }) => ({ query: queries[other] ?? '', other: queries[one] ?? '' })),
    };
  }
}

/**
 * The cases and tasks that a suite has, by what they ask and what is right. The ID, the name, tags
 * and the note don't count: a person may have changed them since an earlier import.
 */
class KnownEntries {
  readonly #suite: Pick<Suite, 'system' | 'messages' | 'servers' | 'argumentsMode'>;
  readonly #prints = new Set<string>();

  constructor(suite: Pick<Suite, 'system' | 'messages' | 'servers' | 'argumentsMode'>) {
    this.#suite = suite;
  }

  /** Whether no case in here says the same. From then on, one does. */
  addCase(each: Case): boolean {
    const { system, messages, servers } = this.#suite;
    return this.#add([
      each.query,
      each.system ?? system,
      each.messages ?? messages,
      each.servers.length > 0 ? each.servers : servers,
      each.expectedCalls,
      each.orderDependent,
      each.allowedCalls,
      inSuite(each, this.#suite).argumentsMode ?? null,
      each.stubResults,
    ]);
  }

  addTask({ content }: Task): boolean {
    const { name: _name, tags: _tags, ...rest } = content;
    const servers = content.servers.length > 0 ? content.servers : this.#suite.servers;
    return this.#add(['task', { ...rest, servers }]);
  }

  #add(what: unknown): boolean {
    const print = sha256(canonicalJson(what as JsonValue));
    if (this.#prints.has(print)) return false;
    this.#prints.add(print);
    return true;
  }
}
