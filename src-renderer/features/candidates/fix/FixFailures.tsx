import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useApi } from '../../../api/index.ts';
import { counted } from '../../../ui/text/words.ts';
import { fixLink } from '../../results/links.ts';
import { toolsToFix } from '../../../../src-shared/metrics/toolsToFix.ts';
import { useFinishedTrials } from '../../results/useFinishedTrials.ts';

/** Leads to the fix of a tool if it caused failures in the last evaluation of cases. */
export function FixFailures({ tool }: { tool: string }) {
  const { queries } = useApi();
  const chosen = useFinishedTrials('case').finished[0] ?? null;
  const verdict = useQuery(
    queries.results.verdict.queryOptions({
      input: { id: chosen?.id ?? '', modelSettingsId: null },
      enabled: chosen !== null,
    }),
  );
  if (chosen === null)
    return (
      <Text size="sm" c="dimmed">
        Run an evaluation to see whether models fail with this tool.
      </Text>
    );
  if (verdict.data === undefined) return null;
  const failing = toolsToFix(verdict.data.causes).find((one) => one.tool === tool);
  if (failing === undefined)
    return (
      <Text size="sm" c="dimmed">
        No failures point to this tool in evaluation #{chosen.number}.
      </Text>
    );
  return (
    <Group gap="sm">
      <Button component={Link} to={fixLink(chosen.id, tool)} size="sm">
        Edit and prove
      </Button>
      <Text size="sm" c="dimmed">
        {counted(failing.runs, `failing ${verdict.data.unit.slice(0, -1)}`)}{' '}
        {failing.runs === 1 ? 'points' : 'point'} to it in evaluation #{chosen.number}
      </Text>
    </Group>
  );
}
