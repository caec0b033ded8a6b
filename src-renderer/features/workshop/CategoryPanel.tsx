import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ToolCategory } from '../../../src-shared/domain/workshop.ts';
import { useApi } from '../../api/index.ts';
import { errorOfField } from '../../ui/notices/describeError.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { SidePanel } from '../../ui/panels/SidePanel.tsx';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { categoryTree } from './categoryTree.ts';

/** The tree of categories: add, move, and delete. */
export function CategoryPanel({ onClose }: { onClose: () => void }) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const categories = useQuery(queries.workshop.categories.queryOptions());
  const [name, setName] = useState('');
  const [parentId, setParentId] = useState<string | null>(null);
  const refresh = () => cache.invalidateQueries({ queryKey: queries.workshop.key() });
  const create = useMutation({
    mutationFn: () => client.workshop.createCategory({ name, parentId }),
    onSuccess: async () => {
      setName('');
      await refresh();
    },
  });
  const update = useMutation({
    mutationFn: (category: Pick<ToolCategory, 'id' | 'name' | 'description' | 'parentId'>) =>
      client.workshop.updateCategory({
        id: category.id,
        name: category.name,
        description: category.description,
        parentId: category.parentId,
      }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: string) => client.workshop.removeCategory({ id }),
    onSuccess: async ({ what }) => {
      showDone(`${what} was removed. Its contents moved up one level.`);
      await refresh();
    },
  });
  const failed =
    update.error ??
    remove.error ??
    (errorOfField(create.error, 'name') === undefined ? create.error : null);
  return (
    <SidePanel title="Categories" onClose={onClose}>
      <Stack gap="lg">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          <Stack gap="sm">
            <TextInput
              label="New category"
              value={name}
              error={errorOfField(create.error, 'name')}
              onChange={(event) => {
                setName(event.currentTarget.value);
                create.reset();
              }}
            />
            <Select
              label="Parent category"
              placeholder="None (top level)"
              clearable
              data={(categories.data ?? []).map((each) => ({ value: each.id, label: each.name }))}
              value={parentId}
              onChange={setParentId}
            />
            <Group>
              <Button type="submit" disabled={name.trim() === ''} loading={create.isPending}>
                Add category
              </Button>
            </Group>
          </Stack>
        </form>
        {failed !== null && <ErrorNotice error={failed} />}
        <Loaded query={categories} blocks={[120]}>
          {(list) => (
            <Stack gap="xs">
              {list.length === 0 && (
                <Text c="dimmed" size="sm">
                  No categories yet.
                </Text>
              )}
              {categoryTree(list).map(({ category, depth }) => (
                <Group key={category.id} gap="sm" wrap="nowrap" pl={depth * 16}>
                  <CategoryName
                    key={category.name}
                    category={category}
                    onRename={(next) => {
                      update.mutate({ ...category, name: next });
                    }}
                  />
                  <Select
                    size="xs"
                    w={150}
                    aria-label={`Parent of ${category.name}`}
                    placeholder="Top level"
                    clearable
                    data={list
                      .filter(({ id }) => id !== category.id)
                      .map((each) => ({ value: each.id, label: `in ${each.name}` }))}
                    value={category.parentId}
                    onChange={(next) => {
                      update.mutate({ ...category, parentId: next });
                    }}
                  />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove category ${category.name}`}
                    onClick={() => {
                      remove.mutate(category.id);
                    }}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Group>
              ))}
            </Stack>
          )}
        </Loaded>
      </Stack>
    </SidePanel>
  );
}

/** The editable name: Enter or blur renames. */
function CategoryName({
  category,
  onRename,
}: {
  category: ToolCategory;
  onRename: (name: string) => void;
}) {
  const [name, setName] = useState(category.name);
  const rename = (): void => {
    if (name.trim() === '') setName(category.name);
    else if (name.trim() !== category.name) onRename(name.trim());
  };
  return (
    <TextInput
      size="xs"
      style={{ flex: 1 }}
      aria-label={`Name of ${category.name}`}
      value={name}
      onChange={(event) => {
        setName(event.currentTarget.value);
      }}
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}
