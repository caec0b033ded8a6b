import type { YieldIfDue } from '../../runtime/yieldToEventLoop.ts';
import type { openStagedCases, StagedCases } from '../suites/stagedCases.ts';
import type { TestCaseStore } from '../suites/testCases.ts';
import type { StoreContext } from '../storeContext.ts';
import { mayName, renamedRow, type ServerRename } from './serverReferences.ts';

/** Cases with the new name of a server, of which nobody sees anything yet. */
export interface StagedRename extends Disposable, Pick<ServerRename, 'from' | 'to'> {
  /**
   * Shows them in place of the others, within the transaction that renames the server. Returns the rows
   * of suites whose cases need no further look; a suite that was changed meanwhile is not among them.
   */
  takeOver(): string[];
}

/** The cases of smaller suites are renamed with the server, which takes a few milliseconds. */
const minCases = 1_000;
/** Rows between two turns of the event loop. */
const rowsAtOnce = 100;

interface Suite {
  id: string;
  isSame: () => boolean;
  /** Null: none of its cases names the server. */
  staged: StagedCases | null;
}

/**
 * Prepares a new name of a server in large suites: within the transaction that renames it, their cases would
 * hold the event loop for a second and more.
 */
export function openServerRenames(
  { db, clock }: StoreContext,
  {
    testCases,
    stagedCases,
  }: { testCases: TestCaseStore; stagedCases: ReturnType<typeof openStagedCases> },
) {
  const large = db
    .prepare<[number], string>(
      `SELECT u.id FROM suites u JOIN suites h ON h.shown_in = u.id
       JOIN test_cases c ON c.suite_id = h.id WHERE u.hidden = 0 GROUP BY u.id HAVING count(*) >= ?`,
    )
    .pluck();
  const holdersOf = db
    .prepare<[string], string>('SELECT id FROM suites WHERE shown_in = ?')
    .pluck();

  const stageSuite = async (
    suite: Suite,
    rename: ServerRename,
    yieldIfDue: YieldIfDue,
  ): Promise<boolean> => {
    const rows = await testCases.readRows(suite.id, yieldIfDue);
    if (rows === null) return false;
    if (!rows.some((row) => mayName(row, rename.from))) return true;
    suite.staged = stagedCases.open({ instead: suite.id });
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const renamed = rows
        .slice(at, at + rowsAtOnce)
        .map((row) => (mayName(row, rename.from) ? { ...row, ...renamedRow(row, rename) } : row));
      await suite.staged.copy(renamed, yieldIfDue);
      await yieldIfDue();
    }
    await suite.staged.written(yieldIfDue);
    return true;
  };

  return {
    /** To be disposed of after the server was renamed, or could not be. */
    async stage(from: string, to: string, yieldIfDue: YieldIfDue): Promise<StagedRename> {
      const suites: Suite[] = [];
      const dispose = (): void => {
        for (const { staged } of suites) staged?.[Symbol.dispose]();
      };
      try {
        for (const id of large.all(minCases)) {
          const suite: Suite = { id, isSame: testCases.watch(id), staged: null };
          suites.push(suite);
          if (!(await stageSuite(suite, { from, to, at: clock.now() }, yieldIfDue)))
            suite.isSame = () => false;
        }
      } catch (error) {
        dispose();
        throw error;
      }
      return {
        ...{ from, to },
        takeOver: () =>
          suites
            .filter(({ isSame }) => isSame())
            .flatMap(({ id, staged }) => {
              const before = holdersOf.all(id);
              staged?.replaceIn(id);
              return [...before, ...holdersOf.all(id)];
            }),
        [Symbol.dispose]: dispose,
      };
    },
  };
}
