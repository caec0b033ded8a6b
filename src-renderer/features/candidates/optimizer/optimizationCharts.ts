import {
  counted,
  formatCount,
  formatPercent,
  noun,
} from '../../../../src-shared/display/numbers.ts';
import { passWords } from '../../../../src-shared/display/optimizationTexts.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type { OptimizationStep } from '../../../../src-shared/domain/optimization.ts';
import type { ChartPoint, ChartSeries } from '../../../ui/charts/chartData.ts';

/** The tools as they are: their pass rate on the search half, and their tokens. */
export interface StartingPoint {
  passRate: number;
  tokens: number;
}

type Tried = OptimizationStep & { passRate: number; tokens: number };

/** The steps that ran on the whole search half; the others were refused or screened out. */
export const triedSteps = (steps: readonly OptimizationStep[]): Tried[] =>
  steps.filter((step): step is Tried => step.passRate !== null && step.tokens !== null);

/** The last step that was better than all before it. */
export const bestStep = (steps: readonly OptimizationStep[]): Tried | null =>
  triedSteps(steps).findLast(({ result }) => result === 'best') ?? null;

/** The best pass rate so far as a stair, and every other step that was tried. */
export function progressSeries(
  start: StartingPoint,
  steps: readonly OptimizationStep[],
): ChartSeries[] {
  const tried = triedSteps(steps);
  const best = tried.filter(({ result }) => result === 'best');
  let rate = start.passRate;
  const stair = best.flatMap(({ step, passRate }) => {
    const corner = { x: step, y: rate, corner: true };
    rate = passRate;
    return [corner, { x: step, y: passRate, note: stepNote(step) }];
  });
  const points: ChartPoint[] = [{ x: 0, y: start.passRate, note: 'Start' }, ...stair];
  const lastStep = steps.at(-1)?.step ?? 0;
  if (lastStep > (points.at(-1)?.x ?? 0)) points.push({ x: lastStep, y: rate, corner: true });
  const others = tried.filter(({ result }) => result !== 'best');
  return [
    { name: 'Best so far', points },
    ...(others.length === 0
      ? []
      : [
          {
            name: 'Tried',
            connect: false,
            points: others.map(({ step, passRate }) => ({ x: step, y: passRate })),
          },
        ]),
  ];
}

/** Pass rate by tokens: the start, every step that was tried, and the best of them. */
export function tokenSeries(
  start: StartingPoint,
  steps: readonly OptimizationStep[],
  chosen: number | null,
): ChartSeries[] {
  const tried = triedSteps(steps);
  const point = ({ step, passRate, tokens }: Tried, label?: string) => ({
    x: tokens,
    y: passRate,
    note: stepNote(step),
    ...(label === undefined ? {} : { label }),
  });
  const best = tried.filter(({ step }) => step === chosen);
  const others = tried.filter(({ step }) => step !== chosen);
  return [
    { name: 'Best', points: best.map((one) => point(one, `Step ${one.step}`)) },
    { name: 'Tried', points: others.map((one) => point(one)) },
    { name: 'Start', points: [{ x: start.tokens, y: start.passRate, label: 'Start' }] },
  ].filter(({ points }) => points.length > 0);
}

const stepNote = (step: number): string => `Step ${formatCount(step)}`;

/** The axis ends at the next 5% around all pass rates. */
export function rateRange(series: readonly ChartSeries[]): [low: number, high: number] {
  const rates = series.flatMap(({ points }) => points.flatMap(({ y }) => (y === null ? [] : [y])));
  const low = Math.max(0, Math.floor(Math.min(...rates) * 20 - 0.5) / 20);
  const high = Math.min(1, Math.ceil(Math.max(...rates) * 20 + 0.5) / 20);
  return [low, high];
}

export function progressFinding(steps: readonly OptimizationStep[]): string {
  const gains = steps.filter(({ result }) => result === 'best');
  if (steps.length === 0) return 'No step finished yet';
  const last = gains.at(-1);
  if (!last) return `No gain in ${counted(steps.length, 'step')}`;
  const where = gains.length === 1 ? 'at' : 'the last at';
  return `${counted(gains.length, 'gain')} in ${counted(steps.length, 'step')}, ${where} step ${formatCount(last.step)}`;
}

/** How the best step differs from the start, as the title of pass rate by tokens. */
export function tokensFinding(
  start: StartingPoint,
  best: Tried | null,
  unit: EvaluationUnit = 'case',
): string {
  if (best === null) return 'No step is better than the start yet';
  const [before, after] = [formatPercent(start.passRate), formatPercent(best.passRate)];
  const rate =
    before === after
      ? `keeps the ${passWords[unit].rate} at ${after}`
      : `moves the ${passWords[unit].rate} from ${before} to ${after}`;
  return `Step ${formatCount(best.step)} ${rate} with ${tokenChange(best.tokens - start.tokens)}`;
}

function tokenChange(more: number): string {
  if (more === 0) return 'as many tokens';
  const size = Math.abs(more);
  return `${formatCount(size)} ${more < 0 ? 'fewer' : 'more'} ${noun(size, 'token')}`;
}

/** What became of all steps: tried, screened out, refused. */
export function stepsNote(
  steps: readonly OptimizationStep[],
  searchCases: number,
  unit: EvaluationUnit = 'case',
): string {
  const tried = triedSteps(steps).length;
  const refused = steps.filter(({ result }) => result === 'refused').length;
  const screenedOut = steps.length - tried - refused;
  return [
    `${formatCount(tried)} tried on all ${counted(searchCases, `search ${unit}`)}`,
    `${formatCount(screenedOut)} stopped early`,
    `${formatCount(refused)} refused`,
  ].join(', ');
}
