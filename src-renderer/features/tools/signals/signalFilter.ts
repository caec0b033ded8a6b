import type { SignalGroup } from '../../../../src-shared/display/signalGroups.ts';
import { detectorLabel, subjectName } from '../../../../src-shared/display/signalTexts.ts';

export interface SignalFilter {
  severities: readonly string[];
  detector: string | null;
  server: string | null;
  search: string;
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
