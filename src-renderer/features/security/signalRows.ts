import type { ScannedTool, ScanReport, ToolFinding } from '../../../src-shared/domain/security.ts';
import { severityRank } from '../../../src-shared/domain/severity.ts';

export interface SignalRow {
  key: string;
  tool: ScannedTool;
  finding: ToolFinding;
}

/** The findings of a scan as rows: open before accepted, then by severity. */
export function signalRows(
  report: ScanReport,
  { search, showAccepted }: { search: string; showAccepted: boolean },
): SignalRow[] {
  const wanted = search.trim().toLowerCase();
  return report.tools
    .flatMap((tool) =>
      tool.findings.map((finding, index) => ({
        key: `${finding.fingerprint} ${index}`,
        tool,
        finding,
      })),
    )
    .filter(({ finding }) => showAccepted || finding.accepted === null)
    .filter(({ finding }) =>
      `${finding.server}:${finding.tool} ${finding.detector} ${finding.why} ${finding.text}`
        .toLowerCase()
        .includes(wanted),
    )
    .sort(
      (a, b) =>
        Number(a.finding.accepted !== null) - Number(b.finding.accepted !== null) ||
        severityRank[b.finding.severity] - severityRank[a.finding.severity],
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
