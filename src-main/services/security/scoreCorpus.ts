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
import { corpusWarnings } from './corpusWarnings.ts';
import { entrySubject } from './entrySubject.ts';
import type { Examiner } from './examiner.ts';
import type { JudgeResult } from './modelJudge.ts';
import { halfOf } from './readCorpus.ts';
import type { ExternalVerdicts } from './verdicts.ts';

export interface CorpusScoring {
  corpus: SecurityCorpus;
  detectors?: readonly RuleDetector[];
  half?: ScoreReport['half'];
  /** Verdicts of an external detector. If given, only these are scored. */
  externalVerdicts?: ExternalVerdicts;
  /** Asks the model as judge, if there is one. */
  judge?: (entries: readonly CorpusEntry[]) => Promise<JudgeResult>;
  signal?: AbortSignal;
}

const severityThresholds: Threshold[] = severities.map((name) => ({
  name,
  from: severityRank[name] / 4,
}));
const minFlaggedRank = severityRank[minFlaggedSeverity];

/**
 * Scores each detector alone and all combined (any of them flags) over one half of the entries or
 * all of them (docs/rules.md §9). Entries that could not be examined are left out of every number.
 */
export async function scoreCorpus(
  examiner: Examiner,
  {
    corpus,
    detectors = ruleDetectors,
    half = 'all',
    externalVerdicts,
    judge,
    signal,
  }: CorpusScoring,
): Promise<ScoreReport> {
  const chosen = corpus.entries.filter(({ id }) => half === 'all' || halfOf(id) === half);
  const run = externalVerdicts ? [] : detectors;
  const examined = await examiner.examine(chosen.map(entrySubject), run, signal ? { signal } : {});
  const judged = judge && !externalVerdicts ? await judge(chosen) : null;
  const notExamined = new Map(judged?.failed.map(({ id, reason }) => [id, reason]) ?? []);
  for (const [index, { problem }] of examined.entries())
    if (problem !== null) notExamined.set(chosen[index]?.id ?? '', problem);
  const entries = chosen.filter(({ id }) => !notExamined.has(id));
  const findings: EntryFinding[] = chosen.flatMap(({ id }, index) =>
    notExamined.has(id)
      ? []
      : (examined[index]?.findings ?? []).map((finding) => ({ id, ...finding })),
  );
  findings.push(
    ...(externalVerdicts?.findings ?? []),
    ...(judged?.findings ?? []).filter(({ id }) => !notExamined.has(id)),
  );

  const byDetector = new Map<
    string,
    { verdicts: Map<string, Verdict>; thresholds: Threshold[]; spread: JudgeResult['spread'] }
  >();
  for (const detector of run)
    byDetector.set(detector, { verdicts: new Map(), thresholds: severityThresholds, spread: null });
  for (const { id, detector, severity } of externalVerdicts ? [] : findings) {
    const verdicts = byDetector.get(detector)?.verdicts;
    const rank = severityRank[severity];
    const known = verdicts?.get(id);
    verdicts?.set(id, {
      flagged: (known?.flagged ?? false) || rank >= minFlaggedRank,
      score: Math.max(known?.score ?? 0, rank / 4),
    });
  }
  if (judged)
    byDetector.set(judged.detector, {
      verdicts: judged.verdicts,
      thresholds: judged.thresholds,
      spread: judged.spread,
    });
  for (const { detector, verdicts } of externalVerdicts?.detectors ?? [])
    byDetector.set(detector, { verdicts, thresholds: [], spread: null });

  const combined = combineVerdicts([...byDetector.values()].map(({ verdicts }) => verdicts));
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
      externalVerdicts || judged ? [] : severityThresholds,
    ),
    runsAveraged: judged?.runs ?? 1,
    findings,
    notExamined: [...notExamined].map(([id, reason]) => ({ id, reason })),
    warnings: corpusWarnings(corpus.entries),
  };
}
