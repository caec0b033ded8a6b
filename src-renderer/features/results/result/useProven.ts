import type { Candidate } from '../../../../src-shared/domain/candidate.ts';
import { useRead } from '../../../api/index.ts';

/** The proven fixes that wait for being applied, by tool: the newest of each. */
export function useProven(): ReadonlyMap<string, Candidate> {
  const { data = [] } = useRead((ask) => ask.candidates.proven);
  return new Map(data.toReversed().map((one) => [one.toolId, one]));
}
