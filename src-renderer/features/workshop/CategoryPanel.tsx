import { Box, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Action, RemoveButton, submitting, typed } from '../../ui/fields/controls.tsx';
import { removedCategoryText } from '../../../src-shared/display/workshopTexts.ts';
import type { ToolCategory } from '../../../src-shared/domain/workshop.ts';
import { useApi, useRead } from '../../api/index.ts';
import { errorOfField } from '../../ui/notices/describeError.ts';
import { ErrorNotice, Loaded, showDone } from '../../ui/notices/notices.tsx';
import { SidePanel } from '../../ui/panels/panels.tsx';
import { categoryTree } from './categoryTree.ts';

/** The tree of categories: add, describe, move, and delete. */
export function CategoryPanel({ onClose }: { onClose: () => void }) {
  const { client, queries, reread } = useApi();
  const categories = useRead((ask) => ask.workshop.categories);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [parentId, setParentId] = useState<string | null>(null);
  const refresh = () => reread(queries.workshop);
  const create = useMutation({
    mutationFn: () =>
      client.workshop.createCategory({
        name,
        description: description.trim() === '' ? null : description,
        parentId,
      }),
    onSuccess: async () => {
      setName('');
      setDescription('');
      await refresh();
    },
  });
  const update = useMutation({
    mutationFn: ({ id, name, description, parentId }: ToolCategory) =>
      client.workshop.updateCategory({ id, name, description, parentId }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: string) => client.workshop.removeCategory({ id }),
    onSuccess: async (removed) => {
      showDone(removedCategoryText(removed));
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
        <form {...submitting(() => create.mutate())}>
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
            <Textarea
              label="Description"
              description="Optional. What belongs in this category."
              maxRows={4}
              maxLength={2000}
              {...typed(description, setDescription)}
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
              <Action
                label="Add category"
                filled
                type="submit"
                disabled={name.trim() === ''}
                loading={create.isPending}
              />
            </Group>
          </Stack>
        </form>
        <ErrorNotice error={failed} />
        <Loaded query={categories} blocks={[120]}>
          {(list) => (
            <Stack gap="xs">
              {list.length === 0 && <p className="ts-quiet">No categories yet.</p>}
              {categoryTree(list).map(({ category, depth }) => (
                <Box key={category.id} pl={depth * 16}>
                  <Group gap="sm" wrap="nowrap">
                    <TextOnBlur
                      key={category.name}
                      label={`Name of ${category.name}`}
                      value={category.name}
                      required
                      onChange={(next) => update.mutate({ ...category, name: next })}
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
                      onChange={(next) => update.mutate({ ...category, parentId: next })}
                    />
                    <RemoveButton
                      label={`Remove category ${category.name}`}
                      onClick={() => remove.mutate(category.id)}
                    />
                  </Group>
                  <TextOnBlur
                    key={`${category.id} ${category.description ?? ''}`}
                    label={`Description of ${category.name}`}
                    value={category.description ?? ''}
                    placeholder="No description"
                    onChange={(next) =>
                      update.mutate({ ...category, description: next === '' ? null : next })
                    }
                  />
                </Box>
              ))}
            </Stack>
          )}
        </Loaded>
      </Stack>
    </SidePanel>
  );
}

/** A text that Enter or leaving the field saves. A required one is never saved empty. */
function TextOnBlur(props: {
  label: string;
  value: string;
  required?: boolean;
  placeholder?: string;
  onChange: (text: string) => void;
}) {
  const { label, value, required = false, placeholder, onChange } = props;
  const [text, setText] = useState(value);
  const save = (): void => {
    if (required && text.trim() === '') setText(value);
    else if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <TextInput
      size="xs"
      style={{ flex: 1 }}
      aria-label={label}
      placeholder={placeholder}
      maxLength={required ? 100 : 2000}
      variant={required ? 'default' : 'unstyled'}
      {...typed(text, setText)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}
