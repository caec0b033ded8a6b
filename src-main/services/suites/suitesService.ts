import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { FileProblem } from '../../../src-shared/domain/suiteFile.ts';
import { alternatives, suite as suiteSchema, testCase, type ExpectedCall, type Suite } from '../../../src-shared/domain/testCase.ts';
import type { Store } from '../../store/store.ts';
import type { Services } from '../services.ts';
import { exchangeFormats } from './exchange/formats.ts';
import { readCases } from './exchange/readCases.ts';
import { knownSchemas } from './knownSchemas.ts';
import { safeFileName, slug } from './safeFileName.ts';
import { fromSuiteFile, toSuiteFile, writeSuiteText, type SuiteContent } from './suiteFileCodec.ts';
import { checkMatchers } from './suiteProblems.ts';

const deletedSuite = z.object({ suite: suiteSchema, cases: z.array(testCase) });
const deletedCases = z.object({ cases: z.array(testCase) });

export interface SuitesParts {
  /** Gives every suite and case its id and its times. */
  store: Store;
}

/** Suites and their cases; suite files in and out. Every change is one transaction: all of it or nothing. */
export function createSuitesService({ store }: SuitesParts) {
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
        return { token: store.trash.put({ kind: 'suite', title: what, content: { suite, cases } }), what };
      }),

    cases: async ({ suiteId }) => store.testCases.listBySuite(suiteOf(suiteId).id),

    createCase: async ({ suiteId, key, ...content }) =>
      store.transaction(() => {
        suiteOf(suiteId);
        refuseMatchers(store, content.expectedCalls);
        const [made] = store.testCases.insertMany(suiteId, [{ ...content, key: key ?? store.testCases.freeKey(suiteId, slug(content.name, 'case')) }]);
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

    previewImport: async (input) => {
      const { suite: file, problems, report } = readCases(input, knownSchemas(store));
      if (file === null) return { name: null, cases: 0, replaces: null, problems, unknownServers: [], report };
      const existing = store.suites.getByName(file.name);
      return {
        name: file.name,
        cases: file.cases.length,
        replaces: existing && { id: existing.id, name: existing.name, caseCount: existing.caseCount },
        problems,
        unknownServers: unknownServers(store, fromSuiteFile(file)),
        report,
      };
    },

    import: async ({ replace, ...input }) => {
      const { suite: file, problems, origins } = readCases(input, knownSchemas(store));
      if (file === null) throw notRead(input.fileName, problems);
      const { cases: plain, ...content } = fromSuiteFile(file);
      const cases = plain.map((each) => {
        const origin = origins.get(each.key);
        return origin === undefined ? each : { ...each, origin };
      });
      return store.transaction(() => {
        const existing = store.suites.getByName(file.name);
        if (existing === null) {
          const made = store.suites.insert(content);
          store.testCases.insertMany(made.id, cases);
          return suiteOf(made.id);
        }
        if (!replace) {
          throw new ServiceError('CONFLICT', { thing: `The suite ${file.name}`, cause: 'The workspace has a suite of this name.', nextStep: 'Replace it, or give the file another name.', field: 'replace' });
        }
        store.suites.update(existing.id, content);
        store.testCases.replaceAll(existing.id, cases);
        return suiteOf(existing.id);
      });
    },

    export: async ({ id, format }) => {
      const suite = suiteOf(id);
      const file = toSuiteFile({ ...suite, cases: store.testCases.listBySuite(id) });
      if (format === 'yaml' || format === 'json') return { fileName: safeFileName(suite.name, `.suite.${format}`), text: writeSuiteText(file, format), losses: [] };
      const { ending, write } = exchangeFormats[format];
      return { fileName: safeFileName(suite.name, ending), ...write(file) };
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
      cases: (content: unknown): void => store.testCases.restore(deletedCases.parse(content).cases),
    },
  };
}

/** Names that no registered server has: a warning before a run, never an error. */
function unknownServers(store: Store, suite: SuiteContent): string[] {
  const known = new Set(store.servers.list().map(({ name }) => name));
  const named = new Set(suite.servers);
  for (const each of suite.cases) {
    for (const name of each.servers) named.add(name);
    for (const call of each.expectedCalls) for (const { server } of alternatives(call)) named.add(server);
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
    throw new ServiceError('INVALID', { thing: `The expected parameters of call ${at + 1}`, cause: `${problem.path.join('.')}: ${problem.message}`, nextStep: 'Correct the matcher and save again.', field });
  }
}

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
  return new ServiceError('NOT_FOUND', { thing: `${what} ${id}`, cause: 'It does not exist (any more).', nextStep: 'Reload the list and choose another one.' });
}

