import { severityRank } from '../domain/severity.ts';
import { toolFindingKinds, type ToolPageFinding } from '../domain/toolPage.ts';

/** A finding at one place, before those of the same rule become one. */
export type FoundAt = Omit<ToolPageFinding, 'inFix'> & { place: string };

/**
 * The findings of a tool in one list: those of one kind and rule are one finding, which says how
 * often it applies, has the most severe severity, and adds up the failures. The order is by
 * severity, the most severe first, then by failures, the most first, then by kind (signals, failing
 * requests, quality, similar tools, tokens) and in the given order.
 *
 * @param remaining what would be found with the proven candidate; null without one. A finding is in
 *   the fix if none of its places is found then.
 */
export function orderFindings(
  found: readonly FoundAt[],
  remaining: readonly FoundAt[] | null,
): ToolPageFinding[] {
  const keyOf = ({ kind, rule }: FoundAt): string => `${kind} ${rule}`;
  const left = new Set(remaining?.map(keyOf));
  const groups = new Map<string, FoundAt[]>();
  for (const one of found) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  const merged = [...groups.values()].flatMap((group): ToolPageFinding[] => {
    const [first] = [...group].sort((a, b) => severityRank[b.severity] - severityRank[a.severity]);
    if (first === undefined) return [];
    const { place: _place, ...finding } = first;
    const more = group.length - 1;
    return [
      {
        ...finding,
        title: more === 0 ? finding.title : `${finding.title} (+${more} more)`,
        failed: group.reduce((sum, { failed }) => sum + failed, 0),
        inFix: remaining !== null && !left.has(keyOf(first)),
      },
    ];
  });
  return merged.sort(
    (a, b) =>
      severityRank[b.severity] - severityRank[a.severity] ||
      b.failed - a.failed ||
      toolFindingKinds.indexOf(a.kind) - toolFindingKinds.indexOf(b.kind),
  );
}
