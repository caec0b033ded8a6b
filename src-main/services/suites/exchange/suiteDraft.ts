import { counted } from '../../../../src-shared/display/numbers.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import { formatPointer } from '../../../../src-shared/domain/jsonPointer.ts';
import type { ImportColumns, ImportReport } from '../../../../src-shared/contract/suites.ts';
import {
  casesOfFile,
  type FileProblem,
  type SuiteFile,
  type SuiteFileCase,
} from '../../../../src-shared/domain/suiteFile.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import type {
  ArgumentsMode,
  CaseOrigin,
  PriorMessage,
} from '../../../../src-shared/domain/testCase.ts';
import { slug } from '../../files/safeFileName.ts';
import { checkContent, checkShape } from '../suiteProblems.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import type { ReadCases, ReadOptions } from './caseExchange.ts';
import { noCatalog, type ToolCatalog } from './toolCatalog.ts';

export type FileCall = SuiteFileCase['expected_calls'][number];
export interface TextPosition {
  line: number | null;
  column: number | null;
}
/** Something that was not imported unchanged, and why. */
export interface Change {
  what: string;
  why: string;
}
/** A place, or how to find it: locating a record in a document takes time. */
export type Place = TextPosition | (() => TextPosition);
const placeOf = (place: Place): TextPosition => (typeof place === 'function' ? place() : place);

/** A case as a converter found it. */
export interface DraftCase {
  sourceId: string | null;
  name: string;
  query: string;
  calls: FileCall[];
  tags?: string[];
  servers?: string[];
  orderDependent?: boolean;
  argumentsMode?: ArgumentsMode | undefined;
  allowedCalls?: SuiteFileCase['allowed_calls'];
  stubResults?: SuiteFileCase['stub_results'];
  system?: string;
  messages?: PriorMessage[];
  note?: string | undefined;
  changes: Change[];
  where: Place;
}

/** A task as a converter found it. */
export interface DraftTask extends Pick<
  SuiteFileTask,
  'name' | 'turns' | 'checks' | 'servers' | 'setup' | 'solution' | 'files'
> {
  sourceId: string | null;
  tags?: string[];
  user?: NonNullable<SuiteFileTask['user']>;
  changes: Change[];
  where: Place;
}

const maxProblems = 1000;

/**
 * Collects what a converter finds and returns a suite only if there is no problem. All formats
 * share it, so that ids, origins and reports are the same everywhere.
 */
export class SuiteDraft {
  readonly problems: FileProblem[] = [];
  readonly #report: ImportReport;
  readonly #cases: SuiteFile['cases'] = [];
  /** What is wrong with entries that were read: said only if all of them were. */
  readonly #invalid: FileProblem[] = [];
  readonly #ids = new Set<string>();
  readonly #nextNumber = new Map<string, number>();
  readonly #origins = new Map<string, CaseOrigin>();
  readonly #options: ReadOptions;
  #firstSkipped: TextPosition | null = null;
  #read = 0;
  /** Records of the source, as far as they were counted. */
  total = 0;
  readonly #format: ForeignFormat;
  system: string | null = null;
  /** Servers that the source names for the whole suite; if null, those of its calls are used. */
  servers: string[] | null = null;
  name: string | null = null;
  /** For a table: its columns and the fields that they contain. */
  columns: ImportColumns | null = null;

