import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Proposals, ProposedCase } from '../../../src-shared/contract/suites.ts';
import type { ExpectedCall } from '../../../src-shared/domain/testCase.ts';

/** A proposal that is neither accepted nor dropped, with its query as edited. */
export interface OpenProposal {
  index: number;
  proposed: ProposedCase;
  query: string;
}

/** A proposal as a person accepts it. */
export type AcceptedCase = ProposedCase & { edited: boolean };

const withCalls = (proposed: ProposedCase, calls: ExpectedCall[] | undefined): ProposedCase =>
  calls === undefined
    ? proposed
    : {
        ...proposed,
        kind: calls.length === 0 ? 'no tool' : 'right tool',
        content: { ...proposed.content, expectedCalls: calls },
      };

/** What the parts of a review need of it. */
export type Review = Pick<
  ReturnType<typeof useReview<never, Proposals, unknown>>,
  'open' | 'setQuery' | 'setCalls' | 'acceptAll' | 'drop'
> &
  Record<'propose' | 'accept', { isPending: boolean; error: unknown }> & {
    propose: { data: Proposals | undefined };
  };

/** Proposals while a person reviews them. Nothing is written before they are accepted. */
export function useReview<Request, Made extends Proposals, Done>(
  make: (request: Request) => Promise<Made>,
  keep: (cases: AcceptedCase[], made: Made) => Promise<Done>,
  onKept: (done: Done) => Promise<void>,
) {
  const [typed, setTyped] = useState<Record<number, string>>({});
  const [corrected, setCorrected] = useState<Record<number, ExpectedCall[]>>({});
  const [decided, setDecided] = useState<ReadonlySet<number>>(new Set());
  const drop = (indexes: readonly number[]): void =>
    setDecided((before) => new Set([...before, ...indexes]));
  const propose = useMutation({
    mutationFn: make,
    onSuccess: () => {
      setTyped({});
      setCorrected({});
      setDecided(new Set());
    },
  });
  const open: OpenProposal[] = (propose.data?.cases ?? [])
    .map((proposed, index) => ({
      index,
      proposed: withCalls(proposed, corrected[index]),
      query: typed[index] ?? proposed.content.query,
    }))
    .filter(({ index }) => !decided.has(index));
  const accept = useMutation({
    mutationFn: (chosen: readonly OpenProposal[]) => {
      if (propose.data === undefined) throw new Error('There are no proposals.');
      return keep(
        chosen.map(({ index, proposed, query }) => ({
          ...proposed,
          content: { ...proposed.content, query },
          edited: query !== proposed.content.query || corrected[index] !== undefined,
        })),
        propose.data,
      );
    },
    onSuccess: async (done, chosen) => {
      drop(chosen.map(({ index }) => index));
      await onKept(done);
    },
  });
  return {
    propose,
    accept,
    open,
    setQuery: (index: number, query: string): void =>
      setTyped((before) => ({ ...before, [index]: query })),
    /** What a person says is right, in place of what was proposed. */
    setCalls: (index: number, calls: ExpectedCall[]): void =>
      setCorrected((before) => ({ ...before, [index]: calls })),
    acceptAll: (indexes: readonly number[]): void => {
      const chosen = open.filter(
        ({ index, query }) => indexes.includes(index) && query.trim() !== '',
      );
      if (chosen.length > 0) accept.mutate(chosen);
    },
    drop,
  };
}
