import type { ServerReliability } from '../domain/toolReliability.ts';
import {
  counted,
  formatCount,
  formatDuration,
  formatPercent,
  NOT_DEFINED,
  percentInterval,
} from './numbers.ts';

export const reliabilityHeads = [
  ...['Tool', 'Calls', 'Errors', 'No answer', 'Crashes', 'Failed'],
  ...['Latency p50', 'p95', 'p99'],
] as const;

/** What it is counted over: "64 runs of 3 evaluations". */
export const reliabilityScope = ({ runs, evaluations }: ServerReliability): string =>
  `${counted(runs, 'run')} of ${counted(evaluations, 'evaluation')}, without faults on purpose`;

const time = (ms: number | null): string => (ms === null ? NOT_DEFINED : formatDuration(ms));

/** A row of text for each tool, under these heads. */
export const reliabilityRows = ({ tools }: ServerReliability): string[][] =>
  tools.map(({ tool, calls, errors, noAnswer, crashes, failureRate, p50Ms, p95Ms, p99Ms }) => [
    tool,
    ...[calls, errors, noAnswer, crashes].map(formatCount),
    failureRate.value === null
      ? NOT_DEFINED
      : `${formatPercent(failureRate.value)} (${percentInterval(failureRate)})`,
    ...[p50Ms, p95Ms, p99Ms].map(time),
  ]);
