import { counted, formatPercent, formatPoints } from '../../../../src-shared/display/numbers.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { visibleLoss, type VisibleLoss } from '../../../../src-shared/metrics/visibleLoss.ts';
import { decidesByTest } from '../../../services/results/judge.ts';
import type { NamedReport } from '../../../services/checks/reportSides.ts';
import type { JudgedBy, References } from '../../../services/checks/judgeReports.ts';

/** What a check could find, before anything is paid. */
export interface CheckPower {
  cases: number;
  passRate: number;
  /** The report that the pass rate is of; null: assumed, because there is no baseline. */
  source: string | null;
  rows: PowerRow[];
}

interface PowerRow {
  repetitions: number;
  /** They are asked only of cases that disagree with the baseline. */
  onlyDisagreeing: boolean;
  loss: VisibleLoss | null;
}

interface PlannedCheck {
  entries: number;
  request: {
    repetitions: number;
    repetitionsUpTo?: number | undefined;
    models: readonly unknown[];
  };
  held: Pick<References, 'baseline' | 'release'>;
}

/** The pass rate of a model that is wrong one time in three. */
const assumedPassRate = 2 / 3;

/**
 * Which loss the paired test would find with this suite and model, as it is and with more
 * repetitions; null where a tolerance decides.
 */
export function checkPower(
  { entries, request, held }: PlannedCheck,
  judgedBy: JudgedBy,
): CheckPower | null {
  if (!decidesByTest(judgedBy)) return null;
  const { baseline, release } = held;
  const source = baseline ?? release;
  const metrics = source?.report.metrics;
  const measured = (metrics?.['pass_rate'] ?? metrics?.['success_rate'])?.value ?? null;
  const models = judgedBy.pooled ? 1 : request.models.length;
  const baselines = [baseline, release].filter((each) => each !== null).length;
  const passRate = measured ?? assumedPassRate;
  const settings = { cases: entries, passRate, tests: models * Math.max(1, baselines) };
  return {
    cases: entries,
    passRate,
    source: measured === null ? null : (source?.name ?? null),
    rows: rowsOf(request, baselines === 0 ? 1 : repetitionsIn(source)).map((row) => ({
      ...row,
      loss: visibleLoss({ ...settings, ...row }),
    })),
  };
}

const repetitionsIn = (report: NamedReport | null): number =>
  report?.report.settings.repetitions ?? 1;

/** The check as it is set, and with 3 and 5 repetitions of every case. */
function rowsOf(
  { repetitions, repetitionsUpTo }: PlannedCheck['request'],
  inBaseline: number,
): Omit<PowerRow, 'loss'>[] {
  const again = Math.min(repetitionsUpTo ?? 1, inBaseline);
  const fixed = [...new Set([repetitions, 3, 5])].filter((each) => each >= repetitions);
  return [
    ...(again > 1 ? [{ repetitions: again, onlyDisagreeing: true }] : []),
    ...fixed.map((each) => ({ repetitions: each, onlyDisagreeing: false })),
  ];
}

export const powerShape = (power: CheckPower | null) =>
  power === null
    ? {}
    : {
        power: {
          pass_rate: power.passRate,
          pass_rate_of: power.source,
          rows: power.rows.map(({ repetitions, onlyDisagreeing, loss }) => ({
            repetitions,
            only_disagreeing: onlyDisagreeing,
            cases: loss?.cases ?? null,
            points: loss?.points ?? null,
          })),
        },
      };

export function powerLines(power: CheckPower | null, unit: EvaluationUnit): string[] {
  if (power === null) return [];
  const { cases, passRate, source, rows } = power;
  const from = source === null ? 'assumed; there is no baseline' : `as in ${source}`;
  return [
    `Loss that this check would see in 4 of 5 tries, if each ${unit} passes with ` +
      `${formatPercent(passRate)} (${from}):`,
    ...rows.map(({ repetitions, onlyDisagreeing, loss }) => {
      const what =
        loss === null
          ? `none, even if all ${counted(cases, unit)} break`
          : `${counted(loss.cases, unit)} of ${cases} that always fail (${formatPoints(-loss.points)} points)`;
      const which = onlyDisagreeing ? ` of each ${unit} that disagrees` : '';
      return `  ${counted(repetitions, 'repetition')}${which}: ${what}`;
    }),
  ];
}
