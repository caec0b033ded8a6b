import { counted } from '../../../src-shared/display/numbers.ts';
import { z } from 'zod';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import {
  argumentsOf,
  testCase,
  type ExpectedCall,
  type TestCase,
} from '../../../src-shared/domain/testCase.ts';
import { notFound } from '../../store/database/table.ts';
import type { Store } from '../../store/store.ts';
import type { Input, Output } from '../contractTypes.ts';
import { findSuite } from './findSuite.ts';
import { requireFreeKey, reserveKey } from './reserveKey.ts';
import { knownSchemas } from './knownSchemas.ts';
import { slug } from '../files/safeFileName.ts';
import { checkMatchers } from './suiteProblems.ts';

/** Content of the trash: `cases` were deleted; `edited` are the cases before a bulk edit. */
const changedCases = z.object({ cases: z.array(testCase), edited: z.array(testCase).default([]) });

/** Changes the cases of a suite. Each change is one transaction. */
export class SuiteCases {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  create({ suiteId, key, ...content }: Input<'suites', 'createCase'>): TestCase {
    const { testCases } = this.#store;
    return this.#store.transaction(() => {
      findSuite(this.#store, suiteId);
      requireValidArguments(this.#store, content.expectedCalls);
      if (key !== undefined) requireFreeKey(this.#store, suiteId, key);
      const ownKey = key ?? testCases.freeKey(suiteId, slug(content.name, 'case'));
      const [created] = testCases.insertMany(suiteId, [{ ...content, key: ownKey }]);
      if (created === undefined) throw new Error('The case that was just created is missing.');
      return created;
    });
  }

  createMany({ suiteId, cases }: Input<'suites', 'createCases'>): TestCase[] {
    return this.#store.transaction(() =>
      cases.map((content) => this.create({ suiteId, ...content })),
    );
  }

  update({ id, key, ...content }: Input<'suites', 'updateCase'>): TestCase {
    const { testCases } = this.#store;
    return this.#store.transaction(() => {
      const old = testCases.get(id);
      if (old === null) throw notFound('Case', id);
      if (key !== undefined && key !== old.key) requireFreeKey(this.#store, old.suiteId, key);
      requireValidArguments(this.#store, content.expectedCalls);
      return testCases.update(id, { ...content, key: key ?? old.key });
    });
  }

  remove({ ids }: Input<'suites', 'removeCases'>): Output<'suites', 'removeCases'> {
    return this.#store.transaction(() => {
      const cases = this.#store.testCases.deleteMany(ids);
      const [first] = cases;
      if (first === undefined) throw notFound('Case', ids.join(', '));
      const what = cases.length === 1 ? `Case ${first.name}` : counted(cases.length, 'case');
      const token = this.#store.trash.put({ kind: 'cases', title: what, content: { cases } });
      return { token, what };
    });
  }

  edit({
    ids,
    addTags,
    removeTags,
    servers,
  }: Input<'suites', 'editCases'>): Output<'suites', 'editCases'> {
    const { testCases, trash } = this.#store;
    return this.#store.transaction(() => {
      const edited = ids.flatMap((id) => testCases.get(id) ?? []);
      const [first] = edited;
      if (first === undefined) throw notFound('Case', ids.join(', '));
      for (const each of edited) {
        const keptTags = each.tags.filter((tag) => !removeTags.includes(tag));
        const tags = [...new Set([...keptTags, ...addTags])];
        testCases.update(each.id, { ...each, tags, servers: servers ?? each.servers });
      }
      const what =
        edited.length === 1
          ? `The change to case ${first.name}`
          : `The change of ${counted(edited.length, 'case')}`;
      const token = trash.put({ kind: 'cases', title: what, content: { cases: [], edited } });
      return { token, what };
    });
  }

  duplicate({ ids }: Input<'suites', 'duplicateCases'>): TestCase[] {
    const { testCases } = this.#store;
    return this.#store.transaction(() =>
      ids.flatMap((id) => {
        const each = testCases.get(id);
        if (each === null) throw notFound('Case', id);
        const key = testCases.freeKey(each.suiteId, each.key);
        return testCases.insertMany(each.suiteId, [
          { ...each, key, name: `${each.name} (copy)`, origin: each.origin },
        ]);
      }),
    );
  }

  acceptProposals({
    suiteId,
    madeBy,
    cases,
  }: Input<'suites', 'acceptProposals'>): Output<'suites', 'acceptProposals'> {
    const { testCases } = this.#store;
    return this.#store.transaction(() => {
      const taken = new Set(testCases.keys(findSuite(this.#store, suiteId).id));
      return testCases.insertMany(
        suiteId,
        cases.map(({ content, basis, edited }) => ({
          ...content,
          key: reserveKey(taken, slug(content.name, 'case')),
          origin: { kind: 'proposal', madeBy, basis, edited },
        })),
      );
    });
  }

  /** Undoes `remove` and `edit`. Call it inside the transaction that takes the token. */
  restore(content: unknown): void {
    const { testCases } = this.#store;
    const { cases, edited } = changedCases.parse(content);
    testCases.restore(cases);
    // A case that has been deleted since stays deleted.
    for (const each of edited) if (testCases.get(each.id) !== null) testCases.update(each.id, each);
  }
}

/** Throws INVALID for expected arguments with a matcher that no value can match, or that nothing reads. */
function requireValidArguments(store: Store, calls: readonly ExpectedCall[]): void {
  const schemaOf = knownSchemas(store);
  for (const [at, call] of calls.entries()) {
    const [problem] = argumentsOf(call).flatMap(({ parameters, tools, path }) =>
      checkMatchers(parameters, tools, schemaOf).map((found) => ({ ...found, place: path })),
    );
    if (problem === undefined) continue;
    const field = ['expectedCalls', at, ...problem.place, 'parameters', ...problem.path].join('.');
    throw new ServiceError('INVALID', {
      thing: `Expected arguments of call ${at + 1}`,
      cause: [...(problem.path.length === 0 ? [] : [problem.path.join('.')]), problem.message].join(
        ': ',
      ),
      nextStep: 'Change the arguments, then save again.',
      field,
    });
  }
}
