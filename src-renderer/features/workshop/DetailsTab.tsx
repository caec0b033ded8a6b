import { Stack, Textarea, TextInput } from '@mantine/core';
import type { ToolDraft } from '../../../src-shared/domain/workshop.ts';
import type { ToolEditor } from './useToolEditor.ts';
import { useQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { useApi } from '../../api/index.ts';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { executorSchema } from './executorForms.ts';
import { executorWords, readObject } from './toolDraft.ts';

/** Names, description, tags, and the executor. */
export function DetailsTab({ editor }: { editor: ToolEditor }) {
  const { draft, change, problemsOf } = editor;
  const field = (name: keyof ToolDraft) => ({
    value: draft[name],
    error: draft[name] === '' && name !== 'tags' ? undefined : problemsOf(name)[0]?.message,
    onChange: (event: { currentTarget: { value: string } }): void =>
      change({ [name]: event.currentTarget.value }),
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
        minRows={3}
        maxRows={12}
        {...field('description')}
      />
      <TextInput label="Tags" description="Comma-separated." {...field('tags')} />
      <ExecutorForm editor={editor} />
    </Stack>
  );
}

const field = 'executorConfig';

/** The settings of the executor as a form with help for each of them, or as JSON. */
function ExecutorForm({ editor }: { editor: ToolEditor }) {
  const { draft, change, problemsOf } = editor;
  const settings = readObject(draft.executorConfig) ?? {};
  const suggestions = useServerSuggestions(draft.executorType === 'mcp' ? settings : null);
  const problems = problemsOf(field);
  const general = problems.find((problem) => problem.field === field);
  const { label, description } = executorWords[draft.executorType];
  return (
    <ArgumentsEditor
      label={`Executor settings (${label})`}
      description={description}
      schema={executorSchema(draft.executorType, settings, suggestions)}
      furtherHint="Not a setting of this executor."
      text={draft.executorConfig}
      error={general?.message}
      problems={Object.fromEntries(
        problems.flatMap((problem) =>
          problem === general ? [] : [[problem.field.slice(field.length + 1), problem.message]],
        ),
      )}
      onText={(executorConfig) => change({ executorConfig })}
    />
  );
}

/** The registered servers, and the tools that the chosen one listed last. */
function useServerSuggestions(settings: JsonObject | null): { servers: string[]; tools: string[] } {
  const { queries } = useApi();
  const servers = useQuery({ ...queries.servers.list.queryOptions(), enabled: settings !== null });
  const chosen = servers.data?.find(({ name }) => name === settings?.['server'])?.id;
  const detail = useQuery({
    ...queries.servers.get.queryOptions({ input: { id: chosen ?? '' } }),
    enabled: chosen !== undefined,
  });
  return {
    servers: [...new Set([...(servers.data ?? []).map(({ name }) => name), 'todo'])],
    tools: detail.data?.listing?.tools.map(({ name }) => name) ?? [],
  };
}
