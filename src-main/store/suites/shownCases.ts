/**
 * SQL of the cases that people see: a case `c`, the row `h` of suites that holds it, and its suite
 * `u`. The two differ while cases are on their way into a suite; `stagedCases` moves them.
 */
export const shownCases = `test_cases c JOIN suites h ON h.id = c.suite_id
  JOIN suites u ON u.id = h.shown_in AND u.hidden = 0`;

/** The id of a case `c`. One that replaces another has the other's id before it can be written. */
export const shownId = 'coalesce(c.kept_id, c.id)';

/** The rows of the case `:id`: at most one of them is shown. */
export const rowsWithId = `c.rowid IN (SELECT rowid FROM test_cases WHERE id = :id AND kept_id IS NULL
  UNION ALL SELECT rowid FROM test_cases WHERE kept_id = :id)`;