  constructor(format: ForeignFormat, version: number, text: string, options: ReadOptions) {
    this.#format = format;
    this.#options = options;
    const sourceHash = sha256(text);
    this.#report = {
      converter: `${format}/${version}`,
      sourceHash,
      exact: 0,
      approximated: [],
      skipped: [],
      unreadFields: [],
      assumedServer: null,
    };
  }

  /** Says how many records were read. */
  advance(done: number): void {
    this.#options.onRecord?.(done, this.total);
  }

  /** The server for a tool whose server the source does not name; noted in the report. */
  assumeServer(): string {
    this.#report.assumedServer = this.#options.server ?? this.#format;
    return this.#report.assumedServer;
  }

  /** The tools that a name in the source can mean. */
  get catalog(): ToolCatalog {
    return this.#options.catalog ?? noCatalog;
  }

  /** Whether a server lists a tool of this name, as far as its tools are known. */
  knowsTool(server: string, tool: string): boolean {
    return this.#options.schemaOf({ server, tool }) !== null;
  }

  problem(where: TextPosition, message: string, path = ''): void {
    if (this.problems.length < maxProblems)
      this.problems.push({ line: where.line, column: where.column, path, message });
  }

  /** Leaves a record out, which is at `where`. */
  skip(name: string, why: string, where: Place): void {
    const found = placeOf(where);
    this.advance((this.#read += 1));
    this.#report.skipped.push({ case: name, line: found.line, why });
    this.#firstSkipped ??= found;
  }

  /**
   * Names a field that isn't imported and says nothing of what a case expects: one of the file, or
   * one of its cases such as the model that runs them.
   */
  leaveField(name: string): void {
    const { unreadFields } = this.#report;
    if (!unreadFields.includes(name)) unreadFields.push(name);
  }

  add(draft: DraftCase): void {
    const { calls } = draft;
    const id = this.#enter(draft);
    this.#take(draft.where, {
      id,
      name: draft.name,
      query: draft.query,
      ...(draft.tags !== undefined && draft.tags.length > 0 && { tags: draft.tags }),
      ...(draft.servers !== undefined && draft.servers.length > 0 && { servers: draft.servers }),
      expected_calls: calls,
      ...(draft.orderDependent === true && { order_dependent: true }),
      ...(draft.argumentsMode !== undefined && { arguments_mode: draft.argumentsMode }),
      ...(draft.allowedCalls !== undefined &&
        draft.allowedCalls.length > 0 && { allowed_calls: draft.allowedCalls }),
      ...(draft.system !== undefined && { system: draft.system }),
      ...(draft.messages !== undefined && { messages: draft.messages }),
      ...(draft.note !== undefined && { note: draft.note }),
      ...(draft.stubResults !== undefined &&
        draft.stubResults.length > 0 && { stub_results: draft.stubResults }),
    });
  }

  addTask(draft: DraftTask): void {
    const id = this.#enter(draft);
    const { name, turns, tags = [], servers = [], checks, user, setup = [], solution = [] } = draft;
    this.#take(draft.where, {
      id,
      name,
      turns,
      ...(tags.length > 0 && { tags }),
      ...(servers.length > 0 && { servers }),
      ...(setup.length > 0 && { setup }),
      ...(solution.length > 0 && { solution }),
      ...(draft.files !== undefined && { files: draft.files }),
      checks,
      ...(user !== undefined && { user }),
    });
  }

  /** Checks an entry by itself: a checked copy of all of a large file would take its memory again. */
  #take(where: Place, entry: SuiteFile['cases'][number]): void {
    const at = this.#cases.push(entry) - 1;
    const alone: SuiteFile = { version: 1, name: 'one', servers: [], cases: [entry] };
    const checked = checkShape(alone);
    const found =
      checked.file === null ? checked.problems : checkContent(alone, this.#options.schemaOf);
    if (found.length === 0) return;
    const { line, column } = placeOf(where);
    for (const { path, message } of found)
      if (this.#invalid.length < maxProblems)
        this.#invalid.push({
          ...{ line, column, message },
          path: formatPointer([...path.slice(0, 1), at, ...path.slice(2)]),
        });
  }

  /** Gives an entry its id, and notes its origin and what changed. */
  #enter({ sourceId, name, changes }: Pick<DraftCase, 'sourceId' | 'name' | 'changes'>): string {
    const id = this.#freeId(sourceId ?? slug(name, 'case'));
    this.advance((this.#read += 1));
    if (sourceId !== null && id !== sourceId)
      changes.push({
        what: `ID ${sourceId}`,
        why: `It occurs several times in the source. This case got the ID ${id}.`,
      });
    const { converter, sourceHash } = this.#report;
    this.#origins.set(id, {
      kind: 'import',
      format: this.#format,
      converter,
      sourceHash,
      sourceId,
      approximated: changes.map(({ what, why }) => `${what}: ${why}`),
    });
    if (changes.length === 0) this.#report.exact += 1;
    for (const { what, why } of changes) this.#report.approximated.push({ case: id, what, why });
    return id;
  }

  finish(): ReadCases {
    const report = this.#report;
    if (this.problems.length === 0 && this.#cases.length === 0) {
      const [first] = report.skipped;
      const why =
        first === undefined
          ? 'The file contains no cases.'
          : `None of the ${counted(report.skipped.length, 'case')} can be imported. The first one, ${first.case}: ${first.why}`;
      this.problem(this.#firstSkipped ?? { line: 1, column: 1 }, why);
    }
    const rejected = {
      columns: this.columns,
      suite: null,
      problems: this.problems,
      report: { ...report, exact: 0, approximated: [] },
      origins: new Map<string, CaseOrigin>(),
    };
    if (this.problems.length > 0) return rejected;
    if (this.servers === null) this.#shareServers();
    const file = {
      version: 1 as const,
      name: this.#options.name ?? this.name ?? nameFromFile(this.#options.fileName),
      servers: this.servers ?? serversOfCalls(casesOfFile({ cases: this.#cases })),
      ...(this.system !== null && { system: this.system }),
      cases: this.#cases,
    };
    const head = checkShape({ ...file, cases: [] });
    for (const { path, message } of head.problems)
      this.problem({ line: null, column: null }, message, formatPointer(path));
    for (const problem of this.#invalid) this.problem(problem, problem.message, problem.path);
    return this.problems.length > 0
      ? rejected
      : { suite: file, problems: [], report, origins: this.#origins, columns: this.columns };
  }

  /** If all cases name the same servers, moves them to the suite. */
  #shareServers(): void {
    const [first] = this.#cases;
    const shared = first?.servers ?? [];
    if (
      shared.length === 0 ||
      this.#cases.some(({ servers }) => servers?.join('\n') !== shared.join('\n'))
    )
      return;
    this.servers = shared;
    for (const each of this.#cases) delete each.servers;
  }

  #freeId(preferred: string): string {
    let id = preferred;
    for (let number = this.#nextNumber.get(preferred) ?? 2; this.#ids.has(id); number += 1) {
      id = `${preferred}-${number}`;
      this.#nextNumber.set(preferred, number + 1);
    }
    this.#ids.add(id);
    return id;
  }
}

function serversOfCalls(cases: readonly SuiteFileCase[]): string[] {
  const calls = cases.flatMap((each) => each.expected_calls);
  return [
    ...new Set(
      calls.flatMap((call) =>
        'any_of' in call ? call.any_of.map(({ server }) => server) : [call.server],
      ),
    ),
  ].sort();
}

/** Turns `a/b/orders.promptfoo.yaml` into `orders`. */
function nameFromFile(fileName: string): string {
  const base =
    fileName
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.[^.]*$/, '')
      .replace(/\.(promptfoo|bfcl|mcpjam|suite)$/i, '')
      .trim() ?? '';
  return base === '' || base === '-' ? 'imported' : base.slice(0, 200);
}

/** Names a case after the first line of its text. */
export function shortName(text: string): string {
  const line = text.trim().split(/\r?\n/, 1)[0]?.trim() ?? '';
  return line === '' ? 'case' : line.slice(0, 80).toWellFormed();
}
