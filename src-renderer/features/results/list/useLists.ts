import { useRead, whileRunning } from '../../../api/index.ts';

const pollMs = 1500;

/** The newest evaluations of cases with what was derived from them, read again while one runs. */
export function useCaseList(limit: number, ms = pollMs, enabled = true) {
  return useRead((ask) => ask.evaluations.list, {
    input: { limit },
    enabled,
    refetchInterval: whileRunning(ms),
  });
}

/** The newest evaluations of tasks, or the what-ifs of one. */
export function useTaskList(limit: number, baseId: string | null = null, enabled = true) {
  return useRead((ask) => ask.evaluations.list, {
    input: { unit: 'task', limit, baseId },
    enabled,
    refetchInterval: whileRunning(pollMs),
  });
}
