import type { ScannedTool, ScanReport, ToolFinding } from '../domain/security.ts';
import { severityRank, type Severity } from '../domain/severity.ts';
import { causeText } from './signalTexts.ts';

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

/** One row per cause and tool, the most severe first, then by server. */
export function signalGroups(report: Pick<ScanReport, 'tools'>): SignalGroup[] {
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
      scanned.item?.kind ?? null,
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
