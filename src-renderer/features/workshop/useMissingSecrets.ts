import { useQuery } from '@tanstack/react-query';
import type { ManagedTool } from '../../../src-shared/domain/workshop.ts';
import { useApi } from '../../api/index.ts';

/** How many secrets of the saved tool have no value. */
export function useMissingSecrets(tool: ManagedTool | null): number {
  const { queries } = useApi();
  const { data = [] } = useQuery({
    ...queries.workshop.secrets.queryOptions({ input: { id: tool?.id ?? '' } }),
    enabled: tool !== null,
  });
  return data.filter(({ status }) => status === 'not set').length;
}
