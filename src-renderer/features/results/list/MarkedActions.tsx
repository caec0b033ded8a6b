import { Tooltip } from '@mantine/core';
import { Action } from '../../../ui/fields/Action.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { comparisonLink } from '../compare/compareAddress.ts';
import type { Listed } from './listed.ts';

/** What can be done with marked results: their numbers, and for two a comparison. */
export function MarkedActions({ results }: { results: readonly Listed[] }) {
  if (results.length === 0) return null;
  const cases = results.filter(({ unit }) => unit === 'case');
  // The older result is the baseline, whatever the list is ordered by.
  const [newer, older, third] = results.toSorted(
    (a, b) => b.evaluation.number - a.evaluation.number,
  );
  const pair = newer && older && third === undefined && newer.unit === older.unit;
  return (
    <>
      {cases.length > 0 && (
        <Action
          label={`Numbers of ${
            cases.length === results.length
              ? counted(cases.length, 'result')
              : counted(cases.length, 'result of cases', 'results of cases')
          }`}
          to={`/results/numbers?${new URLSearchParams({ of: cases.map(({ evaluation: { id } }) => id).join(',') }).toString()}`}
          small
        />
      )}
      {pair ? (
        <Action
          label={`Compare #${older.evaluation.number} and #${newer.evaluation.number}`}
          to={comparisonLink(newer.evaluation.id, {
            id: older.evaluation.id,
            modelSettingsId: null,
          })}
          small
        />
      ) : (
        newer &&
        older &&
        third === undefined && (
          <Tooltip label="Cases are compared with cases, and tasks with tasks.">
            <Action label="Compare" data-disabled small />
          </Tooltip>
        )
      )}
    </>
  );
}
