import {
  formatCount,
  formatDuration,
  formatUsd,
  NOT_DEFINED,
} from '../../../../../src-shared/display/numbers.ts';
import type { TaskFacts } from '../../../../../src-shared/domain/taskEvaluation.ts';
import classes from '../../tasks.module.css';

const rows: readonly { name: string; of: (facts: TaskFacts) => string }[] = [
  { name: 'Steps', of: ({ steps }) => formatCount(steps) },
  { name: 'Tool calls', of: ({ calls }) => formatCount(calls) },
  { name: 'Time', of: ({ elapsedMs }) => formatDuration(elapsedMs) },
  { name: 'Tokens', of: ({ tokens }) => formatCount(tokens) },
  { name: 'Cached input', of: ({ tokens, cacheRead = 0 }) => formatCount(tokens && cacheRead) },
  { name: 'Cost', of: ({ cost }) => (cost === null ? NOT_DEFINED : formatUsd(cost)) },
  {
    name: 'Judge cost',
    of: ({ judgeCost }) => (judgeCost == null ? NOT_DEFINED : formatUsd(judgeCost)),
  },
  { name: 'User tokens', of: ({ user }) => formatCount(user?.tokens ?? null) },
  {
    name: 'User cost',
    of: ({ user }) => (user?.cost == null ? NOT_DEFINED : formatUsd(user.cost)),
  },
  { name: 'Tool errors', of: ({ toolErrors }) => formatCount(toolErrors) },
  { name: 'Repeated calls', of: ({ repeatedCalls }) => formatCount(repeatedCalls) },
  { name: 'Unwanted side effects', of: ({ unwantedEffects }) => formatCount(unwantedEffects) },
];

interface TaskTotalsProps {
  facts: TaskFacts;
  /** Those of the run that it is compared with. */
  reference: TaskFacts | null;
}

/** What a run took, and what it did besides. */
export function TaskTotals({ facts, reference }: TaskTotalsProps) {
  const both = [facts, ...(reference ? [reference] : [])];
  const hidden = new Set([
    ...(both.some(({ judgeCost }) => judgeCost !== undefined) ? [] : ['Judge cost']),
    ...(both.some(({ user }) => user !== undefined) ? [] : ['User tokens', 'User cost']),
  ]);
  const shown = rows.filter(({ name }) => !hidden.has(name));
  return (
    <section className={classes.panel} aria-label="Totals">
      <table className={classes.totals}>
        <thead>
          <tr>
            <th scope="col">Totals</th>
            <th scope="col">This run</th>
            {reference !== null && <th scope="col">Other run</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, of }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="ts-number">{of(facts)}</td>
              {reference !== null && <td className="ts-number">{of(reference)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
