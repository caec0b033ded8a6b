import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { FileProblem } from '../../../src-shared/domain/suiteFile.ts';
import {
  alternatives,
  suite as suiteSchema,
  testCase,
  type ExpectedCall,
  type Suite,
} from '../../../src-shared/domain/testCase.ts';
import type { OpenChatModel } from '../../adapters/llm/chatModel.ts';
import type { Store } from '../../store/store.ts';
import { createTurns } from '../../runtime/turns.ts';
import type { Services } from '../services.ts';
import type { CaseReader } from './caseReader.ts';
import { exchangeFormats } from './exchange/formats.ts';
import { readCases } from './exchange/readCases.ts';
import { findCaseProblems } from './caseProblems.ts';
import { knownSchemas } from './knownSchemas.ts';
import { makeProposals } from './proposals.ts';
import { safeFileName, slug } from './safeFileName.ts';
import { fromSuiteFile, toSuiteFile, writeSuiteText, type SuiteContent } from './suiteFileCodec.ts';
import { checkMatchers } from './suiteProblems.ts';

const deletedSuite = z.object({ suite: suiteSchema, cases: z.array(testCase) });
/** `edited`: as they were before a change of many. */
const deletedCases = z.object({ cases: z.array(testCase), edited: z.array(testCase).default([]) });

export interface SuitesParts {
  /** Gives every suite and case its id and its times. */
  store: Store;
  /** Left out: texts are read on the spot. */
  reader?: Pick<CaseReader, 'read'>;
  /** Left out: proposals are made by rules alone. */
  openChatModel?: OpenChatModel;
}

/**
 * Suites and their cases; suite files in and out. Every change is one transaction: all of it or
 * nothing.
 */
