import type { ReactNode } from 'react';
import {
  counted,
  formatCount,
  formatDecimal,
  formatDuration,
  formatPercent,
  formatPercentInterval,
  formatPoints,
  formatPValue,
  formatShare,
  formatUsd,
} from '../../../../src-shared/display/numbers.ts';
import { passWords } from '../../../../src-shared/display/optimizationTexts.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import type {
  Optimization,
  OptimizationPlan,
  OptimizationResult,
} from '../../../../src-shared/domain/optimization.ts';
import { wilson } from '../../../../src-shared/metrics/intervals.ts';
import { PassedBar } from '../fix/PassedBar.tsx';
import { bestStep } from './optimizationCharts.ts';
import { rateLabel } from '../../results/result/optimizationStates.ts';
import classes from './optimizer.module.css';

interface TilesProps {
  optimization: Optimization;
  plan: OptimizationPlan;
}

/** Before and after on the proof half, or on the search half while nothing is proved. */
export function ResultTiles({ optimization, plan }: TilesProps) {
  const { result, spent, state } = optimization;
  return (
    <div className={`ts-panel ${classes.tiles ?? ''}`}>
      {result === null ? (
        <Searched {...{ optimization, plan }} />
      ) : (
        <Proved result={result} isProven={state === 'accepted'} unit={plan.unit} />
      )}
      <Tile title="Used">
        <Value>{counted(spent.calls, 'call')}</Value>
        <Quiet>of up to {formatCount(plan.estimate.calls)} estimated</Quiet>
        <Quiet>
          {spent.usd === null ? 'cost unknown' : spent.usd === 0 ? 'free' : formatUsd(spent.usd)}
          {spent.tokens > 0 && `, ${counted(spent.tokens, 'token')}`},{' '}
          {formatDuration(spent.minutes * 60_000)}
        </Quiet>
      </Tile>
    </div>
  );
}

function Proved(props: { result: OptimizationResult; isProven: boolean; unit: EvaluationUnit }) {
  const { result, isProven, unit } = props;
  const { cases, passedBefore, passedAfter, won, lost, notScored } = result;
  return (
    <>
      <Tile title={`Held-out ${passWords[unit].rate}`}>
        {cases === 0 ? (
          <Value>–</Value>
        ) : (
          <>
            <Value>
              {oneDecimal(passedBefore / cases)} → {oneDecimal(passedAfter / cases)}
            </Value>
            <Quiet>
              {formatPoints((passedAfter - passedBefore) / cases)} points; 95% CI{' '}
              {interval(passedBefore, cases)} before, {interval(passedAfter, cases)} after
            </Quiet>
            <PassedBar label="Before" passed={passedBefore} cases={cases} />
            <PassedBar label="After" passed={passedAfter} cases={cases} isProven={isProven} />
          </>
        )}
      </Tile>
      <Tile title={`Held-out ${unit}s that changed`}>
        <Value>{formatCount(won)} fixed</Value>
        <Quiet>
          {formatCount(lost)} broken
          {notScored > 0 && `, ${formatCount(notScored)} not scored`}
        </Quiet>
        <Quiet>
          p = {formatPValue(result.pValue)}, needed p ≤ {formatPValue(result.level)}
        </Quiet>
      </Tile>
      <TokensTile before={result.tokensBefore} after={result.tokensAfter} />
    </>
  );
}

/** As exact as the difference in points below it. */
const oneDecimal = (rate: number): string => `${formatDecimal(100 * rate, 1)}%`;

const interval = (passed: number, cases: number): string => {
  const ends = wilson(passed, cases);
  return formatPercentInterval(ends?.low, ends?.high);
};

function Searched({ optimization: { steps }, plan }: TilesProps) {
  const { searchCases, searchPassed, unit } = plan;
  const best = bestStep(steps);
  const start = formatPercent(searchCases === 0 ? null : searchPassed / searchCases);
  const refused = steps.filter(({ result }) => result === 'refused').length;
  return (
    <>
      <Tile title={`${rateLabel(unit)} on the search half`}>
        <Value>{best === null ? start : `${start} → ${formatPercent(best.passRate)}`}</Value>
        <Quiet>
          {counted(searchCases, unit)}. The proof runs on{' '}
          {counted(plan.proofCases, `other ${unit}`)}.
        </Quiet>
      </Tile>
      <Tile title="Steps">
        <Value>{formatCount(steps.length)}</Value>
        <Quiet>{formatCount(refused)} refused</Quiet>
      </Tile>
      <TokensTile before={plan.tokens} after={best?.tokens ?? plan.tokens} />
    </>
  );
}

function TokensTile({ before, after }: { before: number; after: number }) {
  const change = before === 0 ? 0 : (after - before) / before;
  return (
    <Tile title="Tokens of all tools">
      <Value>
        {before === after ? formatCount(after) : `${formatCount(before)} → ${formatCount(after)}`}
      </Value>
      <Quiet>
        {before === after ? 'unchanged' : `${change > 0 ? '+' : ''}${formatShare(change)}`}
      </Quiet>
    </Tile>
  );
}

function Tile({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.tile} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const Value = ({ children }: { children: ReactNode }) => (
  <p className={classes.value}>{children}</p>
);
const Quiet = ({ children }: { children: ReactNode }) => (
  <p className={classes.quiet}>{children}</p>
);
