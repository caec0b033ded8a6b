import type { z } from 'zod';
import { sha256 } from '../../runtime/sha256.ts';
import { parseJson } from '../../../src-shared/domain/exactNumber.ts';
import type { EvaluationUnit } from '../../../src-shared/domain/gate.ts';
import { taskContent, type TaskContent } from '../../../src-shared/domain/task.ts';
import {
  caseContent,
  type ArgumentsMode,
  type CaseContent,
} from '../../../src-shared/domain/testCase.ts';
import type { StoreContext } from '../storeContext.ts';

export interface ContentOf {
  case: CaseContent;
  task: TaskContent;
}

export interface FrozenEntry<Unit extends EvaluationUnit> {
  position: number;
  /** The ID that it had in its suite: editing or deleting it there never changes an evaluation. */
  sourceId: string;
  /** Its ID in the suite file. */
  key: string;
  content: ContentOf[Unit];
}
export type FrozenTask = FrozenEntry<'task'>;

const schemas: { [Unit in EvaluationUnit]: z.ZodType<ContentOf[Unit]> } = {
  case: caseContent,
  task: taskContent,
};

export const readContent = <Unit extends EvaluationUnit>(
  unit: Unit,
  stored: string,
): ContentOf[Unit] => schemas[unit].parse(parseJson(stored));

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
    // Left out where they are not set: the hashes of such cases stay those from before these fields.
    argumentsMode: content.argumentsMode,
    system: content.system,
    messages: content.messages,
  });
}

/** A part freezes the cases or tasks of all parts, and runs its own. */
const ofOwnPart = `(e.settings ->> '$.shard' IS NULL
  OR c.position % (e.settings ->> '$.shard.of') = (e.settings ->> '$.shard.index') - 1)`;

const storedText = (content: CaseContent | TaskContent): string =>
  'turns' in content ? JSON.stringify(content) : canonicalText(content);

/** What a case or task is stored under when it is frozen. */
export const contentHash = (content: CaseContent | TaskContent): string =>
  sha256(storedText(content));

const pageSize = 500;

interface PlacedRow {
  position: number;
  sourceId: string;
  key: string | null;
  content: string;
}

const readEntry = <Unit extends EvaluationUnit>(
  unit: Unit,
  { key, content, ...row }: PlacedRow,
): FrozenEntry<Unit> => ({
  ...row,
  key: key ?? row.sourceId,
  content: readContent(unit, content),
});

/**
 * Cases and tasks as evaluations froze them. They are stored by content, so one that never changes
 * is stored once.
 */
export function openEntries({ db }: StoreContext) {
  const insertContent = db.prepare(
    'INSERT OR IGNORE INTO entry_contents (hash, name, query, content) VALUES (?, ?, ?, ?)',
  );
  const insertPlace = db.prepare(
    'INSERT INTO entries (evaluation_id, position, source_id, content_hash, key) VALUES (?, ?, ?, ?, ?)',
  );
  const select = `SELECT c.position, c.source_id AS sourceId, c.key, k.content FROM entries c JOIN entry_contents k ON k.hash = c.content_hash
     WHERE c.evaluation_id = ?`;
  const page = db.prepare<[string, number, number], PlacedRow>(
    `${select} AND c.position > ? ORDER BY c.position LIMIT ?`,
  );
  const at = db.prepare<[string, string], PlacedRow>(
    `${select} AND c.position IN (SELECT value FROM json_each(?)) ORDER BY c.position`,
  );
  const one = db
    .prepare<[string, number], string>(
      'SELECT k.content FROM entries c JOIN entry_contents k ON k.hash = c.content_hash WHERE c.evaluation_id = ? AND c.position = ?',
    )
    .pluck();
  const count = db
    .prepare<[string], number>(
      `SELECT count(*) FROM entries c JOIN evaluations e ON e.id = c.evaluation_id WHERE ${ofOwnPart} AND c.evaluation_id = ?`,
    )
    .pluck();
  const modes = db.prepare<{ id: string; mode: string }, { mode: ArgumentsMode; n: number }>(
    `SELECT coalesce(k.content ->> '$.argumentsMode', :mode) AS mode, count(*) AS n FROM entries c
     JOIN entry_contents k ON k.hash = c.content_hash JOIN evaluations e ON e.id = c.evaluation_id
     WHERE ${ofOwnPart} AND c.evaluation_id = :id GROUP BY 1`,
  );
  const hashAt = db
    .prepare<[string, number], string>(
      'SELECT content_hash FROM entries WHERE evaluation_id = ? AND position = ?',
    )
    .pluck();
  const replacePlace = db.prepare(
    'UPDATE entries SET content_hash = ? WHERE evaluation_id = ? AND position = ?',
  );
  function keep(content: CaseContent | TaskContent): string {
    const query = 'turns' in content ? content.turns.join('\n') : content.query;
    const text = storedText(content);
    const hash = sha256(text);
    insertContent.run(hash, content.name, query, text);
    return hash;
  }

  function* each<Unit extends EvaluationUnit>(
    unit: Unit,
    evaluationId: string,
  ): Generator<FrozenEntry<Unit>, void> {
    for (let after = -1; ;) {
      const rows = page.all(evaluationId, after, pageSize);
      for (const row of rows) yield readEntry(unit, row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageSize) return;
      after = last.position;
    }
  }

  return {
    /** In the order of the suite; read in pages, so that their number doesn't matter. */
    each,
    list: <Unit extends EvaluationUnit>(unit: Unit, evaluationId: string): FrozenEntry<Unit>[] => [
      ...each(unit, evaluationId),
    ],
    /** Those at the given places. */
    at: <Unit extends EvaluationUnit>(
      unit: Unit,
      evaluationId: string,
      positions: readonly number[],
    ): FrozenEntry<Unit>[] =>
      at.all(evaluationId, JSON.stringify(positions)).map((row) => readEntry(unit, row)),
    freeze(
      evaluationId: string,
      { position, sourceId, key, content }: FrozenEntry<EvaluationUnit>,
    ): void {
      insertPlace.run(evaluationId, position, sourceId, keep(content), key);
    },
    /**
     * Replaces the content at a position. Returns the hash of the old one, or null where it is the
     * same.
     */
    replace(evaluationId: string, position: number, content: CaseContent): string | null {
      const old = hashAt.get(evaluationId, position) ?? null;
      const hash = keep(content);
      if (old === hash) return null;
      replacePlace.run(hash, evaluationId, position);
      return old;
    },
    get(evaluationId: string, position: number): CaseContent | null {
      const content = one.get(evaluationId, position);
      return content === undefined ? null : readContent('case', content);
    },
    /** How many cases each mode decides; `mode` is that of cases that set none. */
    modes(evaluationId: string, mode: ArgumentsMode): Record<ArgumentsMode, number> {
      const found = modes.all({ id: evaluationId, mode }).map((row) => [row.mode, row.n] as const);
      return { 'at-least': 0, exact: 0, ...Object.fromEntries(found) };
    },
    count: (evaluationId: string): number => count.get(evaluationId) ?? 0,
  };
}
