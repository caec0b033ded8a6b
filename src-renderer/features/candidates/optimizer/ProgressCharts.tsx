import { formatCount, formatPercent } from '../../../../src-shared/display/numbers.ts';
import type { Optimization, OptimizationPlan } from '../../../../src-shared/domain/optimization.ts';
import { passWords } from '../../../../src-shared/display/optimizationTexts.ts';
import { ChartFrame, LinesChart } from '../../../ui/charts/ChartFrame.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import {
  bestStep,
  progressFinding,
  progressSeries,
  rateRange,
  stepsNote,
  tokensFinding,
  tokenSeries,
  triedSteps,
} from './optimizationCharts.ts';
import { rateLabel } from '../../results/result/optimizationStates.ts';
import classes from './optimizer.module.css';

/** How the search went, step by step and in tokens. */
export function ProgressCharts(props: { optimization: Optimization; plan: OptimizationPlan }) {
  const {
    optimization: { steps, result },
    plan,
  } = props;
  const { searchCases, searchPassed, tokens, unit } = plan;
  if (searchCases === 0) return null;
  const start = { passRate: searchPassed / searchCases, tokens };
  const tried = triedSteps(steps);
  const best = tried.find(({ step }) => step === result?.step) ?? bestStep(steps);
  const progress = progressSeries(start, steps);
  const byTokens = tokenSeries(start, steps, best?.step ?? null);
  const rows = [
    ['Start', formatPercent(start.passRate), formatCount(tokens)],
    ...tried.map(({ step, passRate, tokens: each }) => [
      formatCount(step),
      formatPercent(passRate),
      formatCount(each),
    ]),
  ];
  const table = { heads: ['Step', rateLabel(unit), 'Tokens'], numeric: [1, 2], rows };
  return (
    <Section title="How the search went">
      <p className={classes.quiet}>
        On the search half, for which the candidates were written. Only held-out {unit}s count.
      </p>
      <div className={classes.charts}>
        <ChartFrame
          title={progressFinding(steps)}
          note={stepsNote(steps, searchCases, unit)}
          fileName="optimizer-progress"
          height={260}
          table={table}
        >
          <LinesChart
            series={progress}
            xLabel="step"
            yLabel={passWords[unit].rate}
            yRange={rateRange(progress)}
            formatX={formatCount}
            formatY={formatPercent}
          />
        </ChartFrame>
        <ChartFrame
          title={tokensFinding(start, best, unit)}
          note="Tokens of all tools. Up and left is better."
          fileName="optimizer-tokens"
          height={260}
          table={table}
        >
          <LinesChart
            series={byTokens}
            connect={false}
            xLabel="tokens"
            yLabel={passWords[unit].rate}
            yRange={rateRange(byTokens)}
            formatX={formatCount}
            formatY={formatPercent}
          />
        </ChartFrame>
      </div>
    </Section>
  );
}
