import { formatCount } from '../../../src-shared/display/numbers.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  casesOfFile,
  tasksOfFile,
  type FileProblem,
} from '../../../src-shared/domain/suiteFile.ts';
import { inSuite, type Suite } from '../../../src-shared/domain/testCase.ts';
import type { StagedCases } from '../../store/suites/stagedCases.ts';
import type { Store } from '../../store/store.ts';
import type { NewTask } from '../../store/suites/tasks.ts';
import type { Input, Output } from '../contractTypes.ts';
import type { CaseReader, ReadText } from './caseReader.ts';
import type { Settler } from './settler.ts';
import type { CaseText, Entries, ReadHead } from './caseText.ts';
import { findSuite } from './findSuite.ts';
import { needsFolder } from '../../../src-shared/domain/fixtureParts.ts';
import { reserveKey } from './reserveKey.ts';
import { Addition } from './addition.ts';
import { addNamedTools, renameServers, unknownServers, type ToolsByServer } from './serverNames.ts';
import { safeFileName } from '../files/safeFileName.ts';
import { fromSuiteFile, toSuiteFile, writeSuiteText, type SuiteContent } from './suiteFileCodec.ts';
import { z } from 'zod';
import { columnMap, type ColumnMap } from '../../../src-shared/contract/suites.ts';
import { asSentence } from '../../../src-shared/domain/asSentence.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../src-shared/domain/canonicalJson.ts';

/**
 * What a suite says, in short: its settings, and all of its cases and tasks in their order. Two
 * suites with the same fingerprint are the same in a file.
 */
class SuiteFingerprint {
  // Tasks come from another table than cases, so that each has an order of its own.
  readonly #hashes = { head: '', cases: createHash('sha256'), tasks: createHash('sha256') };

  add({ cases, tasks, ...settings }: SuiteContent): void {
    this.#hashes.head ||= canonicalJson(toSuiteFile({ ...settings, cases: [], tasks: [] }));
    for (const each of cases)
      this.#hashes.cases.update(
        `${canonicalJson(toSuiteFile({ ...settings, cases: [each], tasks: [] }).cases)}\n`,
      );
    for (const each of tasks)
      this.#hashes.tasks.update(
        `${canonicalJson(toSuiteFile({ ...settings, cases: [], tasks: [each] }).cases)}\n`,
      );
  }

  /** Once, after all was added. */
  end(): string {
    const { head, cases, tasks } = this.#hashes;
    return [head, cases.digest('hex'), tasks.digest('hex')].join(' ');
  }
}

const stored = z.record(z.string(), columnMap);
const maxKept = 100;

/** The maps with which files were imported, by the shape of their columns, the last one first. */
function importMaps({ settings }: Pick<Store, 'settings'>): Record<string, ColumnMap> {
  const text = settings.recall('importMaps');
  return text === null ? {} : orElse(() => stored.parse(JSON.parse(text)), {});
}

/** Remembers a map for the next file with the same columns; an empty one is forgotten. */
function rememberMap(store: Pick<Store, 'settings'>, shape: string, map: ColumnMap): void {
  const { [shape]: _before, ...others } = importMaps(store);
  const own = Object.keys(map).length === 0 ? {} : { [shape]: map };
  const kept = Object.entries({ ...own, ...others }).slice(0, maxKept);
  store.settings.remember('importMaps', JSON.stringify(Object.fromEntries(kept)));
}

/** What a person looks through before an import. */
const maxPreviewedCases = 200;
const maxPreviewedQuery = 500;

type ImportReader = Pick<CaseReader, 'read' | 'readWorkbook' | 'joinAnswers' | 'progress'>;

export class SuiteExchange {
  readonly #store: Store;
  readonly #reader: ImportReader;
  readonly #settler: Settler;
  /** Entries that were checked or staged, of the file that was read last. */
  #taken: { done: number; total: number } | null = null;

  constructor(store: Store, reader: ImportReader, settler: Settler) {
    this.#store = store;
    this.#reader = reader;
    this.#settler = settler;
  }

  readWorkbook(
    { fileName, data, sheet }: Input<'suites', 'readWorkbook'>,
    signal: AbortSignal,
  ): Promise<Output<'suites', 'readWorkbook'>> {
    const bytes = Buffer.from(data, 'base64');
    return this.#reader.readWorkbook({ fileName, bytes, sheet: sheet ?? null }, signal);
  }

  joinAnswers(
    input: Input<'suites', 'joinAnswers'>,
    signal: AbortSignal,
  ): Promise<Output<'suites', 'joinAnswers'>> {
    return this.#reader.joinAnswers(input, signal);
  }

  #read(input: Omit<CaseText, 'remembered'>, signal: AbortSignal): Promise<ReadText> {
    const remembered = input.map === undefined ? importMaps(this.#store) : undefined;
    return this.#reader.read({ ...input, remembered }, signal);
  }

