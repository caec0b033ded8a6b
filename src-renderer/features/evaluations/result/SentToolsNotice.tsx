import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/index.ts';
import { SentToolsOfModels } from '../SentToolsList.tsx';

/** What models were sent otherwise than servers said. Read again once the tools are frozen. */
export function SentToolsNotice({ id, snapshotId }: { id: string; snapshotId: string | null }) {
  const { client, queries } = useApi();
  const sent = useQuery({
    queryKey: [...queries.evaluations.sentTools.queryKey({ input: { id } }), snapshotId],
    queryFn: () => client.evaluations.sentTools({ id }),
    enabled: snapshotId !== null,
    staleTime: Infinity,
  });
  return sent.data === undefined ? null : <SentToolsOfModels accounts={sent.data} />;
}
