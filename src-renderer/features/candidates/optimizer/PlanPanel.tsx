import type { ReactNode } from 'react';
import {
  counted,
  formatAbout,
  formatCount,
  formatDuration,
  formatPercent,
  formatPValue,
  formatUsd,
} from '../../../../src-shared/display/numbers.ts';
import { passWords } from '../../../../src-shared/display/optimizationTexts.ts';
import type { OptimizationPlan } from '../../../../src-shared/domain/optimization.ts';
import { Loaded, Notice } from '../../../ui/notices/notices.tsx';
import { Facts } from '../fix/Facts.tsx';
import { TitledPanel } from '../../../ui/panels/panels.tsx';
import fixClasses from '../fix/fix.module.css';

interface PlanPanelProps {
  plan: { data: OptimizationPlan | undefined; error: unknown; refetch: () => unknown };
  /** The start. */
  children: ReactNode;
}

/** What an optimization can show and would use, before anything runs. */
export function PlanPanel({ plan, children }: PlanPanelProps) {
  return (
    <TitledPanel title="Plan">
      <div className={fixClasses.body}>
        <Loaded query={plan} blocks={[180]}>
          {(data) => (
            <>
              <Facts facts={factsOf(data)} />
              {data.warnings.length > 0 && (
                <Notice tone="warning">{data.warnings.join(' ')}</Notice>
              )}
            </>
          )}
        </Loaded>
        {children}
      </div>
    </TitledPanel>
  );
}

function factsOf(plan: OptimizationPlan): readonly (readonly [string, string])[] {
  const { unit, estimate, typical, searchCases, searchPassed, proofCases, flipsNeeded, level } =
    plan;
  return [
    ['Tools', `${counted(plan.toolIds.length, 'tool')}, ${counted(plan.tokens, 'token')}`],
    [
      'Search half',
      `${counted(searchCases, unit)}, ${formatPercent(searchCases === 0 ? null : searchPassed / searchCases)} ${passWords[unit].plural} now`,
    ],
    [
      'Proof half',
      `${counted(proofCases, unit)}; at least ${formatCount(flipsNeeded)} must be fixed and none broken (p ≤ ${formatPValue(level)})`,
    ],
    ['Calls', range(typical.calls, estimate.calls, formatCount)],
    ...(estimate.tokens === 0
      ? []
      : [['Tokens', range(typical.tokens, estimate.tokens, formatAbout)] as const]),
    [
      'Time',
      range(typical.minutes, estimate.minutes, (minutes) => formatDuration(minutes * 60_000)),
    ],
    [
      'Cost',
      estimate.usd === null
        ? 'unknown'
        : estimate.usd === 0
          ? 'free'
          : range(typical.usd ?? estimate.usd, estimate.usd, formatUsd),
    ],
  ];
}

/** `about 120, at most 480`; one number where both read the same. */
function range(typical: number, most: number, format: (value: number) => string): string {
  const [about, limit] = [format(typical), format(most)];
  return about === limit ? `at most ${limit}` : `about ${about}, at most ${limit}`;
}
