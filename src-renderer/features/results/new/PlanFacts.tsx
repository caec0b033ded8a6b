import { Text } from '@mantine/core';
import { formatCount } from '../../../ui/estimate/format.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { noun } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';

interface PlanNumbersProps {
  /** How many entries of the suite run; undefined until the plan is known. */
  entries: number | undefined;
  /** What an entry is called. */
  entry: 'case' | 'task';
  plan: { runs: number; servers: readonly string[] } | undefined;
}

/** How much a plan runs, and on which servers. */
export function PlanNumbers({ entries, entry, plan }: PlanNumbersProps) {
  return (
    <>
      <div className={classes.planNumbers}>
        <span className={classes.planNumber}>
          <b>{formatCount(entries)}</b> {noun(entries, entry)}
        </span>
        <span className={classes.planNumber}>
          <b>{formatCount(plan?.runs)}</b> {noun(plan?.runs, 'run')}
        </span>
        <span className={classes.planNumber}>
          <b>{formatCount(plan?.servers.length)}</b> {noun(plan?.servers.length, 'server')}
        </span>
      </div>
      {plan !== undefined && plan.servers.length > 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          <Foreign text={plan.servers.join(', ')} limit={300} />
        </Text>
      )}
    </>
  );
}

interface PlanProblemsProps {
  problems: readonly { severity: 'error' | 'warning'; message: string }[];
}

/** What speaks against a plan. Errors prevent its start. */
export function PlanProblems({ problems }: PlanProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul className={classes.problems} tabIndex={0} aria-label="Problems">
      {problems.map((problem, index) => (
        <li key={`${index} ${problem.message}`}>
          <StatusBadge
            tone={problem.severity === 'error' ? 'bad' : 'warning'}
            label={problem.severity === 'error' ? 'Error' : 'Warning'}
          />{' '}
          <Foreign text={problem.message} limit={600} />
        </li>
      ))}
    </ul>
  );
}
