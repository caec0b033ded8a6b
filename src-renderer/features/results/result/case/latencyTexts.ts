import type { ModelLatency } from '../../../../../src-shared/domain/analysis.ts';
import { latencyEdges } from '../../../../../src-shared/metrics/latencyHistogram.ts';
import { formatCount, formatDuration } from '../../../../ui/estimate/format.ts';

/** p50 and p95 as a sentence; with several models, the one with the lowest median. */
export function latencyFinding(
  models: readonly Pick<ModelLatency, 'modelSettingsId' | 'p50' | 'p95'>[],
  nameOf: (modelSettingsId: string) => string,
): string {
  const [fastest] = models.toSorted((a, b) => (a.p50 ?? Infinity) - (b.p50 ?? Infinity));
  if (!fastest) return 'No answer was timed';
  const times = `p50 ${formatDuration(fastest.p50)}, p95 ${formatDuration(fastest.p95)}`;
  return models.length === 1
    ? `Half of the answers took ${formatDuration(fastest.p50)} or less, 95% took ${formatDuration(fastest.p95)} or less`
    : `${nameOf(fastest.modelSettingsId)} is the fastest (${times})`;
}

/** A bin edge: `500 ms`, `2 s`, `1 min`. */
function edgeText(milliseconds: number): string {
  if (milliseconds < 1000) return `${formatCount(milliseconds)} ms`;
  return `${formatCount(milliseconds / 1000)} s`;
}

/** The bins from the first to the last one with a value, with their labels. */
export function shownBins(
  models: readonly Pick<ModelLatency, 'counts'>[],
): { at: number; label: string }[] {
  const filled = latencyEdges.flatMap((_, at) =>
    models.some(({ counts }) => (counts[at] ?? 0) > 0) ? [at] : [],
  );
  const [first, last] = [filled[0], filled.at(-1)];
  if (first === undefined || last === undefined) return [];
  return latencyEdges.slice(first, last + 1).map((from, index) => {
    const at = first + index;
    const to = latencyEdges[at + 1];
    if (to === undefined) return { at, label: `${edgeText(from)} or more` };
    if (from === 0) return { at, label: `under ${edgeText(to)}` };
    const sameUnit = from >= 1000 || to < 1000;
    const start = sameUnit ? edgeText(from).split(' ')[0] : edgeText(from);
    return { at, label: `${start ?? ''}–${edgeText(to)}` };
  });
}
