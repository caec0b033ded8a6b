import { Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Action } from '../../ui/fields/Action.tsx';
import type { SampleData } from '../../../src-shared/domain/sampleData.ts';
import { useApi } from '../../api/index.ts';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { showFailure, showUndo } from '../../ui/notices/UndoNotice.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';

/** The data that Touchstone brings along: what is left of it, and one action to remove it. */
export function SampleSection() {
  const { client, queries, reread } = useApi();
  const sample = useQuery(queries.settings.sample.queryOptions({ staleTime: 0 }));
  const refresh = (): Promise<void> => reread();
  const add = useMutation({
    mutationFn: () => client.settings.addSample(),
    onError: showFailure,
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => client.settings.removeSample(),
    onError: showFailure,
    onSuccess: ({ tokens }) =>
      showUndo('Sample data removed.', async () => {
        for (const token of tokens.toReversed()) await client.settings.undo({ token });
        await refresh();
      }),
    onSettled: refresh,
  });
  return (
    <Section title="Sample data">
      <Loaded query={sample} blocks={[60]}>
        {(data) => (
          <>
            <Text size="sm" c="dimmed" mb="sm">
              {contentText(data)} The Todo server is real. The calendar, mail, and files servers
              list tools but can’t run them.
            </Text>
            <Group gap="sm">
              {isPresent(data) && <Action label="Remove sample data" run={remove} />}
              {data.addable && <Action label="Add sample data" run={add} />}
            </Group>
          </>
        )}
      </Loaded>
    </Section>
  );
}

const isPresent = ({ servers, suites, evaluation }: SampleData): boolean =>
  servers.length > 0 || suites.length > 0 || evaluation !== null;

function contentText(data: SampleData): string {
  if (!isPresent(data)) return 'No sample data in this workspace.';
  const { servers, suites, evaluation } = data;
  const content = [
    servers.length > 0 && counted(servers.length, 'server'),
    suites.length > 0 && counted(suites.length, 'suite'),
    evaluation !== null && `evaluation #${evaluation.number}`,
  ].filter((part) => part !== false);
  return `This workspace contains sample data: ${content.join(', ')}.`;
}
