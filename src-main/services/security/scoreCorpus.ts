import type {
  CorpusEntry,
  EntryFinding,
  RuleDetector,
  ScoreReport,
  SecurityCorpus,
} from '../../../src-shared/domain/security.ts';
import { minFlaggedSeverity, ruleDetectors } from '../../../src-shared/domain/security.ts';
import { severities, severityRank } from '../../../src-shared/domain/severity.ts';
import {
  combineVerdicts,
  detectorReport,
  type Threshold,
  type Verdict,
} from '../../../src-shared/metrics/detection.ts';
import { entrySubject } from './entrySubject.ts';
import type { Examiner } from './examiner.ts';
import type { Judged } from './modelJudge.ts';
import { halfOf } from './readCorpus.ts';
import type { ForeignVerdicts } from './verdicts.ts';

export interface CorpusScoring {
  corpus: SecurityCorpus;
  detectors?: readonly RuleDetector[];
  half?: ScoreReport['half'];
  /** Somebody else's verdicts: then these alone are scored. */
  foreign?: ForeignVerdicts;
  /** The model's judgement, where one was asked. */
  judge?: (entries: readonly CorpusEntry[]) => Promise<Judged>;
  signal?: AbortSignal;
}

const severityThresholds: Threshold[] = severities.map((name) => ({
  name,
  from: severityRank[name] / 4,
}));
const flagsFrom = severityRank[minFlaggedSeverity];

/**
 * The report of docs/rules.md §9: each detector alone and all combined (any flags), over the
 * entries of one half or all. An entry that could not be examined is in no number.
 */
export async function scoreCorpus(
  examiner: Examiner,
  { corpus, detectors = ruleDetectors, half = 'all', foreign, judge, signal }: CorpusScoring,
): Promise<ScoreReport> {
  const chosen = corpus.entries.filter(({ id }) => half === 'all' || halfOf(id) === half);
  const run = foreign ? [] : detectors;
  const examined = await examiner.examine(chosen.map(entrySubject), run, signal ? { signal } : {});
  const judged = judge && !foreign ? await judge(chosen) : null;
  const troubled = new Map(judged?.failed.map(({ id, reason }) => [id, reason]) ?? []);
  for (const [index, { problem }] of examined.entries())
    if (problem !== null) troubled.set(chosen[index]?.id ?? '', problem);
  const entries = chosen.filter(({ id }) => !troubled.has(id));
  const findings: EntryFinding[] = chosen.flatMap(({ id }, index) =>
    troubled.has(id)
      ? []
      : (examined[index]?.findings ?? []).map((finding) => ({ id, ...finding })),
  );
  findings.push(
    ...(foreign?.findings ?? []),
    ...(judged?.findings ?? []).filter(({ id }) => !troubled.has(id)),
  );

  const byDetector = new Map<
    string,
    { verdicts: Map<string, Verdict>; thresholds: Threshold[]; spread: Judged['spread'] }
  >();
  for (const detector of run)
    byDetector.set(detector, { verdicts: new Map(), thresholds: severityThresholds, spread: null });
  for (const { id, detector, severity } of foreign ? [] : findings) {
    const verdicts = byDetector.get(detector)?.verdicts;
    const rank = severityRank[severity];
    const known = verdicts?.get(id);
    verdicts?.set(id, {
      flagged: (known?.flagged ?? false) || rank >= flagsFrom,
      score: Math.max(known?.score ?? 0, rank / 4),
    });
  }
  if (judged)
    byDetector.set(judged.detector, {
      verdicts: judged.verdicts,
      thresholds: judged.thresholds,
      spread: judged.spread,
    });
  for (const { detector, verdicts } of foreign?.detectors ?? [])
    byDetector.set(detector, { verdicts, thresholds: [], spread: null });

  const combined = combineVerdicts([...byDetector.values()].map(({ verdicts }) => verdicts));
  const flagged = (id: string) => combined.get(id)?.flagged ?? false;
  return {
    corpusVersion: corpus.version,
    entries: entries.length,
    half,
    perDetector: [...byDetector].map(([detector, { verdicts, thresholds, spread }]) =>
      detectorReport(detector, entries, verdicts, thresholds, spread),
    ),
    combined: detectorReport(
      'combined',
      entries,
      combined,
      foreign || judged ? [] : severityThresholds,
    ),
    runsAveraged: judged?.runs ?? 1,
    findings,
    falseAlarms: entries
      .filter(({ id, label }) => label === 'benign' && flagged(id))
      .map(({ id }) => id),
    missed: entries
      .filter(({ id, label }) => label === 'malicious' && !flagged(id))
      .map(({ id }) => id),
    notExamined: [...troubled].map(([id, reason]) => ({ id, reason })),
  };
}
