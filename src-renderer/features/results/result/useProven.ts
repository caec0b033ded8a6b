import { useQuery } from '@tanstack/react-query';
import type { Candidate } from '../../../../src-shared/domain/candidate.ts';
import { useApi } from '../../../api/index.ts';

/** The proven fixes that wait for being applied, by tool: the newest of each. */
export function useProven(): ReadonlyMap<string, Candidate> {
  const { queries } = useApi();
  const { data = [] } = useQuery(queries.candidates.proven.queryOptions());
  return new Map(data.toReversed().map((one) => [one.toolId, one]));
}
