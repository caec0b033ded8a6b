import { maxHoldInTransactionMs, type YieldIfDue } from '../../runtime/yieldToEventLoop.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { namingConflicts, defineTable, type Row } from '../database/table.ts';
import { openCaseMoves } from './caseMoves.ts';
import { shownCases, shownId } from './shownCases.ts';
import { caseColumns, type TestCaseRow } from './caseTable.ts';
import { newCase, toRow, type NewTestCase } from './testCases.ts';
import type { StoreContext } from '../storeContext.ts';

interface StagingTarget {
  after?: string | null;
  /** The suite whose cases they are to replace. */
  instead?: string | null;
}

/** Disposed of before it was taken over, what was added is deleted. */
export interface StagedCases extends Disposable {
  /** Adds cases after those that are staged already. Yields to the event loop between them. */
  add(cases: readonly NewTestCase[], yieldIfDue: YieldIfDue): Promise<void>;
  /** The same with rows of cases as they are, each in place of the one with its id. */
  copy(rows: readonly TestCaseRow[], yieldIfDue: YieldIfDue): Promise<void>;
  /** Resolves once all that was added is written. To be awaited before they are taken over. */
  written(yieldIfDue: YieldIfDue): Promise<void>;
  /** Makes them those of a new suite, which `reveal` gives the hidden one with this id. */
  becomeSuite<T>(reveal: (id: string) => T): T;
  /** Moves them into a suite, after the cases that it has. CONFLICT where a key was taken since. */
  appendTo(suiteId: string): void;
  /**
   * The suite then holds exactly these, in this order. A case whose key existed before keeps its
   * id, its time of creation, and its origin unless it brings one.
   */
  replaceIn(suiteId: string): void;
}

const stagedTable = defineTable('test_cases', { ...caseColumns, keptId: 'text?' });
type Kept = Pick<TestCaseRow, 'id' | 'createdAt' | 'origin'>;
/** The case that one with this key replaces. */
type KeptOf = (key: string) => Kept | undefined;

/** Fewer cases wait for others, with which they are written. */
const casesAtOnce = 1_000;

/**
 * Cases on their way into a suite. They are written in short transactions into a hidden suite, and
 * one more makes all of them visible. So a large file neither blocks the event loop nor appears in
 * part, however the program ends. What was replaced is deleted afterwards, and what was added moves
 * into its suite, both in short transactions too.
 */
