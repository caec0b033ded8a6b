import { z } from 'zod';
import { gateMetrics, plainGateMetrics } from '../../../../src-shared/domain/gate.ts';
import { estimate, type Estimate } from '../../../../src-shared/domain/metrics.ts';
import type { GateNumbers } from '../../../../src-shared/metrics/gates.ts';
import { UsageError } from '../exitCodes.ts';

/** The numbers of a report by name: `selection_f1`, `recall_at.5`, `mrr`. Null means not defined. */
export type ReportNumbers = Map<string, number | null>;

const rate = estimate.partial({ low: true, high: true, n: true });
const reportShape = z.looseObject({
  metrics: z.record(z.string(), z.unknown()).optional(),
  tolerance: z.record(z.string(), z.number()).optional(),
});
/** A JSON report of another command, or a baseline. */
export type Report = z.infer<typeof reportShape>;

const howToWriteOne = 'Give what --report FILE.json has written or --json has printed.';

/** Reads the numbers of a report. Throws a UsageError if it has another form, or has none. */
export function readReport(document: unknown, file: string): Report {
  const read = reportShape.safeParse(document);
  if (!read.success)
    throw new UsageError(
      `${file}: It isn't a report: ${read.error.issues[0]?.path.join('.') ?? ''} ` +
        `${read.error.issues[0]?.message ?? ''} ${howToWriteOne}`,
    );
  if (numbersOf(read.data).size === 0)
    throw new UsageError(`${file}: It isn't a report: it holds no metrics. ${howToWriteOne}`);
  return read.data;
}

/**
 * Every number in a report's `metrics`, or at its top level, where retrieval baselines have them.
 */
export function numbersOf(report: Report): ReportNumbers {
  const numbers: ReportNumbers = new Map();
  const collect = (value: unknown, name: string): void => {
    if (typeof value === 'number' || value === null) {
      numbers.set(name, value);
      return;
    }
    const known = rate.safeParse(value);
    if (known.success) numbers.set(name, known.data.value);
    else if (typeof value === 'object' && !Array.isArray(value))
      for (const [key, inner] of Object.entries(value)) collect(inner, `${name}.${key}`);
  };
  const { metrics, tolerance: _tolerance, ...top } = report;
  for (const [name, value] of Object.entries(metrics ?? top))
    if (metrics || typeof value !== 'string') collect(value, name);
  return numbers;
}

/**
 * The numbers that thresholds compare, from a report of `eval`, `rescore` or `metrics`. Missing
 * ones are undefined.
 */
export function gateNumbersOf(report: Report): GateNumbers {
  const at = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>(
        (value, key) =>
          typeof value === 'object' && value !== null
            ? (value as Record<string, unknown>)[key]
            : undefined,
        report,
      );
  const rates = gateMetrics.map((name) => {
    const known = estimate.safeParse(at(`metrics.${name}`));
    return [name, known.success ? known.data : null] as const satisfies readonly [
      string,
      Estimate | null,
    ];
  });
  const plain = plainGateMetrics.map((name) => {
    const value = at(name);
    return [name, typeof value === 'number' ? value : null] as const;
  });
  return Object.fromEntries([...rates, ...plain]) as GateNumbers;
}
