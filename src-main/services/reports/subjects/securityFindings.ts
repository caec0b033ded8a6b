import {
  markedAsSafe,
  noSignalsNote,
  subjectName,
} from '../../../../src-shared/display/signalTexts.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { EntryFinding, ToolFinding } from '../../../../src-shared/domain/security.ts';
import { severityRank, type Severity } from '../../../../src-shared/domain/severity.ts';
import type { FindPlace } from '../../servers/toolsFilePlaces.ts';
import { artifactOf, fingerprintOf } from '../formats/writeSarif.ts';
import type { Alert, Mark, ReportFinding, ReportTable } from '../report.ts';
import { field, tableOf } from './tableOf.ts';

export type SecurityFinding = EntryFinding | ToolFinding;

/** The disclaimer of every security report. */
const disclaimer = `${noSignalsNote} Rules find known patterns and miss freely paraphrased attacks.`;

const subjectOf = (finding: SecurityFinding): string =>
  'id' in finding ? finding.id : subjectName(finding.server, finding.tool);
/** Why a person marked a finding as safe; null when nobody did. */
const acceptedReason = (finding: SecurityFinding): string | null =>
  'accepted' in finding ? (finding.accepted?.reason ?? null) : null;
/** The line of a skill's file, or the pointer and the span. */
const placeText = (finding: SecurityFinding): string =>
  'source' in finding && finding.source !== undefined
    ? `${finding.source.file}, line ${finding.source.line}`
    : `${finding.place} ${finding.span[0]}–${finding.span[1]}`;
const ruleOf = ({ detector, rule }: SecurityFinding): string => `${detector}/${rule}`;
const categoryOf = ({ category }: SecurityFinding): string => category.replaceAll('_', ' ');
function whyText(finding: SecurityFinding): string {
  const accepted = acceptedReason(finding);
  return accepted === null ? finding.why : `${finding.why} ${markedAsSafe(accepted)}`;
}
const bySeverity = (a: { severity: Severity }, b: { severity: Severity }): number =>
  severityRank[b.severity] - severityRank[a.severity];

const tones: Readonly<Record<Severity, Pick<Mark, 'sign' | 'tone'>>> = {
  critical: { sign: '✗', tone: 'bad' },
  high: { sign: '✗', tone: 'bad' },
  medium: { sign: '!', tone: 'warning' },
  low: { sign: '–', tone: 'soft' },
};

/** Signals for people: what was seen, where, and why it matters. */
export const signalsTable = (findings: readonly SecurityFinding[], main: boolean): ReportTable =>
  tableOf(
    'Signals',
    findings,
    [
      field('mark', 'Severity', 'severity', ({ severity }) => ({
        word: severity,
        ...tones[severity],
      })),
      field('code', 'Where', 'where', (finding) => [subjectOf(finding), placeText(finding)]),
      field('code', 'Detector', 'detector', (finding) => [ruleOf(finding), categoryOf(finding)]),
      field('code', 'Text', 'text', ({ text }) => text),
      field('text', 'Why', 'why', whyText),
    ],
    {
      main,
      emptyText: 'No signals.',
      note: disclaimer,
      row: ({ severity }) => ({ important: severityRank[severity] >= severityRank.high }),
    },
  );

/** Signals for programs: every field in its own column. */
export const findingsTable = (findings: readonly SecurityFinding[]): ReportTable =>
  tableOf<SecurityFinding>('Signals', findings, [
    field('word', 'Severity', 'severity', ({ severity }) => severity),
    field('code', 'Where', 'id', subjectOf),
    field('code', 'Place', 'place', ({ place }) => place),
    field('number', 'From', 'start', ({ span }) => span[0]),
    field('number', 'To', 'end', ({ span }) => span[1]),
    field('text', 'Detector', 'detector', ({ detector }) => detector),
    field('text', 'Rule', 'rule', ({ rule }) => rule),
    field('word', 'Category', 'category', categoryOf),
    field('code', 'Text', 'text', ({ text }) => text),
    field('text', 'Why', 'why', ({ why }) => why),
    field('text', 'Reason it is safe', 'accepted', acceptedReason),
  ]);

/**
 * `file` is where the tools or entries were read from; null when they came from servers. `findPlace`
 * finds a part of a tool in it.
 */
export const sarifFindings = (
  findings: readonly SecurityFinding[],
  file: string | null,
  findPlace?: FindPlace,
): ReportFinding[] =>
  findings.map((finding) => {
    const { detector, rule, category, severity, place, span, text, why } = finding;
    return {
      rule: ruleOf(finding),
      about: detector,
      tags: ['security', category],
      severity,
      message: why,
      subject: subjectOf(finding),
      place,
      artifact: artifactOf(file, 'server' in finding ? finding.server : ''),
      region: () =>
        'server' in finding
          ? (findPlace?.(toolId(finding.server, finding.tool), place, span[0]) ?? null)
          : null,
      // Corpus entries can't be marked as safe, so what a finding says and where identifies it.
      fingerprint:
        'fingerprint' in finding
          ? finding.fingerprint
          : fingerprintOf(subjectOf(finding), detector, rule, place, text),
      accepted: acceptedReason(finding),
      properties: { detector, category, span, text },
    };
  });

/** Findings that nobody marked as safe, most severe first. */
export const alertsOf = (findings: readonly SecurityFinding[]): Alert[] =>
  findings
    .filter((finding) => acceptedReason(finding) === null)
    .sort(bySeverity)
    .map((finding) => ({
      level:
        severityRank[finding.severity] >= severityRank.high
          ? 'error'
          : finding.severity === 'medium'
            ? 'warning'
            : 'notice',
      title: `${subjectOf(finding)}: ${ruleOf(finding)}`,
      message: finding.why,
    }));
