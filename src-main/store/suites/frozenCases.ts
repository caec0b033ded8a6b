import { sha256 } from '../../runtime/sha256.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { ArgumentsMode, CaseContent } from '../../../src-shared/domain/testCase.ts';
import { caseContent } from '../../../src-shared/domain/testCase.ts';
import type { StoreContext } from '../storeContext.ts';

/** The fields in one fixed order, so that equal cases have equal bytes and one hash. */
function canonicalText(content: CaseContent): string {
  return JSON.stringify({
    name: content.name,
    query: content.query,
    tags: content.tags,
    servers: content.servers,
    expectedCalls: content.expectedCalls,
    orderDependent: content.orderDependent,
    allowedCalls: content.allowedCalls,
    stubResults: content.stubResults,
    // Left out where it is not set: the hashes of such cases are those from before modes.
    argumentsMode: content.argumentsMode,
  });
}

export interface CaseToFreeze {
  testCaseId: string;
  /** The id of the case in the suite file. */
  key: string;
  content: CaseContent;
}

/**
 * Cases as evaluations froze them. They are stored by content, so a case that never changes is
 * stored once.
 */
export function openFrozenCases({ db }: StoreContext) {
  const insertContent = db.prepare(
    'INSERT OR IGNORE INTO case_contents (hash, name, query, content) VALUES (?, ?, ?, ?)',
  );
  const insertPlace = db.prepare(
    'INSERT INTO evaluation_cases (evaluation_id, position, test_case_id, case_hash, case_key) VALUES (?, ?, ?, ?, ?)',
  );
  const page = db.prepare<
    [string, number, number],
    { position: number; test_case_id: string; case_key: string | null; content: string }
  >(
    `SELECT c.position, c.test_case_id, c.case_key, k.content FROM evaluation_cases c JOIN case_contents k ON k.hash = c.case_hash
     WHERE c.evaluation_id = ? AND c.position > ? ORDER BY c.position LIMIT ?`,
  );
  const one = db.prepare<[string, number], { content: string }>(
    'SELECT k.content FROM evaluation_cases c JOIN case_contents k ON k.hash = c.case_hash WHERE c.evaluation_id = ? AND c.position = ?',
  );
  const count = db.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM evaluation_cases WHERE evaluation_id = ?',
  );

  const modes = db.prepare<{ id: string; mode: string }, { mode: ArgumentsMode; n: number }>(
    `SELECT coalesce(k.content ->> '$.argumentsMode', :mode) AS mode, count(*) AS n FROM evaluation_cases c
     JOIN case_contents k ON k.hash = c.case_hash WHERE c.evaluation_id = :id GROUP BY 1`,
  );
  const hashAt = db.prepare<[string, number], { case_hash: string }>(
    'SELECT case_hash FROM evaluation_cases WHERE evaluation_id = ? AND position = ?',
  );
  const replacePlace = db.prepare(
    'UPDATE evaluation_cases SET case_hash = ? WHERE evaluation_id = ? AND position = ?',
  );
  const keep = (content: CaseContent): string => {
    const text = canonicalText(content);
    const hash = sha256(text);
    insertContent.run(hash, content.name, content.query, text);
    return hash;
  };

  return {
    freeze(
      evaluationId: string,
      position: number,
      { testCaseId, key, content }: CaseToFreeze,
    ): void {
      insertPlace.run(evaluationId, position, testCaseId, keep(content), key);
    },
    /**
     * Replaces the content at a position. Returns the hash of the old one, or null where it is the
     * same.
     */
    replace(evaluationId: string, position: number, content: CaseContent): string | null {
      const old = hashAt.get(evaluationId, position)?.case_hash ?? null;
      const hash = keep(content);
      if (old === hash) return null;
      replacePlace.run(hash, evaluationId, position);
      return old;
    },
    page(evaluationId: string, afterPosition: number, limit: number) {
      return page.all(evaluationId, afterPosition, limit).map((row) => ({
        position: row.position,
        testCaseId: row.test_case_id,
        key: row.case_key ?? row.test_case_id,
        content: caseContent.parse(parseJson(row.content)),
      }));
    },
    get(evaluationId: string, position: number): CaseContent | null {
      const row = one.get(evaluationId, position);
      return row ? caseContent.parse(parseJson(row.content)) : null;
    },
    /** How many cases each mode decides; `mode` is that of cases that set none. */
    modes(evaluationId: string, mode: ArgumentsMode): Record<ArgumentsMode, number> {
      const found = modes.all({ id: evaluationId, mode }).map((row) => [row.mode, row.n] as const);
      return { 'at-least': 0, exact: 0, ...Object.fromEntries(found) };
    },
    count(evaluationId: string): number {
      return count.get(evaluationId)?.n ?? 0;
    },
  };
}
export type FrozenCasesStore = ReturnType<typeof openFrozenCases>;
