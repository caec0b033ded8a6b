import { useQuery } from '@tanstack/react-query';
import type { SentToolsOfModel } from '../../../../../src-shared/domain/sentTools.ts';
import { useApi } from '../../../../api/index.ts';
import { SentToolsOfModels } from '../../SentToolsList.tsx';

/** What models were sent otherwise than servers said. Read again once the tools are frozen. */
export function useSentTools(
  id: string,
  snapshotId: string | null,
): readonly SentToolsOfModel[] | undefined {
  const { client, queries } = useApi();
  const sent = useQuery({
    queryKey: [...queries.evaluations.sentTools.queryKey({ input: { id } }), snapshotId],
    queryFn: () => client.evaluations.sentTools({ id }),
    enabled: snapshotId !== null,
    staleTime: Infinity,
  });
  return sent.data;
}

/** What decides about runs: tools that a model wasn't offered, and keywords that can't be read. */
export function SentToolsNotice({ accounts }: { accounts: readonly SentToolsOfModel[] }) {
  const deciding = accounts.filter(
    ({ leftOut, unreadable }) => leftOut.length + unreadable.length > 0,
  );
  return <SentToolsOfModels accounts={deciding} />;
}
