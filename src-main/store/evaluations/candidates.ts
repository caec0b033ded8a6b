import {
  proofResult,
  candidate,
  searchResult,
  type ProofResult,
  type Candidate,
  type SearchResult,
} from '../../../src-shared/domain/candidate.ts';
import { defineTable, type Row } from '../database/table.ts';
import type { StoreContext } from '../storeContext.ts';
import { lastProofRank } from './proofRanks.ts';

/**
 * What a candidate is created from; everything else starts empty. `suite` is what the suite is known
 * by, whose cases it is tried on.
 */
type NewCandidate = CandidateBase & Pick<Candidate, 'toolId' | 'source' | 'edits'>;

/** What a candidate is tried on; `suite` is empty without a result. */
export type CandidateBase = { suite: string } & Pick<
  Candidate,
  'unit' | 'baseEvaluationId' | 'baseNumber' | 'modelSettingsId' | 'modelName'
>;

/** A candidate as it is kept, without what its server says now. */
export type StoredCandidate = Omit<Candidate, 'now'>;

/** A step of a candidate that is under way. */
export type CandidateStep = 'search' | 'proof';

const table = defineTable('candidates', {
  id: 'text',
  unit: 'text',
  baseEvaluationId: 'text',
  baseNumber: 'integer',
  modelSettingsId: 'text',
  modelName: 'text',
  toolId: 'text',
  source: 'text',
  name: 'text',
  edits: 'json',
  state: 'text',
  searchEvaluationId: 'text?',
  proofEvaluationId: 'text?',
  proofRank: 'integer?',
  suite: 'text',
  search: 'json?',
  proof: 'json?',
  createdAt: 'text',
  decidedAt: 'text?',
  deletedAt: 'text?',
});
type CandidateRow = Row<typeof table>;

const stored = candidate.omit({ now: true });
const noBase = {
  baseEvaluationId: null,
  baseNumber: null,
  modelSettingsId: null,
  modelName: null,
};

/** The columns of a base, which a draft without a result keeps empty. */
const baseColumns = (base: CandidateBase) => ({
  suite: base.suite,
  unit: base.unit,
  baseEvaluationId: base.baseEvaluationId ?? '',
  baseNumber: base.baseNumber ?? 0,
  modelSettingsId: base.modelSettingsId ?? '',
  modelName: base.modelName ?? '',
});

/** A result that can't be read counts as none; the candidate itself stays readable. */
function readCandidate(row: CandidateRow): StoredCandidate {
  const value = table.fromRow(row);
  const hasBase = value.baseEvaluationId !== '';
  return stored.parse({
    ...value,
    ...(!hasBase && noBase),
    search: searchResult.nullable().catch(null).parse(value.search),
    proof: proofResult.nullable().catch(null).parse(value.proof),
    stopped: null,
  });
}

/**
 * Candidates for better texts with their results. None is ever removed: those that were proved count
 * among those that were tried, also if they are put away. Each method that starts or ends a step also
 * sets the state of the candidate.
 */
