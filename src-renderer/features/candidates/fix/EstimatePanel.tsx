import { IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { passWords } from '../../../../src-shared/display/optimizationTexts.ts';
import type { Candidate, ToolProblem } from '../../../../src-shared/domain/candidate.ts';
import { evaluationLink } from '../../results/links.ts';
import { Facts } from './Facts.tsx';
import classes from './fix.module.css';
import type { Fix } from './useFix.ts';
import { TitledPanel } from '../../../ui/panels/panels.tsx';

/** Tries the edit on the cases that it was written for, as often as wanted. */
export function EstimatePanel({ problem, fix }: { problem: ToolProblem; fix: Fix }) {
  const { plan, failing, moreFailing, unit } = problem;
  const { current, edits, run } = fix;
  const search = current?.search ?? null;
  const running = current?.state === 'searching' || (run.isPending && run.variables === 'search');
  const before = failing.length + moreFailing;
  const why =
    plan.searchCases === 0
      ? `No ${unit} of the search half was scored, so nothing can be estimated.`
      : edits.length === 0
        ? `Change the definition to see how many of the ${counted(plan.searchCases, unit)} in the search half it fixes.`
        : fix.consent.given
          ? null
          : 'Agree to what the runs change first.';
  return (
    <TitledPanel
      title="Estimated effect"
      aside={
        search !== null && (
          <Action
            label="Run again"
            small
            why={why}
            loading={running}
            icon={IconRefresh}
            onClick={() => run.mutate('search')}
          />
        )
      }
    >
      <div className={classes.body}>
        {current?.stopped != null && <p>{current.stopped}</p>}
        {search === null ? (
          <>
            <p>
              {why ??
                `Runs ${counted(plan.searchCases, unit)} with the candidate. Estimate as often as you like.`}
            </p>
            <Action
              label="Estimate"
              filled={fix.toWrite === null}
              fullWidth
              why={why}
              loading={running}
              icon={IconPlayerPlay}
              onClick={() => run.mutate('search')}
            />
          </>
        ) : (
          <>
            <p className={classes.number} role="status">
              <b>{netText(search, unit)}</b>{' '}
              <span className={classes.quiet}>
                {search.lost === 0
                  ? search.won === 0
                    ? 'fixed '
                    : ''
                  : `net: ${formatCount(search.won)} fixed, ${formatCount(search.lost)} broken `}
                of {formatCount(search.cases)} in the search half
              </span>
            </p>
            <Facts
              facts={[
                ['Failing', `${formatCount(before)} with ${problem.tool.name} involved`],
                [
                  'Newly broken',
                  `${formatCount(search.lost)} of ${formatCount(plan.searchPassed)} that ${passWords[unit].past}`,
                ],
                ...(search.notScored > 0
                  ? [['Not scored', formatCount(search.notScored)] as const]
                  : []),
              ]}
            />
            {current?.searchEvaluationId != null && (
              <Link to={evaluationLink(current.searchEvaluationId)}>Runs of this estimate</Link>
            )}
          </>
        )}
      </div>
    </TitledPanel>
  );
}

/** What an estimate adds to the cases that pass: those fixed less those broken. */
function netText(
  { won, lost }: NonNullable<Candidate['search']>,
  unit: ToolProblem['unit'],
): string {
  if (won === 0 && lost === 0) return `No ${unit}`;
  const sign = won > lost ? '+' : won < lost ? '−' : '±';
  return `${sign}${counted(Math.abs(won - lost), unit)}`;
}
