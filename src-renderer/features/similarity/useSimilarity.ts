import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { PairScope } from '../../../src-shared/contract/similarity.ts';
import { useApi, useServerScope, useStoredToolsLine } from '../../api/index.ts';
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
  const { client, queries } = useApi();
  const work = useSimilarityWork();
  const servers = useQuery(queries.servers.list.queryOptions());
  const settings = useQuery(queries.settings.get.queryOptions());
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
    compare: (next: AnalyseInput): void => {
      void startAnalysis(client, next, { basis, chosen: true });
    },
    cancel: cancelAnalysis,
  };
}

/** Pairs of an analysis by descending score. No threshold is part of the request. */
export function usePairs(id: string, filter: { scope: PairScope; search: string }) {
  const { queries } = useApi();
  return useQuery(
    queries.similarity.pairs.queryOptions({
      input: { id, ...filter },
      placeholderData: keepPreviousData,
      staleTime: Infinity,
    }),
  );
}

/** The scores of all pairs, for the map. A new threshold repaints them without a request. */
export function useMatrix(id: string) {
  const { queries } = useApi();
  return useQuery(
    queries.similarity.matrix.queryOptions({
      input: { id },
      placeholderData: keepPreviousData,
      staleTime: Infinity,
    }),
  );
}

export function usePair(id: string, a: number, b: number) {
  const { queries } = useApi();
  return useQuery(queries.similarity.pair.queryOptions({ input: { id, a, b } }));
}
