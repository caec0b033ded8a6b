import type { draftKinds } from '../../../src-shared/contract/suites.ts';

export type ProposalKind = (typeof draftKinds)[number];

export const proposalKinds: Readonly<Record<ProposalKind, { label: string; hint: string }>> = {
  'right tool': { label: 'Needs the tool', hint: 'A request that the tool should answer.' },
  'near neighbor': {
    label: 'Excludes a similar tool',
    hint: 'A request for the tool that rules out what the most similar tool does.',
  },
  'no tool': {
    label: 'Needs no tool',
    hint: 'A question about the same topic that should call no tool.',
  },
};
