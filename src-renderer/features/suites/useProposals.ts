import { useQueryClient } from '@tanstack/react-query';
import type { ProposedCase } from '../../../src-shared/contract/suites.ts';
import type { ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { useApi } from '../../api/index.ts';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { counted } from '../../ui/text/words.ts';
import { useReview } from './useReview.ts';

/** What to make proposals of. */
export interface ProposalRequest {
  servers: string[];
  /** All tools of the servers if empty. */
  tools: string[];
  kinds: ProposedCase['kind'][];
  /** Null for the built-in templates. */
  model: ModelConfiguration | null;
}

/** Proposals for the tools of a suite, which become its cases. */
export function useProposals(suiteId: string) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  return useReview(
    ({ servers, tools, kinds, model }: ProposalRequest) =>
      client.suites.proposeCases({
        suiteId,
        servers,
        ...(tools.length > 0 ? { tools } : {}),
        kinds,
        model,
      }),
    (cases, { madeBy }) => client.suites.acceptProposals({ suiteId, madeBy, cases }),
    async (made) => {
      await cache.invalidateQueries({ queryKey: queries.suites.key() });
      showDone(`Added ${counted(made.length, 'case')} to the suite.`);
    },
  );
}
