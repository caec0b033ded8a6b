import {
  detectorFinding,
  entryCategoryText,
} from '../../../../src-shared/display/detectorTexts.ts';
import { counted, formatCount, formatExact } from '../../../../src-shared/display/numbers.ts';
import { countFoundAlone } from '../../../../src-shared/metrics/detection.ts';
import type { GateResult, ScoreReport } from '../../../../src-shared/domain/security.ts';
import { countedSuite } from '../formats/writeJunit.ts';
import type { Mark, Opening, Report, ReportTable, TestCase } from '../report.ts';
import { noGateError } from './noGateError.ts';
import { factsFrom, field, tableOf, tables } from './tableOf.ts';
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
  return {
    subject: 'security',
    title,
    generated,
    opening: openingOf(score, gates),
    facts: factsFrom(
      ['Corpus version', score.corpusVersion, 'untrusted'],
      [
        'Entries',
        `${score.entries} ` +
          `(${score.half})${score.notExamined.length > 0 ? `, ${score.notExamined.length} more not examined` : ''}`,
      ],
      ['Runs of the model', score.runsAveraged > 1 ? formatCount(score.runsAveraged) : null],
      ...(gates ?? []).map(
        ({ detector, passed }) =>
          [
            `Gate ${detector}`,
            passed === null ? 'not decided' : passed ? 'passed' : 'failed',
          ] as const,
      ),
    ),
    parts: [
      ...tables(detectors),
      {
        part: 'note',
        text:
          'Only by it: attacks that would be missed without this detector. Each detector looks ' +
          'for its own kind of attack, so the recall of one counts attacks that it isn’t for. ' +
          'Precision: attacks among flagged texts. Recall: flagged among attacks. F1: harmonic ' +
          'mean of the two. FPR: flagged among honest texts, and among those that resemble ' +
          'attacks. Intervals are 95% (Wilson); n is the number a rate is counted over.',
      },
      ...tables(
        gates && gatesTable(gates),
        gates?.some(({ passed }) => passed === false) === true && gateEntriesTable(gates),
        categoriesTable(score),
        misjudgedTable(score),
        signalsTable(score.findings, false),
      ),
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

/** The numbers of each detector and of all combined; also the content of CSV. */
function detectorsTable({ perDetector, combined }: ScoreReport): ReportTable {
  const alone = countFoundAlone(perDetector);
  return tableOf(
    'Detectors',
    [...perDetector, combined].map((each, at) => ({ ...each, alone: alone[at] ?? null })),
    [
      field('text', 'Detector', 'detector', ({ detector }) => detector),
      field('number', 'TP', 'tp', ({ tp }) => tp),
      field('number', 'FP', 'fp', ({ fp }) => fp),
      field('number', 'TN', 'tn', ({ tn }) => tn),
      field('number', 'FN', 'fn', ({ fn }) => fn),
      field('rate', 'Precision', 'precision', ({ precision }) => precision),
      field('rate', 'Recall', 'recall', ({ recall }) => recall),
      field('rate', 'F1', 'f1', ({ f1 }) => f1),
      field('rate', 'FPR', 'fpr', ({ fpr }) => fpr),
      field(
        'rate',
        'FPR, resembling attacks',
        'hard_negatives_fpr',
        ({ hardNegatives }) => hardNegatives.fpr,
      ),
      field('number', 'Only by it', 'found_alone', (each) => each.alone),
    ],
  );
}

function gatesTable(gates: readonly GateResult[]): ReportTable {
  const mark = (passed: boolean | null): Mark =>
    passed === null
      ? { sign: '?', word: 'not decided', tone: 'soft' }
      : passed
        ? { sign: '✓', word: 'passed', tone: 'good' }
        : { sign: '✗', word: 'failed', tone: 'bad' };
  return tableOf('Gates', gates, [
    field('text', 'Detector', 'detector', ({ detector }) => detector),
    field('mark', 'Gate', 'gate', ({ passed }) => mark(passed)),
    field('number', 'FPR', 'fpr', ({ fpr }) => fpr, { digits: 4 }),
    field('number', 'Ceiling', 'fpr_ceiling', ({ fprCeiling }) => fprCeiling),
    field('number', 'Recall', 'recall', ({ recall }) => recall, { digits: 4 }),
    field('number', 'Floor', 'recall_floor', ({ recallFloor }) => recallFloor),
  ]);
}

const gateEntriesTable = (gates: readonly GateResult[]): ReportTable =>
  tableOf(
    'Entries of failed gates',
    gates.flatMap(({ detector, falseAlarms, missed }) => [
      ...falseAlarms.map((id) => ({ detector, id, what: 'false alarm' })),
      ...missed.map((id) => ({ detector, id, what: 'missed' })),
    ]),
    [
      field('text', 'Gate', 'detector', ({ detector }) => detector),
      field('code', 'Entry', 'id', ({ id }) => id),
      field('word', 'What', 'what', ({ what }) => what),
    ],
  );

/** Rates by category: recall for attacks, false alarms for honest texts. */
const categoriesTable = ({ perDetector, combined }: ScoreReport): ReportTable =>
  tableOf(
    'By category',
    [combined, ...perDetector].flatMap(({ detector, categories }) =>
      categories.map((each) => ({ ...each, detector })),
    ),
    [
      field('text', 'Detector', 'detector', ({ detector }) => detector),
      field('word', 'Category', 'category', ({ category }) => entryCategoryText(category)),
      field('number', 'Flagged', 'flagged', ({ flagged }) => flagged),
      field('rate', 'Rate', 'rate', ({ rate }) => rate),
    ],
    {
      note:
        'Of attacks the share that is flagged (recall), of honest texts the share of false ' +
        'alarms.',
    },
  );

function misjudgedTable({ combined, notExamined }: ScoreReport): ReportTable {
  const { falseAlarms, missed } = combined;
  const mark = (word: string, tone: Mark['tone'], sign: string): Mark => ({ word, tone, sign });
  return tableOf(
    'Missed, false alarms and not examined',
    [
      ...missed.map((id) => ({ id, what: mark('missed', 'bad', '✗'), reason: null })),
      ...falseAlarms.map((id) => ({ id, what: mark('false alarm', 'bad', '✗'), reason: null })),
      ...notExamined.map((each) => ({ ...each, what: mark('not examined', 'warning', '!') })),
    ],
    [
      field('code', 'Entry', 'id', ({ id }) => id),
      field('mark', 'What', 'what', ({ what }) => what),
      field('text', 'Why', 'why', ({ reason }) => reason),
    ],
    { main: true, emptyText: 'No entry was missed or flagged by mistake.' },
  );
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
