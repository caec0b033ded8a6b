import { Button, Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import { counted } from '../../../ui/text/words.ts';
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
        <Button
          component={Link}
          to={`/results/numbers?${new URLSearchParams({ of: cases.map(({ evaluation: { id } }) => id).join(',') }).toString()}`}
          variant="default"
          size="compact-sm"
        >
          Numbers of{' '}
          {cases.length === results.length
            ? counted(cases.length, 'result')
            : counted(cases.length, 'result of cases', 'results of cases')}
        </Button>
      )}
      {pair ? (
        <Button
          component={Link}
          to={comparisonLink(newer.evaluation.id, {
            id: older.evaluation.id,
            modelSettingsId: null,
          })}
          variant="default"
          size="compact-sm"
        >
          Compare #{older.evaluation.number} and #{newer.evaluation.number}
        </Button>
      ) : (
        newer &&
        older &&
        third === undefined && (
          <Tooltip label="Cases are compared with cases, and tasks with tasks.">
            <Button data-disabled variant="default" size="compact-sm">
              Compare
            </Button>
          </Tooltip>
        )
      )}
    </>
  );
}
