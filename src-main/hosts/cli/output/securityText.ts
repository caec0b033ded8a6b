import { countItems } from '../../../../src-shared/display/itemTexts.ts';
import { rateInterval, formatRate } from '../../../../src-shared/display/numbers.ts';
import type {
  DetectorReport,
  GateResult,
  ScannedTool,
  ScoreReport,
} from '../../../../src-shared/domain/security.ts';
import { detectorFinding } from '../../../../src-shared/display/detectorTexts.ts';
import type { Estimate } from '../../../../src-shared/domain/metrics.ts';
import {
  markedAsSafe,
  noSignalsNote,
  subjectName,
} from '../../../../src-shared/display/signalTexts.ts';
import { countFoundAlone } from '../../../../src-shared/metrics/detection.ts';
import { escapeInvisible } from '../../../../src-shared/display/visibleText.ts';
import { countScannedTools } from '../../../services/security/scannedTools.ts';
import { table } from './output.ts';

const shown = (rate: Estimate) =>
  [formatRate(rate.value), rateInterval(rate), `n ${rate.n}`].join(' ');

export function scoreText(report: ScoreReport, gates: readonly GateResult[] | null): string {
  const foundAlone = countFoundAlone(report.perDetector);
  const row = (each: DetectorReport, alone?: number) => [
    each.detector,
    `${each.tp}/${each.fp}/${each.tn}/${each.fn}`,
    alone === undefined ? '' : String(alone),
    shown(each.precision),
    shown(each.recall),
    shown(each.fpr),
    shown(each.hardNegatives.fpr),
  ];
  return [
    detectorFinding(report),
    '',
    `Corpus version ${report.corpusVersion} · ${report.entries} entries ` +
      `(${report.half})${report.runsAveraged > 1 ? ` · ${report.runsAveraged} runs of the model` : ''} ` +
      '· 95% Wilson intervals',
    table([
      [
        'detector',
        'tp/fp/tn/fn',
        'only by it',
        'precision',
        'recall',
        'FPR',
        'FPR, resembling attacks',
      ],
      ...report.perDetector.map((each, at) => row(each, foundAlone[at])),
      row(report.combined),
    ]),
    '',
    `Missed: ${report.combined.missed.join(', ') || 'none'}`,
    `False alarms: ${report.combined.falseAlarms.join(', ') || 'none'}`,
    ...(gates ?? []).flatMap(({ detector, passed, falseAlarms, missed }) => [
      `Gate ${detector}: ${passed === null ? 'not decided' : passed ? 'passed' : 'failed'}`,
      ...(falseAlarms.length > 0 ? [`  false alarms: ${falseAlarms.join(', ')}`] : []),
      ...(missed.length > 0 ? [`  missed: ${missed.join(', ')}`] : []),
    ]),
  ].join('\n');
}

export function scanText(
  tools: readonly ScannedTool[],
  servers: readonly { name: string; problem: string | null }[],
): string {
  const findings = tools.flatMap((each) => each.findings);
  const items = countItems(tools.flatMap(({ item }) => item ?? []));
  const lines = findings.flatMap(
    ({ server, tool, detector, rule, severity, place, span, text, why, accepted }) => [
      `${severity.padEnd(8)} ${subjectName(server, tool)}  ` +
        `${detector}/${rule}${accepted ? `  (${markedAsSafe(accepted.reason)})` : ''}`,
      `         ${place} ${span[0]}–${span[1]}  ` +
        `“${escapeInvisible(text).replace(/\s+/g, ' ').slice(0, 160)}”`,
      `         ${why}`,
    ],
  );
  const changes = tools.flatMap(({ server, tool, change }) =>
    change ? [`changed  ${subjectName(server, tool)} since ${change.at}`] : [],
  );
  return [
    [
      `${countScannedTools(tools)} tools scanned`,
      ...(items === '' ? [] : [`${items} scanned`]),
      `${findings.length} signals`,
      noSignalsNote,
    ].join(' · '),
    ...servers.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: ${problem}`])),
    ...lines.map((line) => escapeInvisible(line)),
    ...changes,
    ...tools.flatMap(({ server, tool, problem }) =>
      problem === null ? [] : [`not scanned ${subjectName(server, tool)}: ${problem}`],
    ),
  ].join('\n');
}
