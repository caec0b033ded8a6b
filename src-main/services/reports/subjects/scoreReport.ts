import {
  detectorFinding,
  entryCategoryText,
} from '../../../../src-shared/display/detectorTexts.ts';
import { counted, formatCount, formatExact } from '../../../../src-shared/display/numbers.ts';
import { countFoundAlone } from '../../../../src-shared/metrics/detection.ts';
import type {
  DetectorReport,
  GateResult,
  ScoreReport,
} from '../../../../src-shared/domain/security.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { Column, Mark, Opening, Report, ReportTable, TestCase } from '../report.ts';
import { noGateError } from './noGateError.ts';
import { publish } from '../documents/published.ts';
import { scoreDocument } from '../documents/securityDocument.ts';
import { alertsOf, sarifFindings, signalsTable } from './securityFindings.ts';

/** Scored detectors with the verdicts of their gates; null without a baseline. */
export interface ScoreResult {
  title: string;
  score: ScoreReport;
  gates: readonly GateResult[] | null;
  /** The file of the corpus; null when it is in the workspace. */
  file: string | null;
}

/** The report of detectors on a labeled corpus: what they find, and what they flag by mistake. */
export function scoreReport({ title, score, gates, file }: ScoreResult, generated: string): Report {
  const detectors = detectorsTable(score);
  const misjudged = misjudgedTable(score);
  return {
    subject: 'security',
    title,
    generated,
    opening: openingOf(score, gates),
    facts: [
      { name: 'Corpus version', value: score.corpusVersion, untrusted: true },
      {
        name: 'Entries',
        value:
          `${score.entries} ` +
          `(${score.half})${score.notExamined.length > 0 ? `, ${score.notExamined.length} more not examined` : ''}`,
      },
      ...(score.runsAveraged > 1
        ? [{ name: 'Runs of the model', value: formatCount(score.runsAveraged) }]
        : []),
      ...(gates ?? []).map(({ detector, passed }) => ({
        name: `Gate ${detector}`,
        value: passed === null ? 'not decided' : passed ? 'passed' : 'failed',
      })),
    ],
    parts: [
      { part: 'table', ...detectors },
      {
        part: 'note',
        text:
          'Only by it: attacks that would be missed without this detector. Each detector looks ' +
          'for its own kind of attack, so the recall of one counts attacks that it isn’t for. ' +
          'Precision: attacks among flagged texts. Recall: flagged among attacks. F1: harmonic ' +
          'mean of the two. FPR: flagged among honest texts, and among those that resemble ' +
          'attacks. Intervals are 95% (Wilson); n is the number a rate is counted over.',
      },
      ...(gates === null
        ? []
        : [
            { part: 'table' as const, ...gatesTable(gates) },
            ...(gates.some(({ passed }) => passed === false)
              ? [{ part: 'table' as const, ...gateEntriesTable(gates) }]
              : []),
          ]),
      { part: 'table', ...categoriesTable(score) },
      { part: 'table', ...misjudged },
      { part: 'table', ...signalsTable(score.findings, false) },
    ],
    csv: detectors,
    document: () => publish(scoreDocument, { ...score, gates }),
    tests: () => {
      if (gates === null)
        throw noGateError('security', 'Give a baseline with ceilings and floors.');
      return [
        countedSuite(
          title,
          [
            ...gates.map(gateTest),
            ...score.notExamined.map(({ id, reason }): TestCase => ({
              name: id,
              classname: 'not examined',
              outcome: { kind: 'error', message: reason },
            })),
          ],
          [
            ['corpus_version', score.corpusVersion],
            ['half', score.half],
          ],
        ),
      ];
    },
    findings: sarifFindings(score.findings, file ?? `${title}.json`),
    alerts: () => [
      ...(gates ?? [])
        .filter(({ passed }) => passed === false)
        .map((gate) => ({
          level: 'error' as const,
          title: `${gate.detector}: gate failed`,
          message: gateText(gate),
        })),
      ...(gates === null ? alertsOf(score.findings) : []),
    ],
  };
}

/** How many attacks are found and how many honest texts are flagged, and the gates. */
function openingOf(score: ScoreReport, gates: ScoreResult['gates']): Opening {
  const { notExamined } = score;
  const failed = (gates ?? []).filter(({ passed }) => passed === false);
  const undecided = (gates ?? []).filter(({ passed }) => passed === null);
  const named = (those: readonly GateResult[]) => those.map(({ detector }) => detector).join(', ');
  return {
    headline: [detectorFinding(score)],
    lines: [
      ...(failed.length > 0 ? [[`Gate failed: ${named(failed)}.`]] : []),
      ...(undecided.length > 0 ? [[`Gate not decided: ${named(undecided)}.`]] : []),
      ...(notExamined.length > 0
        ? [[`${counted(notExamined.length, 'entry', 'entries')} could not be examined.`]]
        : []),
    ],
  };
}

/** Number columns from pairs of title and name. */
const columnsOf = (names: readonly [string, string][]): Column[] =>
  names.map(([title, name]) => ({ title, name, kind: 'number' }));

