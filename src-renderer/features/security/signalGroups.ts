import { causeText, detectorLabel, subjectName } from '../../../src-shared/display/signalTexts.ts';
import type { ScannedTool, ScanReport, ToolFinding } from '../../../src-shared/domain/security.ts';
import { severityRank, type Severity } from '../../../src-shared/domain/severity.ts';

/** All findings of one cause in one tool, or in the instructions of one server. */
export interface SignalGroup {
  key: string;
  scanned: ScannedTool;
  detector: string;
  title: string;
  /** Of its most severe finding. */
  severity: Severity;
  /** The most severe first; never empty. */
  findings: readonly [ToolFinding, ...ToolFinding[]];
  /** Why and when the group was marked as safe; null while it is open. */
  safe: { reason: string; at: string } | null;
}

export interface SignalFilter {
  severities: readonly string[];
  detector: string | null;
  server: string | null;
  search: string;
}

/** One row per cause and tool, by server, then the most severe first. */
export function signalGroups(report: ScanReport): SignalGroup[] {
  return report.tools
    .flatMap(groupsOf)
    .sort(
      (a, b) =>
        severityRank[b.severity] - severityRank[a.severity] ||
        a.scanned.server.localeCompare(b.scanned.server) ||
        a.scanned.tool.localeCompare(b.scanned.tool) ||
        a.detector.localeCompare(b.detector),
    );
}

function groupsOf(scanned: ScannedTool): SignalGroup[] {
  const byKey = new Map<string, ToolFinding[]>();
  for (const finding of scanned.findings) {
    const key = JSON.stringify([
      scanned.server,
      scanned.tool,
      finding.detector,
      finding.accepted === null ? 'open' : 'safe',
    ]);
    byKey.set(key, [...(byKey.get(key) ?? []), finding]);
  }
  return [...byKey].flatMap(([key, found]) => {
    const [first, ...others] = found.sort(
      (a, b) => severityRank[b.severity] - severityRank[a.severity],
    );
    return first === undefined
      ? []
      : [
          {
            key,
            scanned,
            detector: first.detector,
            title: causeText(first.detector).title,
            severity: first.severity,
            findings: [first, ...others] as const,
            safe: first.accepted,
          },
        ];
  });
}

/** Whether a group passes the filters; `except` leaves one out, for the counts on its choices. */
export function matchesFilter(
  { severity, detector, title, scanned, findings }: SignalGroup,
  filter: SignalFilter,
  except: keyof SignalFilter | null = null,
): boolean {
  const wanted = filter.search.trim().toLowerCase();
  return (
    (except === 'severities' ||
      filter.severities.length === 0 ||
      filter.severities.includes(severity)) &&
    (except === 'detector' || filter.detector === null || filter.detector === detector) &&
    (except === 'server' || filter.server === null || filter.server === scanned.server) &&
    (wanted === '' ||
      [
        subjectName(scanned.server, scanned.tool),
        detectorLabel(detector),
        title,
        ...findings.flatMap(({ why, text }) => [why, text]),
      ].some((each) => each.toLowerCase().includes(wanted)))
  );
}

/** The lines in which two texts differ, without the lines that they share at both ends. */
export function changedLines(
  before: string,
  after: string,
): { removed: string[]; added: string[] } {
  const old = before.split('\n');
  const now = after.split('\n');
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail += 1;
  return { removed: old.slice(head, old.length - tail), added: now.slice(head, now.length - tail) };
}
