import { Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Action } from '../../ui/fields/Action.tsx';
import type { ToolRow } from '../../../src-shared/domain/workshop.ts';
import { useApi } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { SidePanel } from '../../ui/panels/SidePanel.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { showDone } from '../../ui/notices/UndoNotice.tsx';

/** Actions on a deleted tool: restore it or remove it for good. */
export function DeletedTool({ tool, onClose }: { tool: ToolRow; onClose: () => void }) {
  const { client, queries, reread } = useApi();
  const done = async (message: string): Promise<void> => {
    showDone(message);
    onClose();
    await reread(queries.workshop);
  };
  const bringBack = useMutation({
    mutationFn: () => client.workshop.undelete({ id: tool.id }),
    onSuccess: () => done(`The tool “${tool.name}” was restored.`),
  });
  const purge = useMutation({
    mutationFn: () => client.workshop.purge({ id: tool.id }),
    onSuccess: ({ what }) => done(`${what} was permanently deleted.`),
  });
  const failed = bringBack.error ?? purge.error;
  return (
    <SidePanel title={tool.name} subtitle="Deleted" contentKey={tool.id} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">
          <PlainText text={tool.description} />
        </Text>
        <span className="ts-quiet">
          Version {tool.version}
          {tool.deletedAt !== null && (
            <>
              , deleted <Time iso={tool.deletedAt} />
            </>
          )}
        </span>
        {failed !== null && <ErrorNotice error={failed} />}
        <Group>
          <Action label="Restore" filled run={bringBack} />
        </Group>
        <Text size="sm">
          Permanently deletes the tool with its versions, executions and secrets. You can’t undo
          this.
        </Text>
        <Group>
          <Action label="Delete permanently" color="vermilion" run={purge} />
        </Group>
      </Stack>
    </SidePanel>
  );
}