export function openStagedCases(context: StoreContext) {
  const { db, clock, nextId, transaction } = context;
  const hold = db.prepare<[{ id: string; at: string }]>(
    `INSERT INTO suites (id, name, servers, created_at, updated_at, hidden)
     VALUES (:id, :id, '[]', :at, :at, 1)`,
  );
  const insert = db.prepare<[Row<typeof stagedTable>]>(stagedTable.insert());
  const next = db
    .prepare<[string], number>(
      `SELECT coalesce(max(c.position), -1) + 1 FROM ${shownCases} WHERE h.shown_in = ?`,
    )
    .pluck();
  const holdersOf = db
    .prepare<[string], string>('SELECT id FROM suites WHERE shown_in = ?')
    .pluck();
  const keptOf = db.prepare<[string, string], Kept>(
    `SELECT ${shownId} AS id, c.created_at AS createdAt, c.origin
     FROM test_cases c WHERE c.suite_id = ? AND c.key = ?`,
  );
  const forgetKept = db.prepare<[string]>(
    'UPDATE test_cases SET kept_id = NULL WHERE suite_id = ? AND kept_id IS NOT NULL',
  );
  const taken = db
    .prepare<[{ suiteId: string; holder: string }], string>(
      `SELECT c.key FROM ${shownCases} WHERE h.shown_in = :suiteId AND EXISTS (
         SELECT 1 FROM test_cases n WHERE n.suite_id = :holder AND n.key = c.key) LIMIT 1`,
    )
    .pluck();
  const clear = db.prepare<[string]>('UPDATE suites SET shown_in = NULL WHERE shown_in = ?');
  const show = db.prepare<[string, string]>('UPDATE suites SET shown_in = ? WHERE id = ?');
  const giveUp = db.prepare(
    `UPDATE suites SET shown_in = NULL WHERE hidden = 1
     AND (shown_in = id OR shown_in IN (SELECT id FROM suites WHERE hidden = 1))`,
  );
  /** Those that are being filled now. */
  const open = new Set<string>();
  const moves = openCaseMoves(context, open);

  return {
    /** Whether cases are being staged now. */
    isFilled: (): boolean => open.size > 0,
    /**
     * Deletes and moves what is left to be, for a moment. False once nothing is left. Cases look the
     * same before, between and after.
     */
    settle: moves.settle,
    /**
     * Nobody can restore any more what an earlier session removed, or end what it was importing:
     * `settle` deletes it.
     */
    giveUpHidden: (): void => transaction(() => void giveUp.run()),
    open({ after = null, instead = null }: StagingTarget): StagedCases {
      const holder = nextId();
      transaction(() => {
        hold.run({ id: holder, at: clock.now() });
      });
      open.add(holder);
      const first = after === null ? 0 : (next.get(after) ?? 0);
      let count = 0;
      const write = (content: NewTestCase, kept: KeptOf): void => {
        const old = kept(content.key);
        const identity = {
          id: nextId(),
          suiteId: holder,
          position: first + count,
          at: clock.now(),
        };
        const row = toRow(newCase(content, identity));
        insert.run({
          ...row,
          createdAt: old?.createdAt ?? row.createdAt,
          origin: row.origin ?? old?.origin ?? null,
          keptId: old?.id ?? null,
        });
        count += 1;
      };
      /** The suite may be moved into other rows between two transactions. */
      const lookForKept = (): KeptOf => {
        const holders = instead === null ? [] : holdersOf.all(instead);
        return (key) => {
          for (const each of holders) {
            const kept = keptOf.get(each, key);
            if (kept !== undefined) return kept;
          }
          return undefined;
        };
      };
      const writeCopy = (row: TestCaseRow): void => {
        insert.run({ ...row, id: nextId(), suiteId: holder, keptId: row.id });
        count += 1;
      };
      let waiting: (NewTestCase | { copied: TestCaseRow })[] = [];
      /** Writes what waits, in as many transactions as it takes to let others have their turn. */
      const writeWaiting = async (yieldIfDue: YieldIfDue): Promise<void> => {
        const cases = waiting;
        waiting = [];
        for (let at = 0; at < cases.length;) {
          namingConflicts(
            'The cases',
            { 'test_cases.suite_id, test_cases.key': () => keyTaken },
            () =>
              transaction(() => {
                const kept = lookForKept();
                const until = performance.now() + maxHoldInTransactionMs;
                do {
                  const content = cases[at];
                  if (content !== undefined)
                    if ('copied' in content) writeCopy(content.copied);
                    else write(content, kept);
                  at += 1;
                } while (at < cases.length && performance.now() < until);
              }),
          );
          await yieldIfDue();
        }
      };
      /** Few cases are moved or deleted at once; many wait for a turn of their own. */
      const settleFew = (): void => {
        if (count <= casesAtOnce) moves.settle();
      };
      /** Nothing can be added after it. */
      const end = <T>(work: () => T): T =>
        transaction(() => {
          const value = work();
          open.delete(holder);
          settleFew();
          return value;
        });
      const take = async (cases: typeof waiting, yieldIfDue: YieldIfDue): Promise<void> => {
        waiting.push(...cases);
        // Each transaction waits for the disk, so small parts share one.
        if (waiting.length >= casesAtOnce) await writeWaiting(yieldIfDue);
      };
      return {
        add: (cases, yieldIfDue) => take([...cases], yieldIfDue),
        copy: (rows, yieldIfDue) =>
          take(
            rows.map((copied) => ({ copied })),
            yieldIfDue,
          ),
        written: writeWaiting,
        becomeSuite: (reveal) =>
          end(() => {
            // The suite that they were to replace was removed, and can be restored with its ids.
            if (instead !== null) forgetKept.run(holder);
            return reveal(holder);
          }),
        appendTo: (suiteId) =>
          end(() => {
            if (taken.get({ suiteId, holder }) !== undefined)
              throw new ServiceError('CONFLICT', keyTaken);
            show.run(suiteId, holder);
          }),
        replaceIn: (suiteId) =>
          end(() => {
            if (instead !== suiteId) forgetKept.run(holder);
            clear.run(suiteId);
            show.run(suiteId, holder);
          }),
        [Symbol.dispose]() {
          if (!open.delete(holder)) return;
          try {
            settleFew();
          } catch {
            // What ended the import says why. The next start deletes what was staged.
          }
        },
      };
    },
  };
}

const keyTaken = {
  thing: 'The cases',
  cause: 'Another case of the suite has the id of one of them.',
  nextStep: 'Look at the preview again, and import them then.',
};
