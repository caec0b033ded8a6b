import { z } from 'zod';
import { formatExact } from '../../../../src-shared/display/numbers.ts';
import type { Threshold } from '../../../../src-shared/domain/gate.ts';
import { UsageError } from '../exitCodes.ts';
import { normalizedName } from '../input/gateOptions.ts';
import { judgeThresholds, type Judged } from '../input/thresholds.ts';
import { gateNumbersOf, numbersOf, type Report } from './gateReport.ts';

/** Tolerance for the rounding of stored numbers. */
const roundingTolerance = 1e-9;

/** Reports of which only the numbers are known, and what they are held against. */
export interface NumbersToJudge {
  report: Report;
  baseline: Report | null;
  tolerances: readonly (readonly [string, number])[];
  thresholds: readonly Threshold[];
  allowFailed: number;
}

export function judgeNumbers({
  report,
  baseline,
  tolerances,
  thresholds,
  allowFailed,
}: NumbersToJudge): Judged {
  const judged = judgeThresholds(gateNumbersOf(report), thresholds);
  if (baseline !== null) {
    const against = judgeBaseline(report, baseline, tolerances);
    judged.failed.push(...against.failed);
    judged.notDecided.push(...against.notDecided);
  }
  const unscored = unscoredRuns(report);
  if (unscored > allowFailed) judged.notDecided.push(`${unscored} runs are not scored`);
  return judged;
}

/** What both must have in common, as far as both have it. */
const identity = ['corpus_version', 'golden_version', 'suite', 'provider', 'model'] as const;

function rejectOtherSubject(report: Report, baseline: Report): void {
  for (const field of identity) {
    const [reported, before] = [report[field], baseline[field]];
    if (typeof reported === 'string' && typeof before === 'string' && reported !== before)
      throw new UsageError(
        `gate: The ${field.replace('_', ' ')} differs (${reported}, ${before}). Make a baseline ` +
          `of the same ${field.split('_')[1] ?? field}.`,
      );
  }
  const [now, before] = [countOf(report, 'total'), countOf(baseline, 'total')];
  if (now !== null && before !== null && now !== before)
    throw new UsageError(
      `gate: The report has ${now} runs and the baseline ${before}, so they can't be compared. ` +
        'Make a baseline of the same cases.',
    );
}

function judgeBaseline(
  report: Report,
  baseline: Report,
  given: readonly (readonly [string, number])[],
): Judged {
  rejectOtherSubject(report, baseline);
  const [now, before] = [numbersOf(report), numbersOf(baseline)];
  const wanted = [...Object.entries(baseline.tolerance ?? {}), ...given];
  const tolerances = new Map(wanted.map(([name, value]) => [normalizedName(name), value]));
  const names = new Map([...before.keys()].map((name) => [normalizedName(name), name]));
  const unknown = [...tolerances.keys()].find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new UsageError(
      'gate: The baseline has no metric ' +
        `${wanted.find(([name]) => normalizedName(name) === unknown)?.[0] ?? unknown}. It has ` +
        `${[...before.keys()].slice(0, 20).join(', ')}.`,
    );
  if (tolerances.size === 0)
    throw new UsageError(
      'gate: The reports list no runs, so chance and change look alike. Give --tolerance ' +
        'METRIC=NUMBER, or reports that eval --report FILE.json has written.',
    );
  const judged: Judged = { failed: [], notDecided: [] };
  for (const [plain, tolerance] of tolerances) {
    const name = names.get(plain) ?? plain;
    const [baselineValue, value] = [before.get(name) ?? null, now.get(name) ?? null];
    if (baselineValue === null || value === null)
      judged.notDecided.push(
        `${name} is not defined in ${baselineValue === null ? 'the baseline' : 'the report'}`,
      );
    else if (baselineValue - value > tolerance + roundingTolerance)
      judged.failed.push(
        `${name} fell from ${formatExact(baselineValue)} to ${formatExact(value)}, by more ` +
          `than ${tolerance}`,
      );
  }
  return judged;
}

function countOf(report: Report, name: 'failed' | 'open' | 'total'): number | null {
  const counts = report['counts'];
  const value =
    typeof counts === 'object' && counts !== null
      ? (counts as Record<string, unknown>)[name]
      : undefined;
  return typeof value === 'number' ? value : null;
}

const unscoredOutcomes = z.looseObject({
  outcomes: z.looseObject({ not_scored: z.int(), not_run: z.int() }),
});

/** Answers that no schema could decide are in no count but in the outcomes. */
function unscoredRuns(report: Report): number {
  const found = unscoredOutcomes.safeParse(report['verdict']);
  if (!found.success) return (countOf(report, 'failed') ?? 0) + (countOf(report, 'open') ?? 0);
  const { not_scored: unscored, not_run: open } = found.data.outcomes;
  return unscored + open;
}