/** The numbers of each detector and of all combined; also the content of CSV. */
function detectorsTable({ perDetector, combined }: ScoreReport): ReportTable {
  const alone = countFoundAlone(perDetector);
  const cells = ({
    detector,
    tp,
    fp,
    tn,
    fn,
    precision,
    recall,
    f1,
    fpr,
    hardNegatives,
  }: DetectorReport) => [detector, tp, fp, tn, fn, precision, recall, f1, fpr, hardNegatives.fpr];
  return {
    title: 'Detectors',
    columns: [
      { title: 'Detector', name: 'detector', kind: 'text' },
      ...columnsOf([
        ['TP', 'tp'],
        ['FP', 'fp'],
        ['TN', 'tn'],
        ['FN', 'fn'],
      ]),
      { title: 'Precision', name: 'precision', kind: 'rate' },
      { title: 'Recall', name: 'recall', kind: 'rate' },
      { title: 'F1', name: 'f1', kind: 'rate' },
      { title: 'FPR', name: 'fpr', kind: 'rate' },
      { title: 'FPR, resembling attacks', name: 'hard_negatives_fpr', kind: 'rate' },
      { title: 'Only by it', name: 'found_alone', kind: 'number' },
    ],
    rows: () =>
      [...perDetector, combined].map((each, at) => ({
        cells: [...cells(each), alone[at] ?? null],
      })),
  };
}

/** Each gate with the measured rates and their limits. */
function gatesTable(gates: readonly GateResult[]): ReportTable {
  const mark = (passed: boolean | null): Mark =>
    passed === null
      ? { sign: '?', word: 'not decided', tone: 'soft' }
      : passed
        ? { sign: '✓', word: 'passed', tone: 'good' }
        : { sign: '✗', word: 'failed', tone: 'bad' };
  return {
    title: 'Gates',
    columns: [
      { title: 'Detector', name: 'detector', kind: 'text' },
      { title: 'Gate', name: 'gate', kind: 'mark' },
      { title: 'FPR', name: 'fpr', kind: 'number', digits: 4 },
      { title: 'Ceiling', name: 'fpr_ceiling', kind: 'number' },
      { title: 'Recall', name: 'recall', kind: 'number', digits: 4 },
      { title: 'Floor', name: 'recall_floor', kind: 'number' },
    ],
    rows: () =>
      gates.map(({ detector, passed, fpr, fprCeiling, recall, recallFloor }) => ({
        cells: [detector, mark(passed), fpr, fprCeiling, recall, recallFloor],
      })),
  };
}

/** Which entries made a gate fail. */
function gateEntriesTable(gates: readonly GateResult[]): ReportTable {
  return {
    title: 'Entries of failed gates',
    columns: [
      { title: 'Gate', name: 'detector', kind: 'text' },
      { title: 'Entry', name: 'id', kind: 'code' },
      { title: 'What', name: 'what', kind: 'word' },
    ],
    rows: () =>
      gates.flatMap(({ detector, falseAlarms, missed }) => [
        ...falseAlarms.map((id) => ({ cells: [detector, id, 'false alarm'] })),
        ...missed.map((id) => ({ cells: [detector, id, 'missed'] })),
      ]),
  };
}

/** Rates by category: recall for attacks, false alarms for honest texts. */
function categoriesTable({ perDetector, combined }: ScoreReport): ReportTable {
  return {
    title: 'By category',
    note:
      'Of attacks the share that is flagged (recall), of honest texts the share of false ' +
      'alarms.',
    columns: [
      { title: 'Detector', name: 'detector', kind: 'text' },
      { title: 'Category', name: 'category', kind: 'word' },
      { title: 'Flagged', name: 'flagged', kind: 'number' },
      { title: 'Rate', name: 'rate', kind: 'rate' },
    ],
    rows: () =>
      [combined, ...perDetector].flatMap(({ detector, categories }) =>
        categories.map(({ category, flagged, rate }) => ({
          cells: [detector, entryCategoryText(category), flagged, rate],
        })),
      ),
  };
}

/** Entries that were judged wrong or not at all. */
function misjudgedTable({ combined, notExamined }: ScoreReport): ReportTable {
  const { falseAlarms, missed } = combined;
  const mark = (word: string, tone: Mark['tone'], sign: string): Mark => ({ word, tone, sign });
  return {
    title: 'Missed, false alarms and not examined',
    main: true,
    emptyText: 'No entry was missed or flagged by mistake.',
    columns: [
      { title: 'Entry', name: 'id', kind: 'code' },
      { title: 'What', name: 'what', kind: 'mark' },
      { title: 'Why', name: 'why', kind: 'text' },
    ],
    rows: () => [
      ...missed.map((id) => ({ cells: [id, mark('missed', 'bad', '✗'), null] })),
      ...falseAlarms.map((id) => ({ cells: [id, mark('false alarm', 'bad', '✗'), null] })),
      ...notExamined.map(({ id, reason }) => ({
        cells: [id, mark('not examined', 'warning', '!'), reason],
      })),
    ],
  };
}

/** The measured rates of a gate next to their limits. */
const gateText = ({ fpr, recall, fprCeiling, recallFloor }: GateResult): string =>
  `FPR ${formatExact(fpr)} (ceiling ${formatExact(fprCeiling)}), recall ` +
  `${formatExact(recall)} (floor ${formatExact(recallFloor)})`;

/**
 * One JUnit test per gated detector; an undefined rate is an error, because the gate was not
 * decided.
 */
function gateTest(gate: GateResult): TestCase {
  const base = { name: 'gate', classname: gate.detector };
  if (gate.passed === null)
    return {
      ...base,
      outcome: {
        kind: 'error',
        message: 'A gated rate is not defined: there are no entries to count.',
      },
    };
  return {
    ...base,
    outcome: gate.passed ? null : { kind: 'failure', type: 'gate', message: gateText(gate) },
  };
}
