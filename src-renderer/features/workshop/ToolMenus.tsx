import { Menu, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { Action, MoreActions } from '../../ui/fields/controls.tsx';
import { statusTransitions, type ManagedTool } from '../../../src-shared/domain/workshop.ts';
import { useApi, useRead } from '../../api/index.ts';
import { useSaveFiles } from '../../saving/useSaveFiles.ts';
import { showUndo, useAct } from '../../ui/notices/notices.tsx';
import { statusWords } from './workshopWords.ts';

export function CategoryChoice({ tool }: { tool: ManagedTool }) {
  const { client, queries, reread } = useApi();
  const categories = useRead((ask) => ask.workshop.categories);
  const move = useAct(
    (categoryId: string | null) => client.workshop.setCategory({ id: tool.id, categoryId }),
    { onSettled: () => reread(queries.workshop) },
  );
  if ((categories.data ?? []).length === 0) return null;
  return (
    <Select
      w={180}
      aria-label="Category"
      placeholder="No category"
      clearable
      data={(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={tool.categoryId}
      onChange={(next) => move.mutate(next)}
    />
  );
}

export function StatusActions(props: {
  tool: ManagedTool;
  onChanged: () => Promise<void>;
  /** Saves the tool: before the menu, which is last in every header. */
  children: ReactNode;
}) {
  const { tool, onChanged, children } = props;
  const { client } = useApi();
  const navigate = useNavigate();
  const { id } = tool;
  const saveFiles = useSaveFiles();
  const status = useAct(
    (next: ManagedTool['status']) => client.workshop.setStatus({ id, status: next }),
    { onSettled: onChanged },
  );
  const remove = useAct(() => client.workshop.remove({ id }), {
    onSuccess: async ({ what }) => {
      await onChanged();
      showUndo(`${what} was deleted.`, async () => {
        await client.workshop.undelete({ id });
        await onChanged();
      });
      await navigate('/workshop');
    },
  });
  const download = useAct(() => client.workshop.export({ ids: [id] }), {
    onSuccess: ({ files }) => saveFiles(tool.content.name, files),
  });
  return (
    <>
      {statusTransitions[tool.status].map((next) => (
        <Action
          key={next}
          label={statusWords[next].act}
          loading={status.isPending && status.variables === next}
          onClick={() => status.mutate(next)}
        />
      ))}
      {children}
      <MoreActions>
        <Menu.Item onClick={() => download.mutate()}>Export as files</Menu.Item>
        <Menu.Item color="vermilion" onClick={() => remove.mutate()}>
          Delete tool
        </Menu.Item>
      </MoreActions>
    </>
  );
}