export function createSuitesService({
  store,
  reader = { read: async (input) => readCases(input, knownSchemas(store)) },
  openChatModel,
}: SuitesParts) {
  const suiteOf = (id: string): Suite => {
    const found = store.suites.get(id);
    if (found === null) throw gone('Suite', id);
    return found;
  };

  const topic: Services['suites'] = {
    list: async () => store.suites.list(),
    get: async ({ id }) => suiteOf(id),
    create: async (input) => store.suites.insert(input),
    update: async ({ id, ...input }) => store.suites.update(id, input),

    remove: async ({ id }) =>
      store.transaction(() => {
        const cases = store.testCases.listBySuite(id);
        const suite = store.suites.delete(id);
        const what = `Suite ${suite.name}`;
        return {
          token: store.trash.put({ kind: 'suite', title: what, content: { suite, cases } }),
          what,
        };
      }),

    cases: async ({ suiteId }) => store.testCases.readBySuite(suiteOf(suiteId).id, createTurns()),

    createCase: async ({ suiteId, key, ...content }) =>
      store.transaction(() => {
        suiteOf(suiteId);
        refuseMatchers(store, content.expectedCalls);
        const [made] = store.testCases.insertMany(suiteId, [
          { ...content, key: key ?? store.testCases.freeKey(suiteId, slug(content.name, 'case')) },
        ]);
        if (made === undefined) throw new Error('The case that was just made is not there.');
        return made;
      }),

    updateCase: async ({ id, key, ...content }) =>
      store.transaction(() => {
        const old = store.testCases.get(id);
        if (old === null) throw gone('Case', id);
        refuseMatchers(store, content.expectedCalls);
        return store.testCases.update(id, { ...content, key: key ?? old.key });
      }),

    removeCases: async ({ ids }) =>
      store.transaction(() => {
        const cases = store.testCases.deleteMany(ids);
        const [first] = cases;
        if (first === undefined) throw gone('Case', ids.join(', '));
        const what = cases.length === 1 ? `Case ${first.name}` : `${cases.length} cases`;
        return { token: store.trash.put({ kind: 'cases', title: what, content: { cases } }), what };
      }),

    editCases: async ({ ids, addTags, removeTags, servers }) =>
      store.transaction(() => {
        const edited = ids.flatMap((id) => store.testCases.get(id) ?? []);
        if (edited.length === 0) throw gone('Case', ids.join(', '));
        for (const each of edited) {
          const tags = [
            ...new Set([...each.tags.filter((tag) => !removeTags.includes(tag)), ...addTags]),
          ];
          store.testCases.update(each.id, { ...each, tags, servers: servers ?? each.servers });
        }
        const what =
          edited.length === 1
            ? `The change of case ${edited[0]?.name ?? ''}`
            : `The change of ${edited.length} cases`;
        return {
          token: store.trash.put({ kind: 'cases', title: what, content: { cases: [], edited } }),
          what,
        };
      }),

    duplicateCases: async ({ ids }) =>
      store.transaction(() =>
        ids.flatMap((id) => {
          const each = store.testCases.get(id);
          if (each === null) throw gone('Case', id);
          return store.testCases.insertMany(each.suiteId, [
            {
              ...each,
              key: store.testCases.freeKey(each.suiteId, each.key),
              name: `${each.name} (copy)`,
              origin: each.origin,
            },
          ]);
        }),
      ),

    problems: async ({ suiteId }) => {
      const suite = suiteOf(suiteId);
      return findCaseProblems(
        store,
        suite,
        await store.testCases.readBySuite(suiteId, createTurns()),
        knownSchemas(store),
      );
    },

    drafts: async ({ suiteId }) => store.suiteDrafts.list(suiteOf(suiteId).id),

    saveDraft: async ({ suiteId, key, content }) => {
      if (content === null) store.suiteDrafts.delete(suiteId, key);
      else store.suiteDrafts.put(suiteId, key, content);
      return { kept: content !== null };
    },

    proposeCases: ({ suiteId, servers, model }, { signal }) =>
      makeProposals({
        store,
        suite: suiteOf(suiteId),
        servers,
        model,
        openChatModel: openChatModel ?? null,
        signal,
      }),

    acceptProposals: async ({ suiteId, madeBy, cases }) =>
      store.transaction(() => {
        const made = new Map(proposeKeys(store, suiteOf(suiteId).id, cases));
        return store.testCases.insertMany(
          suiteId,
          [...made].map(([key, { content, basis, edited }]) => ({
            ...content,
            key,
            origin: { kind: 'proposal', madeBy, basis, edited },
          })),
        );
      }),

    previewImport: async (input, { signal }) => {
      const into = input.into === undefined ? null : suiteOf(input.into);
      const { suite: file, problems, report, columns } = await reader.read(input, signal);
      if (file === null)
        return {
          name: null,
          cases: 0,
          replaces: null,
          problems,
          unknownServers: [],
          report,
          columns,
        };
      const existing = into === null ? store.suites.getByName(file.name) : null;
      return {
        name: into?.name ?? file.name,
        cases: file.cases.length,
        replaces: existing && {
          id: existing.id,
          name: existing.name,
          caseCount: existing.caseCount,
        },
        problems,
        unknownServers: unknownServers(store, fromSuiteFile(file)),
        report,
        columns,
      };
    },

    import: async ({ replace, ...input }, { signal }) => {
      const { suite: file, problems, origins } = await reader.read(input, signal);
      if (file === null) throw notRead(input.fileName, problems);
      const { cases, ...content } = fromSuiteFile(file);
      const into = input.into === undefined ? null : suiteOf(input.into);
      const taken = into === null ? null : new Set(store.testCases.keys(into.id));
      using staged = store.stagedCases.open();
      const turn = createTurns();
      for (let at = 0; at < cases.length; at += stagedAtOnce) {
        signal.throwIfAborted();
        staged.add(
          cases.slice(at, at + stagedAtOnce).map((each) => {
            const origin = origins.get(each.key);
            const own = origin === undefined ? each : { ...each, origin };
            // In a suite of others a case that names no server keeps seeing those of the file it
            // came from.
            return taken === null
              ? own
              : {
                  ...own,
                  key: freeAmong(taken, each.key),
                  servers: each.servers.length > 0 ? each.servers : content.servers,
                };
          }),
        );
        await turn();
      }
      return store.transaction(() => {
        if (into !== null) {
          const { id } = suiteOf(into.id);
          staged.appendTo(id);
          return suiteOf(id);
        }
        const existing = store.suites.getByName(file.name);
        if (existing === null) {
          const { id } = store.suites.insert(content);
          staged.appendTo(id);
          return suiteOf(id);
        }
        if (!replace) {
          throw new ServiceError('CONFLICT', {
            thing: `The suite ${file.name}`,
            cause: 'The workspace has a suite of this name.',
            nextStep: 'Replace it, or give the file another name.',
            field: 'replace',
          });
        }
        store.suites.update(existing.id, content);
        staged.replaceIn(existing.id);
        return suiteOf(existing.id);
      });
    },

    export: async ({ id, format }) => {
      const suite = suiteOf(id);
      const file = toSuiteFile({
        ...suite,
        cases: await store.testCases.readBySuite(id, createTurns()),
      });
      if (format === 'yaml' || format === 'json')
        return {
          fileName: safeFileName(suite.name, `.suite.${format}`),
          text: writeSuiteText(file, format),
          losses: [],
        };
      const { extension, write } = exchangeFormats[format];
      return { fileName: safeFileName(suite.name, extension), ...write(file) };
    },
  };

  return {
    ...topic,
    /** Undo of `remove` and `removeCases`; called inside the transaction that takes the token. */
    restore: {
      suite(content: unknown): void {
        const { suite, cases } = deletedSuite.parse(content);
        store.suites.restore(suite);
        store.testCases.restore(cases);
      },
      cases(content: unknown): void {
        const { cases, edited } = deletedCases.parse(content);
        store.testCases.restore(cases);
        // One that was deleted since stays deleted.
        for (const each of edited)
          if (store.testCases.get(each.id) !== null) store.testCases.update(each.id, each);
      },
    },
  };
}

