import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Candidate } from '../../../../src-shared/domain/candidate.ts';
import type { TextEdit } from '../../../../src-shared/domain/textEdit.ts';
import { useApi } from '../../../api/index.ts';
import { useConsent } from '../../results/new/useConsent.tsx';
import { sameEdits, withText } from './fixEdits.ts';

/** How long after the last key the edits are checked. */
const checkDelayMs = 400;
/** How often a running estimate or proof is looked after. */
const pollMs = 500;

export const isRunning = ({ state }: Candidate): boolean =>
  state === 'searching' || state === 'proving';

/** The edits of a tool with everything that can be done with them. */
export function useFix(evaluationId: string, toolId: string) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [params, setParams] = useSearchParams();
  const [edits, setEdits] = useState<readonly TextEdit[]>([]);
  const [source, setSource] = useState<Candidate['source']>('hand');
  const target = { evaluationId, modelSettingsId: params.get('model'), toolId };
  const wanted = params.get('candidate');

  const list = useQuery(
    queries.candidates.list.queryOptions({
      input: { evaluationId },
      refetchInterval: (query) => (query.state.data?.some(isRunning) === true ? pollMs : false),
    }),
  );
  const candidates = (list.data ?? []).filter(
    (one) =>
      one.toolId === toolId &&
      (target.modelSettingsId === null || one.modelSettingsId === target.modelSettingsId),
  );
  const chosen = candidates.find(({ id }) => id === wanted) ?? null;
  const current = chosen !== null && sameEdits(chosen.edits, edits) ? chosen : null;
  useEffect(() => {
    if (chosen !== null) setEdits(chosen.edits);
    // Only when another candidate is opened: later changes of the list must not undo edits.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [chosen?.id]);

  const estimatedId = current?.search == null ? null : current.id;
  const problem = useQuery(
    queries.candidates.problem.queryOptions({
      input: { ...target, candidateId: estimatedId },
      placeholderData: keepPreviousData,
    }),
  );
  const consent = useConsent(problem.data?.execution);
  const [settled] = useDebouncedValue(edits, checkDelayMs);
  const check = useQuery(
    queries.candidates.check.queryOptions({
      input: { ...target, edits: [...settled] },
      enabled: settled.length > 0,
      placeholderData: keepPreviousData,
    }),
  );

  const tool = problem.data?.tool;
  const given = params.get('description');
  useEffect(() => {
    if (given === null || tool === undefined) return;
    setEdits(withText([], { toolId, tool, path: '/description', text: given }));
    setSource(params.get('source') === 'model' ? 'model' : 'rule');
    setParams(
      (before) => {
        const { description: _given, source: _source, ...rest } = Object.fromEntries(before);
        return rest;
      },
      { replace: true },
    );
  }, [given, tool, toolId, params, setParams]);

  const refresh = async (): Promise<void> => {
    await cache.invalidateQueries({ queryKey: queries.candidates.key() });
  };
  const open = (candidate: string | null): void => {
    setParams(
      (before) => {
        const { candidate: _old, ...rest } = Object.fromEntries(before);
        return candidate === null ? rest : { ...rest, candidate };
      },
      { replace: true },
    );
  };
  /** The candidate with the edits as they are, which is saved if there is none. */
  const saved = async (): Promise<Candidate> =>
    current ??
    candidates.find((one) => sameEdits(one.edits, edits)) ??
    (await client.candidates.add({ ...target, edits: [...edits], source }));
  const run = useMutation({
    mutationFn: async (step: 'search' | 'prove') => {
      const one = await saved();
      // Texts that were estimated before: their estimate is there.
      if (step === 'prove' || one.search === null || one === current)
        await client.candidates[step]({ id: one.id, agreedServers: consent.agreedServers });
      return one.id;
    },
    onSuccess: open,
    onSettled: refresh,
  });
  return {
    target,
    problem,
    consent,
    list,
    check: settled.length > 0 ? check : null,
    edits,
    candidates,
    current,
    run,
    refresh,
    open,
    edit: (changed: readonly TextEdit[], by: Candidate['source'] = 'hand') => {
      setEdits(changed);
      setSource(by);
    },
    discard: () => {
      setEdits([]);
      open(null);
    },
  };
}

export type Fix = ReturnType<typeof useFix>;
