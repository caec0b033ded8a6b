import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useAddress } from '../../../ui/frame/useAddress.ts';
import type { Candidate } from '../../../../src-shared/domain/candidate.ts';
import { isEmptyText, type TextEdit } from '../../../../src-shared/domain/textEdit.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { useConsent } from '../../results/new/useConsent.tsx';
import { sameEdits, textWith, withText } from './fixEdits.ts';

/** How long after the last key the edits are checked. */
const checkDelayMs = 400;
/** How often a running estimate or proof is looked after. */
const pollMs = 500;

export const isRunning = ({ state }: Pick<Candidate, 'state'>): boolean =>
  state === 'searching' || state === 'proving';

/** Whether a candidate belongs to the result that it was tried on. A draft can be tried on any. */
const isTried = ({ state, search }: Candidate): boolean => state !== 'draft' || search !== null;

/** The edits of a tool with everything that can be done with them, with or without a result. */
export function useFix(toolId: string) {
  const { client, queries, reread } = useApi();
  const [params, go] = useAddress();
  const [edits, setEdits] = useState<readonly TextEdit[]>([]);
  const [source, setSource] = useState<Candidate['source']>('hand');
  const wanted = params.get('candidate');

  const list = useRead((ask) => ask.candidates.list, {
    input: { toolId },
    refetchInterval: (query) => (query.state.data?.some(isRunning) === true ? pollMs : false),
  });
  const candidates = list.data ?? [];
  const chosen = candidates.find(({ id }) => id === wanted) ?? null;
  const current = chosen !== null && sameEdits(chosen.edits, edits) ? chosen : null;
  useEffect(() => {
    if (chosen !== null) setEdits(chosen.edits);
    // Only when another candidate is opened: later changes of the list must not undo edits.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [chosen?.id]);

  // What was tried is shown on the result and with the model that it was tried on.
  const tried = current !== null && isTried(current) ? current : null;
  const subject = useRead((ask) => ask.candidates.subject, {
    input: {
      toolId,
      evaluationId: tried?.baseEvaluationId ?? params.get('result'),
      modelSettingsId: tried?.modelSettingsId ?? params.get('model'),
    },
    enabled: list.data !== undefined,
    placeholderData: keepPreviousData,
  });
  const result = subject.data?.result ?? null;
  const target = {
    evaluationId: result?.evaluationId ?? null,
    modelSettingsId: result?.modelSettingsId ?? null,
    toolId,
  };

  const estimatedId = current?.search == null ? null : current.id;
  const problem = useRead((ask) => ask.candidates.problem, {
    input: { ...target, evaluationId: target.evaluationId ?? '', candidateId: estimatedId },
    enabled: target.evaluationId !== null,
    placeholderData: keepPreviousData,
  });
  const consent = useConsent(problem.data?.execution);
  const [settled] = useDebouncedValue(edits, checkDelayMs);
  const check = useRead((ask) => ask.candidates.check, {
    input: { ...target, edits: [...settled] },
    // Without a result, nothing else says what is advised for the texts as they are.
    enabled:
      settled.length > 0
        ? subject.data !== undefined
        : result === null && (subject.data?.offered ?? null) !== null,
    placeholderData: keepPreviousData,
  });

  /** The texts that are edited: those of the result, else what the server offers now. */
  const tool =
    result === null ? (subject.data?.offered ?? undefined) : (problem.data?.tool ?? undefined);
  const given = params.get('text');
  useEffect(() => {
    if (given === null || tool === undefined) return;
    const path = params.get('path') ?? '/description';
    setEdits(withText([], { toolId, tool, path, text: given }));
    setSource(params.get('source') === 'model' ? 'model' : 'rule');
    go({ text: null, path: null, source: null });
  }, [given, tool, toolId, params, go]);

  const refresh = async (): Promise<void> => {
    await reread(queries.candidates);
  };
  const open = (candidate: string | null): void => go({ candidate });
  /** The candidate with the edits as they are, which is saved if there is none. */
  const saved = async (): Promise<Candidate> =>
    (current !== null && (isTried(current) || current.baseEvaluationId === target.evaluationId)
      ? current
      : undefined) ??
    candidates.find(
      (one) =>
        sameEdits(one.edits, edits) &&
        one.baseEvaluationId === target.evaluationId &&
        one.modelSettingsId === target.modelSettingsId,
    ) ??
    (await client.candidates.add({ ...target, edits: [...edits], source }));
  const run = useMutation({
    mutationFn: async (step: 'search' | 'prove') => {
      const one = await saved();
      // Texts that were estimated before: their estimate is there.
      if (step === 'prove' || one.search === null || one === current)
        await client.candidates[step]({ id: one.id, ...consent.agreed });
      return one.id;
    },
    onSuccess: open,
    onSettled: refresh,
  });
  /** Keeps the edits as a candidate, so that nothing is lost on another page; its id. */
  const keep = useMutation({
    mutationFn: async () => (edits.length === 0 ? null : (await saved()).id),
    onSuccess: (id) => {
      if (id !== null) open(id);
    },
    onSettled: refresh,
  });
  /** What is said of the texts in the editor; of those without edits until the check answers. */
  const said = (settled.length > 0 || result === null ? check.data : undefined) ?? problem.data;
  return {
    target,
    subject,
    result,
    tool,
    problem,
    consent,
    list,
    check: settled.length > 0 ? check : null,
    /** What the texts in the editor don't follow yet. */
    advice: said?.advice ?? [],
    /** What their description lacks that says nothing; null if it says something. */
    missingText: said?.missingText ?? null,
    /** What the author has to write in place of an empty description; null if it has words. */
    toWrite:
      tool !== undefined && isEmptyText(textWith(edits, { toolId, tool, path: '/description' }))
        ? (said?.toWrite ?? '')
        : null,
    edits,
    candidates,
    current,
    run,
    keep,
    refresh,
    open,
    go,
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
