import { Stack, Textarea, TextInput } from '@mantine/core';
import type { ToolDraft } from '../../../src-shared/domain/workshop.ts';
import { ExecutorForm } from './ExecutorForm.tsx';
import type { ToolEditor } from './useToolEditor.ts';

/** Names, description, tags, and the executor. */
export function DetailsTab({ editor }: { editor: ToolEditor }) {
  const { draft, change, problemsOf } = editor;
  const field = (name: keyof ToolDraft) => ({
    value: draft[name],
    error: draft[name] === '' && name !== 'tags' ? undefined : problemsOf(name)[0]?.message,
    onChange: (event: { currentTarget: { value: string } }): void => {
      change({ [name]: event.currentTarget.value });
    },
  });
  return (
    <Stack gap="md" maw={860}>
      <TextInput
        label="Name"
        description="The name models call: lower-case letters, digits, and underscores."
        required
        placeholder="word_count"
        styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
        {...field('name')}
      />
      <TextInput
        label="Display name"
        description="For people."
        required
        placeholder="Word count"
        {...field('displayName')}
      />
      <Textarea
        label="Description"
        description="Models choose the tool by this text. Say what it does and when to use it."
        required
        autosize
        minRows={3}
        maxRows={12}
        {...field('description')}
      />
      <TextInput label="Tags" description="Comma-separated." {...field('tags')} />
      <ExecutorForm editor={editor} />
    </Stack>
  );
}