/** A key that is not in the set, and is from now on. */
function freeAmong(keys: Set<string>, wish: string): string {
  let key = wish;
  for (let number = 2; keys.has(key); number += 1) key = `${wish}-${number}`;
  keys.add(key);
  return key;
}

function proposeKeys<Proposal extends { content: { name: string } }>(
  store: Store,
  suiteId: string,
  cases: readonly Proposal[],
): [string, Proposal][] {
  const keys = new Set(store.testCases.keys(suiteId));
  return cases.map((each) => [freeAmong(keys, slug(each.content.name, 'case')), each]);
}

/** Names that no registered server has: a warning before a run, never an error. */
function unknownServers(store: Store, suite: SuiteContent): string[] {
  const known = new Set(store.servers.list().map(({ name }) => name));
  const named = new Set(suite.servers);
  for (const each of suite.cases) {
    for (const name of each.servers) named.add(name);
    for (const call of each.expectedCalls)
      for (const { server } of alternatives(call)) named.add(server);
    for (const { server } of each.allowedCalls) named.add(server);
  }
  return [...named].filter((name) => !known.has(name)).sort();
}

function refuseMatchers(store: Store, calls: readonly ExpectedCall[]): void {
  const schemaOf = knownSchemas(store);
  for (const [at, call] of calls.entries()) {
    const [problem] = checkMatchers(call.parameters, alternatives(call), schemaOf);
    if (problem === undefined) continue;
    const field = ['expectedCalls', at, 'parameters', ...problem.path].join('.');
    throw new ServiceError('INVALID', {
      thing: `The expected parameters of call ${at + 1}`,
      cause: `${problem.path.join('.')}: ${problem.message}`,
      nextStep: 'Correct the matcher and save again.',
      field,
    });
  }
}

/** Cases that are written before everyone else has a turn. */
const stagedAtOnce = 200;

function notRead(fileName: string, problems: readonly FileProblem[]): ServiceError {
  const [first] = problems;
  const where = first?.line == null ? '' : ` in line ${first.line}, column ${first.column}`;
  const count = problems.length === 1 ? 'One problem' : `${problems.length} problems, the first`;
  return new ServiceError('INVALID', {
    thing: `The file ${fileName}`,
    cause: `${count}${where}: ${first?.message ?? ''} Nothing was imported.`,
    nextStep: 'Correct the file and import it again.',
    field: 'text',
  });
}

function gone(what: string, id: string): ServiceError {
  return new ServiceError('NOT_FOUND', {
    thing: `${what} ${id}`,
    cause: 'It does not exist (any more).',
    nextStep: 'Reload the list and choose another one.',
  });
}
