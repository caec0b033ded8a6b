import { Button, Tooltip } from '@mantine/core';
import { Link } from 'react-router';
import { counted } from '../../../ui/text/words.ts';
import { writeSide } from '../compare/compareAddress.ts';
import type { Listed } from './listed.ts';

/** What can be done with marked results: their numbers, and for two a comparison. */
export function MarkedActions({ results }: { results: readonly Listed[] }) {
  if (results.length === 0) return null;
  const cases = results.filter(({ unit }) => unit === 'case');
  const [newer, older, third] = results;
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
          Numbers of {counted(cases.length, 'result')}
        </Button>
      )}
      {pair ? (
        <Button
          component={Link}
          to={`/results/compare?${compareQuery(older, newer)}`}
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

/** The older result is the baseline. */
function compareQuery(older: Listed, newer: Listed): string {
  const side = ({ evaluation: { id, models } }: Listed): string =>
    writeSide({ id, modelSettingsId: models.length > 1 ? (models[0]?.id ?? null) : null });
  return new URLSearchParams({ base: side(older), with: side(newer) }).toString();
}
