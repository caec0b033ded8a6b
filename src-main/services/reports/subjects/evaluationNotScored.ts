import { failureTexts } from '../../../../src-shared/domain/failureTexts.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { NotScoredReason, ReportTable } from '../report.ts';
import { undecidedText } from './evaluationRuns.ts';
import type { ReportSource } from './reportSource.ts';

/** More runs than this are not read for their reasons: they rarely have further ones. */
const maxRunsRead = 1_000;
const maxReasons = 20;

/** Why runs have no score, the most frequent reason first. */
export async function notScoredReasons(source: ReportSource): Promise<NotScoredReason[]> {
  const reasons = new Map<string, NotScoredReason>();
  let read = 0;
  for await (const { status, failure, errorMessage } of source.runs({ outcome: ['not_scored'] })) {
    const reason =
      status === 'completed' || failure === null ? undecidedText : failureTexts[failure];
    const key = JSON.stringify([reason, errorMessage]);
    const known = reasons.get(key) ?? { reason, message: errorMessage, runs: 0 };
    reasons.set(key, { ...known, runs: known.runs + 1 });
    read += 1;
    if (read === maxRunsRead) break;
  }
  return [...reasons.values()].sort((a, b) => b.runs - a.runs).slice(0, maxReasons);
}

/** The reasons as a table; only for evaluations with runs that are not scored. */
export function notScoredTable(source: ReportSource): ReportTable {
  const total = source.verdict.counts.not_scored;
  return {
    title: 'Not scored',
    columns: [
      { title: 'Reason', name: 'reason', kind: 'word' },
      { title: 'Message', name: 'message', kind: 'text' },
      { title: 'Runs', name: 'runs', kind: 'number' },
    ],
    async *rows() {
      for (const { reason, message, runs } of await notScoredReasons(source))
        yield { cells: [reason, message, runs], important: true };
    },
    ...(total > maxRunsRead
      ? { note: `Of the first ${counted(maxRunsRead, 'run')} that are not scored.` }
      : {}),
  };
}