  async preview(
    input: Input<'suites', 'previewImport'>,
    signal: AbortSignal,
  ): Promise<Output<'suites', 'previewImport'>> {
    const into = input.into === undefined ? null : findSuite(this.#store, input.into);
    const read = await this.#read(input, signal);
    const { suite: head, problems, report, columns } = read;
    if (head === null)
      return {
        name: null,
        cases: 0,
        tasks: 0,
        firstCases: [],
        replaces: null,
        into: null,
        problems,
        unknownServers: [],
        report,
        columns,
      };
    let [caseCount, taskCount] = [0, 0];
    let hasFiles = false;
    const firstCases: Output<'suites', 'previewImport'>['firstCases'] = [];
    const named: ToolsByServer = new Map();
    const existing = into === null ? this.#store.suites.getByName(head.name) : null;
    const fingerprint = new SuiteFingerprint();
    const adding = into === null ? null : await this.#addingTo(into);
    for await (const part of this.#contentOf(read, input, signal)) {
      const { cases, tasks, ...content } = adding?.newOf(part) ?? part;
      if (existing !== null) fingerprint.add({ ...content, cases, tasks });
      caseCount += cases.length;
      taskCount += tasks.length;
      hasFiles ||= tasks.some((task) => needsFolder(task.content));
      addNamedTools(named, { ...content, cases, tasks });
      for (const { key, name, query, expectedCalls, orderDependent } of cases.slice(
        0,
        maxPreviewedCases - firstCases.length,
      ))
        firstCases.push({
          key,
          name,
          query: query.slice(0, maxPreviewedQuery),
          expectedCalls,
          orderDependent,
        });
    }
    const isSame =
      existing?.caseCount === caseCount &&
      existing.taskCount === taskCount &&
      // The same tasks with the files of another folder are others.
      (!hasFiles || input.folder === undefined || input.folder === existing.folder) &&
      (await this.#fingerprintOf(existing)) === fingerprint.end();
    return {
      name: into?.name ?? head.name,
      cases: caseCount,
      tasks: taskCount,
      firstCases,
      replaces:
        existing === null ? hasAll(into, caseCount + taskCount) : { ...sizeOf(existing), isSame },
      into: adding === null ? null : await adding.summary(),
      problems,
      unknownServers: unknownServers(this.#store, named),
      report,
      columns,
    };
  }

  progress(): Output<'suites', 'importProgress'> {
    return this.#taken === null ? this.#reader.progress() : { ...this.#taken, unit: 'records' };
  }

  /** The cases and tasks of a text that could be read, some at a time. */
  async *#contentOf(
    { suite: head, count, parts }: ReadText,
    { serverNames = {} }: Renaming,
    signal: AbortSignal,
  ): AsyncGenerator<SuiteContent & Pick<Entries, 'origins'>> {
    if (head === null) return;
    const taken = { done: 0, total: count };
    this.#taken = taken;
    try {
      for await (const { entries, origins } of parts(signal)) {
        yield {
          ...renameServers(fromSuiteFile({ ...head, cases: entries }), serverNames),
          origins,
        };
        taken.done += entries.length;
      }
    } finally {
      if (this.#taken === taken) this.#taken = null;
    }
  }

  async #addingTo(suite: Suite): Promise<Addition> {
    const cases = await this.#store.testCases.readBySuite(suite.id, createYielder());
    return Addition.to(suite, cases, this.#store.tasks.listBySuite(suite.id));
  }

  async #fingerprintOf(suite: Suite): Promise<string> {
    const fingerprint = new SuiteFingerprint();
    const cases = await this.#store.testCases.readBySuite(suite.id, createYielder());
    fingerprint.add({ ...suite, cases, tasks: this.#store.tasks.listBySuite(suite.id) });
    return fingerprint.end();
  }

  /** Stages the cases in parts; then one short transaction makes all of them visible. */
  async import(
    { replace, ...input }: Input<'suites', 'import'>,
    signal: AbortSignal,
  ): Promise<Suite> {
    const store = this.#store;
    const read = await this.#read(input, signal);
    const { suite: head, problems, columns } = read;
    if (head === null) throw importError(input.fileName, problems);
    const into = input.into === undefined ? null : findSuite(store, input.into);
    const taken =
      into === null
        ? null
        : new Set([...store.testCases.keys(into.id), ...store.tasks.keys(into.id)]);
    const content = {
      ...suiteOf(head, input),
      ...(input.folder !== undefined && { folder: input.folder }),
    };
    const adding = into === null ? null : await this.#addingTo(into);
    const added: NewTask[] = [];
    // Wakes the settler last: it deletes what was staged for nothing.
    using _ = { [Symbol.dispose]: () => this.#settler.wake() };
    using staged = store.stagedCases.open({
      after: into?.id ?? null,
      instead: into === null ? (store.suites.getByName(head.name)?.id ?? null) : null,
    });
    const yieldIfDue = createYielder(0);
    for await (const part of this.#contentOf(read, input, signal)) {
      const { cases, tasks } = adding?.newOf(part) ?? part;
      const { origins } = part;
      signal.throwIfAborted();
      await staged.add(
        cases.map((each) => {
          const origin = origins.get(each.key);
          const own = origin === undefined ? each : { ...each, origin };
          if (taken === null) return own;
          // In another suite, a case keeps the servers and the mode of its file if it has none.
          const servers = each.servers.length > 0 ? each.servers : content.servers;
          return inSuite({ ...own, key: reserveKey(taken, each.key), servers }, content);
        }),
        yieldIfDue,
      );
      for (const { key, content: task } of tasks)
        added.push(
          taken === null
            ? { key, content: task }
            : {
                key: reserveKey(taken, key),
                content: task.servers.length > 0 ? task : { ...task, servers: content.servers },
              },
        );
      await yieldIfDue();
    }
    await staged.written(yieldIfDue);
    read.release();
    return store.transaction(() => {
      if (input.map !== undefined && columns !== null) rememberMap(store, columns.shape, input.map);
      return into === null
        ? this.#takeOver(staged, { ...content, tasks: added }, head.name, replace)
        : this.#append(staged, added, into);
    });
  }

  #append(staged: StagedCases, tasks: readonly NewTask[], { id }: Suite): Suite {
    findSuite(this.#store, id);
    staged.appendTo(id);
    this.#store.tasks.append(id, tasks);
    return findSuite(this.#store, id);
  }

  #takeOver(
    staged: StagedCases,
    {
      tasks,
      ...content
    }: Omit<SuiteContent, 'cases' | 'tasks'> & { tasks: readonly NewTask[]; folder?: string },
    name: string,
    replace: boolean,
  ): Suite {
    const { suites } = this.#store;
    const existing = suites.getByName(name);
    if (existing === null) {
      const { id } = staged.becomeSuite((holder) => suites.insert(content, holder));
      this.#store.tasks.append(id, tasks);
      return findSuite(this.#store, id);
    }
    if (!replace) {
      throw new ServiceError('CONFLICT', {
        thing: `The suite ${name}`,
        cause: 'The workspace already has a suite with this name.',
        nextStep: 'Replace it, or change the name in the file.',
        field: 'replace',
      });
    }
    staged.replaceIn(existing.id);
    suites.update(existing.id, content);
    this.#store.tasks.replaceIn(existing.id, tasks);
    return findSuite(this.#store, existing.id);
  }

  async export({ id, format }: Input<'suites', 'export'>): Promise<Output<'suites', 'export'>> {
    const suite = findSuite(this.#store, id);
    const cases = await this.#store.testCases.readBySuite(id, createYielder());
    const file = toSuiteFile({ ...suite, cases, tasks: this.#store.tasks.listBySuite(id) });
    if (format === 'yaml' || format === 'json')
      return {
        fileName: safeFileName(suite.name, `.suite.${format}`),
        text: writeSuiteText(file, format),
        losses: [],
      };
    const { exchangeFormats } = await import('./exchange/formats.ts');
    const { extension, write, holdsTasks = false } = exchangeFormats[format];
    const tasks = tasksOfFile(file);
    const written = {
      ...file,
      // Other formats have a mode for a case at most.
      cases: casesOfFile(file).map((each) => {
        const mode = each.arguments_mode ?? file.arguments_mode;
        return mode === undefined ? each : { ...each, arguments_mode: mode };
      }),
    };
    const { text, losses } = write(written, holdsTasks ? tasks : []);
    return {
      fileName: safeFileName(suite.name, extension),
      text,
      losses: [
        ...losses,
        ...(holdsTasks ? [] : tasks).map(({ id: key }) => ({
          case: key,
          what: 'It isn’t exported: the format holds test cases, and this is a task.',
        })),
      ],
    };
  }
}

const sizeOf = ({ id, name, caseCount, taskCount }: Suite) => ({ id, name, caseCount, taskCount });

/** A suite that has everything of a file is what an import of it would make. */
const hasAll = (into: Suite | null, added: number) =>
  into === null || added > 0 ? null : { ...sizeOf(into), isSame: true };

type Renaming = Pick<Input<'suites', 'import'>, 'serverNames'>;

/** The settings of a suite, with the names that its servers get. */
function suiteOf(
  head: NonNullable<ReadHead['suite']>,
  { serverNames = {} }: Renaming,
): Omit<SuiteContent, 'cases' | 'tasks'> {
  const {
    cases: _cases,
    tasks: _tasks,
    ...content
  } = renameServers(fromSuiteFile({ ...head, cases: [] }), serverNames);
  return content;
}

function importError(fileName: string, problems: readonly FileProblem[]): ServiceError {
  const [first] = problems;
  const where = first?.line == null ? '' : ` in line ${first.line}, column ${first.column}`;
  const count =
    problems.length === 1 ? 'One problem' : `${formatCount(problems.length)} problems, the first`;
  return new ServiceError('INVALID', {
    thing: `The file ${fileName}`,
    cause: `${count}${where}: ${asSentence(first?.message ?? '')} Nothing was imported.`,
    nextStep: 'Fix the file and import it again.',
    field: 'text',
  });
}
