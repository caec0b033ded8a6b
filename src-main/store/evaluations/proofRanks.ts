/**
 * SQL: the last rank that was taken on the proof half of a suite. Candidates and optimizations use up
 * the same half, so they share one row of levels. `@suites` is a JSON array of what the suite is
 * known by.
 */
export const lastProofRank = `(SELECT coalesce(max(rank), 0) FROM (
     SELECT r.proof_rank AS rank FROM candidates r WHERE r.suite IN (SELECT value FROM json_each(@suites))
     UNION ALL SELECT o.proof_rank FROM optimizations o WHERE o.suite IN (SELECT value FROM json_each(@suites))))`;
