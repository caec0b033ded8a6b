import { z } from 'zod';
import { recountLint, recountSimilarity, recountTokens } from './catalogReports.ts';
import { recountComparison } from './comparisonReport.ts';
import { recountEvaluation } from './evaluationReport.ts';
import { Recount, type Difference } from './recount.ts';
import { recountRetrieval } from './retrievalReport.ts';
import { recountSecurity } from './securityReport.ts';

export interface Verification {
  kind: string;
  /** How many numbers and verdicts were compared. */
  checked: number;
  differences: Difference[];
  /** Numbers that do not follow from the rows of the report, with the reason. */
  notChecked: string[];
}

const recounts = new Map<string, (document: unknown, recount: Recount) => void>([
  ['touchstone-evaluation', recountEvaluation],
  ['touchstone-comparison', recountComparison],
  ['touchstone-retrieval', recountRetrieval],
  ['touchstone-security', recountSecurity],
  ['touchstone-similarity', recountSimilarity],
  ['touchstone-tokens', recountTokens],
  ['touchstone-lint', recountLint],
]);
const head = z.looseObject({ format: z.string(), version: z.literal(1) });

/**
 * Counts the numbers of a JSON report again from its own rows, by a second implementation that shares
 * no code with the first (docs/rules.md §3, Reports). Null if it is no JSON report of a known
 * version; throws ZodError if rows are missing.
 */
export function verifyReport(document: unknown): Verification | null {
  const { data } = head.safeParse(document);
  const recountAll = data && recounts.get(data.format);
  if (!recountAll) return null;
  const recount = new Recount(document);
  recountAll(document, recount);
  return {
    kind: data.format.replace('touchstone-', ''),
    checked: recount.checked,
    differences: recount.differences,
    notChecked: recount.notCheckedTexts(),
  };
}
