import type { Candidate } from '../../../../src-shared/domain/candidate.ts';
import { useApi, useRead } from '../../../api/index.ts';

/** The proven fixes that wait for being applied, by tool: the newest of each. */
export function useProven(): ReadonlyMap<string, Candidate> {
  const { queries } = useApi();
  const { data = [] } = useRead(queries.candidates.proven);
  return new Map(data.toReversed().map((one) => [one.toolId, one]));
}
