import {
  formatCount,
  formatDuration,
  formatUsd,
  NOT_DEFINED,
} from '../../../../src-shared/display/numbers.ts';
import type { TaskRunRow } from '../../../../src-shared/domain/taskEvaluation.ts';
import classes from './tasks.module.css';

/** What a run took, and what it did besides. */
export function TaskTotals({ facts }: { facts: NonNullable<TaskRunRow['facts']> }) {
  const rows = [
    ['Steps', formatCount(facts.steps)],
    ['Tool calls', formatCount(facts.calls)],
    ['Time', formatDuration(facts.elapsedMs)],
    ['Tokens', formatCount(facts.tokens)],
    ['Cost', facts.cost === null ? NOT_DEFINED : formatUsd(facts.cost)],
    ['Tool errors', formatCount(facts.toolErrors)],
    ['Repeated calls', formatCount(facts.repeatedCalls)],
    ['Unwanted side effects', formatCount(facts.unwantedEffects)],
  ] as const;
  return (
    <section className={classes.panel} aria-label="Totals">
      <h2>Totals</h2>
      <dl className={classes.totals}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="ts-number">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
