import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { PairScope } from '../../../../src-shared/contract/similarity.ts';
import {
  flaggedTools,
  similarityAdvice,
  similarityHeadline,
} from '../../../../src-shared/display/similarityTexts.ts';
import {
  isFlagged,
  type SimilarityAnalysis,
  type SimilarityPair,
} from '../../../../src-shared/domain/similarity.ts';
import { useApi, useServerScope, useStoredToolsLine, useRead } from '../../../api/index.ts';
import {
  cancelAnalysis,
  startAnalysis,
  useSimilarityWork,
  type AnalyseInput,
} from './similarityWork.ts';

/**
 * The servers and the analysis of their stored tools. Opening the page compares all stored tools,
 * and compares again when a server was listed or the measure or the weights changed since. A server that was never
 * listed is only started when a person asks.
 */
export function useSimilarity() {
  const { client } = useApi();
  const work = useSimilarityWork();
  const servers = useRead((ask) => ask.servers.list);
  const settings = useRead((ask) => ask.settings.get);
  const storedLine = useStoredToolsLine(
    work.analysis === null ? [] : work.analysis.tools.map(({ server }) => server),
  );
  const listed = servers.data ?? [];
  const names = listed.map(({ name }) => name);
  const scope = useServerScope();
  const stored = listed.flatMap(({ id, name, toolCount }) =>
    toolCount === null || scope?.some((server) => server.id === id) === false ? [] : [name],
  );
  const basis = JSON.stringify([
    settings.data?.overlapWeights,
    settings.data?.similarityMeasure,
    scope?.map(({ id }) => id) ?? null,
    listed.map(({ id, name, lastConnectedAt, toolCount }) => [
      id,
      name,
      lastConnectedAt,
      toolCount,
    ]),
  ]);
  const isStale =
    settings.data !== undefined && stored.length > 0 && !work.running && work.basis !== basis;
  const { input } = work;
  useEffect(() => {
    if (!isStale) return;
    const repeated =
      scope === null && input?.input.serverList?.every((name) => names.includes(name)) === true;
    void startAnalysis(client, repeated ? input : { input: { serverList: stored } }, {
      basis,
      chosen: repeated,
    });
    // The names are part of the basis.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [client, isStale, basis]);
  return {
    servers,
    names,
    work,
    storedLine,
    /** Servers that were never listed: comparing their tools starts them. */
    unlisted: listed.flatMap(({ name, toolCount }) => (toolCount === null ? [name] : [])),
    /** True until a comparison has begun that is about to begin by itself. */
    isWaiting: isStale,
    compare: (next: AnalyseInput): void =>
      void startAnalysis(client, next, { basis, chosen: true }),
    cancel: cancelAnalysis,
  };
}

/** Pairs of an analysis by descending score. No threshold is part of the request. */
export function usePairs(id: string | null, filter: { scope: PairScope; search: string }) {
  return useRead((ask) => ask.similarity.pairs, {
    input: { id: id ?? '', ...filter },
    enabled: id !== null,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

/** All listed pairs of an analysis, and what they say in two sentences; null before they are known. */
export function useVerdict(analysis: SimilarityAnalysis | null) {
  const { threshold: chosen } = useSimilarityWork();
  const all = usePairs(analysis?.id ?? null, { scope: 'all', search: '' });
  const confused = usePairs(analysis?.id ?? null, { scope: 'confused', search: '' });
  const ranked = useMemo(() => all.data?.rows ?? [], [all.data]);
  if (analysis === null || all.data === undefined) return { ranked, verdict: null };
  const threshold = chosen ?? analysis.threshold;
  const flagged = countFlagged(ranked, analysis, threshold);
  const counts = {
    flagged,
    tools: flagged > ranked.length ? null : flaggedTools(ranked, threshold),
    confused: confused.data?.total ?? 0,
    findings: analysis.findings.length,
  };
  return {
    ranked,
    verdict: {
      headline: similarityHeadline(counts),
      advice: similarityAdvice(counts, threshold, analysis.measure),
    },
  };
}

/** Exact while the flagged pairs are all in the list; beyond that, to a hundredth. */
function countFlagged(
  ranked: readonly SimilarityPair[],
  { histogram }: SimilarityAnalysis,
  threshold: number,
): number {
  const listed = ranked.filter((pair) => isFlagged(pair, threshold)).length;
  if (listed < ranked.length || ranked.length === 0) return listed;
  return histogram.slice(Math.ceil(threshold * 100 - 1e-9)).reduce((sum, count) => sum + count, 0);
}

/** The scores of all pairs, for the map. A new threshold repaints them without a request. */
export function useMatrix(id: string) {
  return useRead((ask) => ask.similarity.matrix, {
    input: { id },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

export function usePair(id: string, a: number, b: number) {
  return useRead((ask) => ask.similarity.pair, { input: { id, a, b } });
}