export function openCandidates({ db, clock, nextId, transaction }: StoreContext) {
  const select = (condition: string): string =>
    `SELECT ${table.columns} FROM candidates WHERE ${condition} ORDER BY created_at DESC, rowid DESC`;
  const list = db.prepare<[{ evaluation: string | null; tool: string | null }], CandidateRow>(
    select(
      'deleted_at IS NULL AND (@evaluation IS NULL OR base_evaluation_id = @evaluation) AND (@tool IS NULL OR tool_id = @tool)',
    ),
  );
  const putAway = db.prepare<[string], CandidateRow>(
    select('deleted_at IS NOT NULL AND tool_id = ?'),
  );
  const accepted = db.prepare<[], CandidateRow>(
    select("deleted_at IS NULL AND state = 'accepted'"),
  );
  const rebase = db.prepare(
    `UPDATE candidates SET suite = @suite, unit = @unit, base_evaluation_id = @baseEvaluationId,
       base_number = @baseNumber, model_settings_id = @modelSettingsId, model_name = @modelName
     WHERE id = @id AND state = 'draft' AND search IS NULL`,
  );
  const one = db.prepare<[string], CandidateRow>(
    `SELECT ${table.columns} FROM candidates WHERE id = ?`,
  );
  const insert = db.prepare<[CandidateRow]>(table.insert());
  const update = (set: string) => db.prepare(`UPDATE candidates SET ${set} WHERE id = @id`);
  const underWay = db.prepare<[{ evaluation: string | null }], CandidateRow>(
    `SELECT ${table.columns} FROM candidates
     WHERE (state = 'searching' AND search_evaluation_id = coalesce(@evaluation, search_evaluation_id))
        OR (state = 'proving' AND proof_evaluation_id = coalesce(@evaluation, proof_evaluation_id))`,
  );
  const claimable = "id = @id AND state IN ('draft', 'searched') AND proof_evaluation_id IS NULL";
  const claims = {
    search: db.prepare(
      `UPDATE candidates SET state = 'searching', search_evaluation_id = NULL WHERE ${claimable}`,
    ),
    proof: db.prepare(`UPDATE candidates SET state = 'proving' WHERE ${claimable}`),
  };
  const isClaimed = `((state = 'searching' AND search_evaluation_id IS NULL)
     OR (state = 'proving' AND proof_evaluation_id IS NULL))`;
  const release = db.prepare(
    `UPDATE candidates SET state = @state, search_evaluation_id = @searchEvaluationId
     WHERE id = @id AND ${isClaimed}`,
  );
  const releaseAll = db.prepare(
    `UPDATE candidates SET state = CASE WHEN search IS NULL THEN 'draft' ELSE 'searched' END
     WHERE ${isClaimed}`,
  );
  const startSearch = update("state = 'searching', search_evaluation_id = @evaluation");
  const endSearch = db.prepare(
    `UPDATE candidates SET state = 'searched', search = @result
     WHERE id = @id AND state = 'searching' AND search_evaluation_id = @evaluation`,
  );
  const startProof = update(
    `state = 'proving', proof_evaluation_id = @evaluation, proof_rank = ${lastProofRank} + 1`,
  );
  const proved = db.prepare<[{ suites: string }], number>(`SELECT ${lastProofRank}`).pluck();
  const count = db
    .prepare<[string], number>('SELECT count(*) FROM candidates WHERE tool_id = ?')
    .pluck();
  const rename = update('name = @name');
  const setDeleted = update('deleted_at = @at');
  const decide = db.prepare(
    `UPDATE candidates SET state = @state, proof = @result, decided_at = @at
     WHERE id = @id AND state = 'proving'`,
  );
  const get = (id: string): StoredCandidate | null => {
    const row = one.get(id);
    return row ? readCandidate(row) : null;
  };
  return {
    /** Those of an evaluation, of a tool, or all. Newest first, without those that were put away. */
    list: (
      of: { evaluationId?: string | null; toolId?: string | null } | null,
    ): StoredCandidate[] =>
      list
        .all({ evaluation: of?.evaluationId ?? null, tool: of?.toolId ?? null })
        .map(readCandidate),
    /** Those of a tool that were put away, newest first. */
    putAway: (toolId: string): StoredCandidate[] => putAway.all(toolId).map(readCandidate),
    /** Those whose proof decided for them. */
    accepted: (): StoredCandidate[] => accepted.all().map(readCandidate),
    /** Gives a draft, of which nothing was tried yet, another result to be tried on. */
    rebase: (id: string, base: CandidateBase): void =>
      void transaction(() => rebase.run({ id, ...baseColumns(base) })),
    get,
    insert: (given: NewCandidate): StoredCandidate =>
      transaction(() => {
        const id = nextId();
        const fresh = {
          state: 'draft',
          searchEvaluationId: null,
          proofEvaluationId: null,
          proofRank: null,
          search: null,
          proof: null,
          decidedAt: null,
          deletedAt: null,
          name: `Candidate ${(count.get(given.toolId) ?? 0) + 1}`,
        };
        insert.run(
          table.toRow({ ...given, ...baseColumns(given), ...fresh, id, createdAt: clock.now() }),
        );
        const made = get(id);
        if (!made) throw new Error('The candidate that was just written is missing.');
        return made;
      }),
    /** Those whose search or proof is an evaluation that has not been counted yet. */
    waitingFor: (evaluation: string): StoredCandidate[] =>
      underWay.all({ evaluation }).map(readCandidate),
    /** Those whose search or proof has not been counted yet. */
    underWay: (): StoredCandidate[] => underWay.all({ evaluation: null }).map(readCandidate),
    /**
     * Takes the right to start a step; false if it, or another one, is under way, or if the proof was
     * spent. What takes it starts the evaluation, or gives it back.
     */
    claim: (id: string, step: CandidateStep): boolean =>
      transaction(() => claims[step].run({ id }).changes === 1),
    /** Gives a claim back whose evaluation never began. */
    release({ id, state, searchEvaluationId }: StoredCandidate): void {
      transaction(() => release.run({ id, state, searchEvaluationId }));
    },
    /** Gives back the claims of programs that ended before their evaluation began. */
    releaseAll: (): void => void transaction(() => releaseAll.run()),
    startSearch: (id: string, evaluation: string): void =>
      void transaction(() => startSearch.run({ id, evaluation })),
    /** Does nothing if the search was counted before. */
    endSearch: (id: string, evaluation: string, result: SearchResult): void =>
      void transaction(() => endSearch.run({ id, evaluation, result: JSON.stringify(result) })),
    /** Also takes the next rank of its suite, which no other proof will get. */
    startProof: (id: string, evaluation: string, suites: readonly string[]): void =>
      void transaction(() => startProof.run({ id, evaluation, suites: JSON.stringify(suites) })),
    /** How many candidates have taken a rank on the cases of a suite. */
    proved: (suites: readonly string[]): number =>
      proved.get({ suites: JSON.stringify(suites) }) ?? 0,
    rename: (id: string, name: string): void => void transaction(() => rename.run({ id, name })),
    /** Puts a candidate away, or takes it back. Its proof counts all the same. */
    setDeleted: (id: string, deleted: boolean): void =>
      void transaction(() => setDeleted.run({ id, at: deleted ? clock.now() : null })),
    decide: (
      id: string,
      state: 'accepted' | 'rejected' | 'cannot_tell',
      result: ProofResult,
    ): void =>
      void transaction(() =>
        decide.run({ id, state, result: JSON.stringify(result), at: clock.now() }),
      ),
  };
}
