import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Proposals, ProposedCase } from '../../../src-shared/contract/suites.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { useApi } from '../../api/index.ts';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { counted } from '../../ui/text/words.ts';

/** What to make proposals of. */
export interface ProposalRequest {
  servers: string[];
  /** All tools of the servers if empty. */
  tools: string[];
  kinds: ProposedCase['kind'][];
  /** Null for the built-in templates. */
  model: ModelConfiguration | null;
}

/** A proposal that is neither accepted nor dropped, with its query as edited. */
export interface OpenProposal {
  index: number;
  proposed: ProposedCase;
  query: string;
}

/** Proposals of a suite while a person reviews them. Nothing is written before they are accepted. */
export function useProposals(suiteId: string) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [typed, setTyped] = useState<Record<number, string>>({});
  const [decided, setDecided] = useState<ReadonlySet<number>>(new Set());
  const decide = (indexes: readonly number[]): void => {
    setDecided((before) => new Set([...before, ...indexes]));
  };
  const propose = useMutation({
    mutationFn: ({ servers, tools, kinds, model }: ProposalRequest): Promise<Proposals> =>
      client.suites.proposeCases({
        suiteId,
        servers,
        ...(tools.length > 0 ? { tools } : {}),
        kinds,
        model,
      }),
    onSuccess: () => {
      setTyped({});
      setDecided(new Set());
    },
  });
  const open: OpenProposal[] = (propose.data?.cases ?? [])
    .map((proposed, index) => ({ index, proposed, query: typed[index] ?? proposed.content.query }))
    .filter(({ index }) => !decided.has(index));
  const accept = useMutation({
    mutationFn: (chosen: readonly OpenProposal[]) =>
      client.suites.acceptProposals({
        suiteId,
        madeBy: propose.data?.madeBy ?? 'template',
        cases: chosen.map(({ proposed, query }) => ({
          ...proposed,
          content: { ...proposed.content, query },
          edited: query !== proposed.content.query,
        })),
      }),
    onSuccess: async (made, chosen) => {
      decide(chosen.map(({ index }) => index));
      await cache.invalidateQueries({ queryKey: queries.suites.key() });
      showDone(`Added ${counted(made.length, 'case')} to the suite.`);
    },
  });
  return {
    propose,
    accept,
    open,
    setQuery: (index: number, query: string): void => {
      setTyped((before) => ({ ...before, [index]: query }));
    },
    acceptAll: (indexes: readonly number[]): void => {
      const chosen = open.filter(
        ({ index, query }) => indexes.includes(index) && query.trim() !== '',
      );
      if (chosen.length > 0) accept.mutate(chosen);
    },
    drop: decide,
  };
}
