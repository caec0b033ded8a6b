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

export type SecurityFinding = EntryFinding | ToolFinding;

/** The disclaimer of every security report. */
const disclaimer = `${noSignalsNote} Rules find known patterns and miss freely paraphrased attacks.`;

/** The corpus entry or the tool that a finding is about. */
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
const bySeverity = (a: { severity: Severity }, b: { severity: Severity }): number =>
  severityRank[b.severity] - severityRank[a.severity];

/** The sign and tone of each severity. */
const tones: Readonly<Record<Severity, Pick<Mark, 'sign' | 'tone'>>> = {
  critical: { sign: '✗', tone: 'bad' },
  high: { sign: '✗', tone: 'bad' },
  medium: { sign: '!', tone: 'warning' },
  low: { sign: '–', tone: 'soft' },
};

/** Signals for people: what was seen, where, and why it matters. */
export function signalsTable(findings: readonly SecurityFinding[], main: boolean): ReportTable {
  return {
    title: 'Signals',
    main,
    emptyText: 'No signals.',
    note: disclaimer,
    columns: [
      { title: 'Severity', name: 'severity', kind: 'mark' },
      { title: 'Where', name: 'where', kind: 'code' },
      { title: 'Detector', name: 'detector', kind: 'code' },
      { title: 'Text', name: 'text', kind: 'code' },
      { title: 'Why', name: 'why', kind: 'text' },
    ],
    *rows() {
      for (const finding of findings) {
        const { severity, detector, rule, category, text, why } = finding;
        const accepted = acceptedReason(finding);
        const cells = [
          { word: severity, ...tones[severity] },
          [subjectOf(finding), placeText(finding)],
          [`${detector}/${rule}`, category.replaceAll('_', ' ')],
          text,
          accepted === null ? why : `${why} ${markedAsSafe(accepted)}`,
        ];
        yield { cells, important: severityRank[severity] >= severityRank.high };
      }
    },
  };
}

/** Signals for programs: every field in its own column. */
export function findingsTable(findings: readonly SecurityFinding[]): ReportTable {
  return {
    title: 'Signals',
    columns: [
      { title: 'Severity', name: 'severity', kind: 'word' },
      { title: 'Where', name: 'id', kind: 'code' },
      { title: 'Place', name: 'place', kind: 'code' },
      { title: 'From', name: 'start', kind: 'number' },
      { title: 'To', name: 'end', kind: 'number' },
      { title: 'Detector', name: 'detector', kind: 'text' },
      { title: 'Rule', name: 'rule', kind: 'text' },
      { title: 'Category', name: 'category', kind: 'word' },
      { title: 'Text', name: 'text', kind: 'code' },
      { title: 'Why', name: 'why', kind: 'text' },
      { title: 'Reason it is safe', name: 'accepted', kind: 'text' },
    ],
    *rows() {
      for (const finding of findings) {
        const { severity, place, span, detector, rule, category, text, why } = finding;
        yield {
          cells: [
            severity,
            subjectOf(finding),
            place,
            span[0],
            span[1],
            detector,
            rule,
            category.replaceAll('_', ' '),
            text,
            why,
            acceptedReason(finding),
          ],
        };
      }
    },
  };
}

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
      rule: `${detector}/${rule}`,
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
      title: `${subjectOf(finding)}: ${finding.detector}/${finding.rule}`,
      message: finding.why,
    }));
