import { createHash } from 'node:crypto';
import type { CaseContent } from '../../src-shared/domain/testCase.ts';
import { caseContent } from '../../src-shared/domain/testCase.ts';
import type { StoreContext } from './storeContext.ts';

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
  });
}

/** Cases as evaluations froze them: content-addressed, so that a case that never changes is stored once. */
export function openFrozenCases({ db }: StoreContext) {
  const insertContent = db.prepare('INSERT OR IGNORE INTO case_contents (hash, name, query, content) VALUES (?, ?, ?, ?)');
  const insertPlace = db.prepare('INSERT INTO evaluation_cases (evaluation_id, position, test_case_id, case_hash) VALUES (?, ?, ?, ?)');
  const page = db.prepare<[string, number, number], { position: number; test_case_id: string; content: string }>(
    `SELECT c.position, c.test_case_id, k.content FROM evaluation_cases c JOIN case_contents k ON k.hash = c.case_hash
     WHERE c.evaluation_id = ? AND c.position > ? ORDER BY c.position LIMIT ?`,
  );
  const one = db.prepare<[string, number], { content: string }>(
    'SELECT k.content FROM evaluation_cases c JOIN case_contents k ON k.hash = c.case_hash WHERE c.evaluation_id = ? AND c.position = ?',
  );
  const count = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM evaluation_cases WHERE evaluation_id = ?');

  return {
    freeze(evaluationId: string, position: number, testCaseId: string, content: CaseContent): void {
      const text = canonicalText(content);
      const hash = createHash('sha256').update(text).digest('hex');
      insertContent.run(hash, content.name, content.query, text);
      insertPlace.run(evaluationId, position, testCaseId, hash);
    },
    page(evaluationId: string, afterPosition: number, limit: number) {
      return page.all(evaluationId, afterPosition, limit).map((row) => ({
        position: row.position,
        testCaseId: row.test_case_id,
        content: caseContent.parse(JSON.parse(row.content)),
      }));
    },
    get(evaluationId: string, position: number): CaseContent | null {
      const row = one.get(evaluationId, position);
      return row ? caseContent.parse(JSON.parse(row.content)) : null;
    },
    count(evaluationId: string): number {
      return count.get(evaluationId)?.n ?? 0;
    },
  };
}
export type FrozenCasesStore = ReturnType<typeof openFrozenCases>;
