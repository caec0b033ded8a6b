import type { ServerReliability, ToolReliability } from '../domain/toolReliability.ts';
import { clusteredRatio } from './clusteredInterval.ts';
import { quantileOfSorted } from './quantile.ts';

/** A call that was sent to a server. */
export interface SentCall {
  /** Calls of one run are one cluster: they have the same server process. */
  runId: string;
  tool: string;
  fate: 'answered' | 'error' | 'no_answer' | 'server_ended';
  /** Until the answer, or until the wait ended. */
  durationMs: number;
}

/**
 * What a server did with the calls of each tool, the tool with the highest failure rate first, then by
 * name.
 *
 * - `failureRate` = (errors + calls without an answer + calls during which the server ended) ÷ calls,
 *   0–1, with runs as clusters (`clusteredRatio`); without an interval below five runs.
 * - `p50Ms`, `p95Ms`, `p99Ms`: nearest rank (`quantileOfSorted`) over the time of answered calls, also
 *   of those answered with an error, in milliseconds.
 *
 * Faults on purpose are not among the calls.
 */
export function toolReliabilities(calls: Iterable<SentCall>): ToolReliability[] {
  const byTool = Map.groupBy(calls, ({ tool }) => tool);
  const rows = [...byTool].map(([tool, own]): ToolReliability => {
    const count = (fate: SentCall['fate']) => own.filter((one) => one.fate === fate).length;
    const runs = Map.groupBy(own, ({ runId }) => runId);
    const answered = Float64Array.from(
      own.filter(({ fate }) => fate === 'answered' || fate === 'error'),
      ({ durationMs }) => durationMs,
    ).sort();
    return {
      tool,
      calls: own.length,
      errors: count('error'),
      noAnswer: count('no_answer'),
      crashes: count('server_ended'),
      failureRate: clusteredRatio(
        [...runs.values()].map((ofRun) => ({
          numerator: ofRun.filter(({ fate }) => fate !== 'answered').length,
          denominator: ofRun.length,
        })),
      ),
      p50Ms: quantileOfSorted(answered, 0.5),
      p95Ms: quantileOfSorted(answered, 0.95),
      p99Ms: quantileOfSorted(answered, 0.99),
    };
  });
  return rows.sort(
    (a, b) =>
      (b.failureRate.value ?? 0) - (a.failureRate.value ?? 0) ||
      (a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : 0),
  );
}

/** The same with what it is counted over. */
export function summarizeReliability(
  calls: readonly SentCall[],
  evaluations: number,
): ServerReliability {
  return {
    evaluations,
    runs: new Set(calls.map(({ runId }) => runId)).size,
    tools: toolReliabilities(calls),
  };
}
