import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { CaseContent } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { showDone, showFailure } from '../../ui/notices/UndoNotice.tsx';

/** Adds a case to a suite and opens it for editing. */
export function useSaveCase(suiteId: string) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (content: CaseContent) => client.suites.createCase({ ...content, suiteId }),
    onError: showFailure,
    onSuccess: async ({ id, name }) => {
      await cache.invalidateQueries({ queryKey: queries.suites.key() });
      showDone(`Saved case “${name}”.`);
      await navigate(`/suites/${suiteId}?case=${id}`);
    },
  });
}
