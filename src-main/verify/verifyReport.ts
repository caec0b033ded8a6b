import { z } from 'zod';
import { recountLint, recountSimilarity, recountTokens } from './catalogReports.ts';
import { recountComparison } from './comparisonReport.ts';
import { recountEvaluation } from './evaluationReport.ts';
import { Recount, type Difference } from './recount.ts';
import { recountRetrieval } from './retrievalReport.ts';
import { recountSecurity } from './securityReport.ts';
import { recountTasks } from './tasksReport.ts';

export interface Verification {
  kind: string;
  /** How many values were compared: numbers, verdicts and the sentences that say them. */
  checked: number;
  differences: Difference[];
  /** Values that do not follow from the rows of the report, as `pattern: reason`. */
  notChecked: string[];
}

interface KnownReport {
  version: number;
  recount: (document: unknown, recount: Recount) => void;
}

const knownReports = new Map<string, KnownReport>([
  ['touchstone-evaluation', { version: 2, recount: recountEvaluation }],
  ['touchstone-comparison', { version: 1, recount: recountComparison }],
  ['touchstone-retrieval', { version: 1, recount: recountRetrieval }],
  ['touchstone-security', { version: 1, recount: recountSecurity }],
  ['touchstone-similarity', { version: 1, recount: recountSimilarity }],
  ['touchstone-tokens', { version: 1, recount: recountTokens }],
  ['touchstone-lint', { version: 1, recount: recountLint }],
  ['touchstone-tasks', { version: 1, recount: recountTasks }],
]);
const head = z.looseObject({ format: z.string(), version: z.number() });

/**
 * Counts a JSON report again from its own rows, by a second implementation that shares no code with
 * the first (docs/rules.md §3, Reports). Every value of it is compared, or something else was counted
 * from it, or it is listed as not checked. Null if it is no JSON report of a known
 * version; throws ZodError if rows are missing.
 */
export function verifyReport(document: unknown): Verification | null {
  const { data } = head.safeParse(document);
  const known = data && knownReports.get(data.format);
  if (known?.version !== data?.version || !known) return null;
  const recount = new Recount(document);
  recount.rows('format', 'check');
  known.recount(document, recount);
  return {
    kind: data.format.replace('touchstone-', ''),
    checked: recount.checked,
    differences: recount.differences,
    // It walks the whole report, and where values differ nobody reads it but to print it.
    get notChecked() {
      return recount.notCheckedTexts();
    },
  };
}
