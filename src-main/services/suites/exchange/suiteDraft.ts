import { counted } from '../../../../src-shared/display/numbers.ts';
import { sha256 } from '../../../runtime/sha256.ts';
import { formatPointer } from '../../../../src-shared/domain/jsonPointer.ts';
import type { ImportColumns, ImportReport } from '../../../../src-shared/contract/suites.ts';
import type {
  FileProblem,
  SuiteFile,
  SuiteFileCase,
} from '../../../../src-shared/domain/suiteFile.ts';
import type { SuiteFileTask } from '../../../../src-shared/domain/taskFile.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type {
  ArgumentsMode,
  CaseOrigin,
  PriorMessage,
  ToolReference,
} from '../../../../src-shared/domain/testCase.ts';
import { slug } from '../../files/safeFileName.ts';
import { checkContent, checkShape } from '../suiteProblems.ts';
import type { ForeignFormat } from '../../../../src-shared/domain/foreignFormat.ts';
import type { ReadCases, ReadOptions } from './caseExchange.ts';
import { EntryList, originsOf, unpackPart, type ListedEntry } from './entryList.ts';
import type { NamedTool } from './sourceCalls.ts';
import { noCatalog, ownerOf, toolOn, type ToolCatalog } from './toolCatalog.ts';

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

/** In which list records were found, among which others, and whether a table has a header. */
export type FoundRecords = Pick<ImportColumns, 'lists' | 'list' | 'hasHeader'>;

const maxProblems = 1000;

/** Records that have more texts than these have few in common. */
const maxSharedTexts = 1000;

/**
 * Collects what a converter finds and returns a suite only if there is no problem. All formats
 * share it, so that ids, origins and reports are the same everywhere.
 */
export class SuiteDraft {
  readonly problems: FileProblem[] = [];
  readonly #report: ImportReport;
  readonly #entries = new EntryList();
  /** The servers that every case so far names; null if none was read, or they differ. */
  #sharedServers: string[] | null = null;
  #serversDiffer = false;
  /** Of the calls of all cases. */
  readonly #calledServers = new Set<string>();
  /** What is wrong with entries that were read: said only if all of them were. */
  readonly #invalid: FileProblem[] = [];
  readonly #ids = new Set<string>();
  readonly #nextNumber = new Map<string, number>();
  /** Texts of changes, which most records have in common. */
  readonly #texts = new Map<string, string>();
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
  /** Words that a person says mean no tool, without case and punctuation. */
  noneWords: ReadonlySet<string> = new Set();
  /** How its records were found, and how else they can be. */
  readonly found: FoundRecords = { lists: [], list: null, hasHeader: null };

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

  /**
   * The tool that a source names, of the registered server that has it; else of the server around
   * it, or of an assumed one.
   */
  locate(named: NamedTool, around: string | null): { server: string; tool: string } {
    const lists = (server: string, tool: string): boolean => this.knowsTool(server, tool);
    const { server, tool } = ownerOf(named, this.catalog, { lists, around });
    return { server: server ?? this.assumeServer(), tool };
  }

  /** The tool of a server that the source names next to it, without the server in its name. */
  toolOn(server: string, tool: string): ToolReference {
    const lists = (owner: string, each: string): boolean => this.knowsTool(owner, each);
    return { server, tool: toolOn(server, tool, this.catalog, lists) };
  }

  /** The registered servers that have tools of a task that names no server; else an assumed one. */
  serversOf(tools: readonly string[]): string[] {
    const found = new Set(tools.flatMap((tool) => this.catalog.resolve(tool)?.server ?? []));
    return found.size > 0 ? [...found] : [this.assumeServer()];
  }

  /** The tools that a name in the source can mean. */
  get catalog(): ToolCatalog {
    return this.#options.catalog ?? noCatalog;
  }

  /** Whether a server lists a tool of this name, as far as its tools are known. */
  knowsTool(server: string, tool: string): boolean {
    return this.#options.schemaOf({ server, tool }) !== null;
  }

  /** The schema of a tool; null if it isn't known. */
  schemaOf(tool: ToolReference): JsonObject | null {
    return this.#options.schemaOf(tool);
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

  /** How many cases and tasks there are. */
  get count(): number {
    return this.#entries.count;
  }

  add(draft: DraftCase): void {
    const { calls } = draft;
    const { id, ...listed } = this.#enter(draft);
    this.#share(draft.servers ?? [], calls);
    this.#take(draft.where, listed, {
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
    const { id, ...listed } = this.#enter(draft);
    const { name, turns, tags = [], servers = [], checks, user, setup = [], solution = [] } = draft;
    this.#share(servers);
    this.#take(draft.where, listed, {
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
  #take(where: Place, listed: Omit<ListedEntry, 'entry'>, entry: ListedEntry['entry']): void {
    const at = this.#entries.count;
    this.#entries.add({ entry, ...listed });
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
  #enter({ sourceId, name, changes }: Pick<DraftCase, 'sourceId' | 'name' | 'changes'>): Omit<
    ListedEntry,
    'entry'
  > & {
    id: string;
  } {
    const id = this.#freeId(sourceId ?? slug(name, 'case'));
    this.advance((this.#read += 1));
    if (sourceId !== null && id !== sourceId)
      changes.push({
        what: `ID ${sourceId}`,
        why: `It occurs several times in the source. This case got the ID ${id}.`,
      });
    const { approximated } = this.#report;
    const from = approximated.length;
    if (changes.length === 0) this.#report.exact += 1;
    for (const { what, why } of changes)
      approximated.push({ case: id, what: this.#shared(what), why: this.#shared(why) });
    return { id, sourceId, changes: [from, approximated.length] };
  }

  /** The same text as an earlier one, in the memory of that. */
  #shared(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined && this.#texts.size < maxSharedTexts) this.#texts.set(text, text);
    return known ?? text;
  }

  finish(): ReadCases {
    const report = this.#report;
    if (this.problems.length === 0 && this.#entries.count === 0) {
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
    const shared = this.servers === null && !this.#serversDiffer ? this.#sharedServers : null;
    const hasShared = shared !== null && shared.length > 0;
    const suite = {
      version: 1 as const,
      name: this.#options.name ?? this.name ?? nameFromFile(this.#options.fileName),
      servers: this.servers ?? (hasShared ? shared : [...this.#calledServers].sort()),
      ...(this.system !== null && { system: this.system }),
      cases: [],
    };
    const head = checkShape(suite);
    for (const { path, message } of head.problems)
      this.problem({ line: null, column: null }, message, formatPointer(path));
    for (const problem of this.#invalid) this.problem(problem, problem.message, problem.path);
    if (this.problems.length > 0) return rejected;
    const packed = {
      count: this.#entries.count,
      parts: this.#entries.end(),
      format: this.#format,
      sharesServers: hasShared,
    };
    const read = { problems: [], report, columns: this.columns };
    if (this.#options.keepsPacked === true) return { ...read, suite, origins: new Map(), packed };
    const opened = packed.parts.flatMap((part) => unpackPart(part, packed, report));
    return {
      ...read,
      suite: { ...suite, cases: opened.map(({ entry }) => entry) },
      origins: originsOf(opened),
    };
  }

  /** Notes which servers a case names, and which its calls do. */
  #share(named: string[], calls: readonly FileCall[] = []): void {
    for (const call of calls)
      for (const { server } of 'any_of' in call ? call.any_of : [call])
        this.#calledServers.add(server);
    this.#sharedServers ??= named;
    this.#serversDiffer ||= named.join('\n') !== this.#sharedServers.join('\n');
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
