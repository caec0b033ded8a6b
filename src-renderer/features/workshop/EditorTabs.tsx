import { Text, Stack, Textarea, TextInput, TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ManagedTool, ToolDraft } from '../../../src-shared/domain/workshop.ts';
import { useRead, useApi } from '../../api/index.ts';
import { PageTabs } from '../../ui/frame/PageTabs.tsx';
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx';
import { Notice, Loaded } from '../../ui/notices/notices.tsx';
import { SchemaTab } from './SchemaTab.tsx';
import type { ToolEditor } from './useToolEditor.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { executorSchema } from './executorForms.ts';
import { executorWords, readObject } from './toolDraft.ts';
import { useMutation } from '@tanstack/react-query';
import { keyPlaceWords } from '../../../src-shared/display/keyPlaces.ts';
import type { ToolSecret } from '../../../src-shared/domain/toolSecrets.ts';
import { SecretRow } from '../../ui/fields/SecretRow.tsx';
import { RowList, Section } from '../../ui/panels/panels.tsx';
import { declaredSecrets, withDeclaredSecrets } from './declaredSecrets.ts';

interface EditorTabsProps {
  editor: ToolEditor;
  /** Null while it is not saved yet. */
  tool: ManagedTool | null;
  tab: string;
  onTab: (tab: string) => void;
  /** Additional tabs of a saved tool. */
  more?: { value: string; name: string; count?: number; panel: ReactNode }[];
}

const fieldTabs: Record<string, string> = {
  scriptContent: 'script',
  inputSchema: 'schema',
  outputSchema: 'schema',
};

const tabOf = (field: string): string =>
  field.startsWith('executorConfig.secrets')
    ? 'secrets'
    : (fieldTabs[field.split('.', 1)[0] ?? ''] ?? 'details');

export function EditorTabs({ editor, tool, tab, onTab, more = [] }: EditorTabsProps) {
  const { draft, change, problems, problemsOf } = editor;
  const missing = useMissingSecrets(tool);
  const hasScript = draft.executorType === 'python' || draft.executorType === 'shell';
  const count = (value: string): string => {
    // A field with two problems is one thing to fix.
    const fields = problems.map(({ field }) => field).filter((field) => tabOf(field) === value);
    const found = new Set(fields).size;
    return found === 0 ? '' : ` (${found})`;
  };
  const shown = tab === 'script' && !hasScript ? 'details' : tab;
  return (
    <PageTabs
      label="Tool"
      tabs={[
        {
          value: 'details',
          name: `Details${count('details')}`,
          panel: <DetailsTab editor={editor} />,
        },
        ...(hasScript
          ? [
              {
                value: 'script',
                name: `Script${count('script')}`,
                panel: (
                  <>
                    <Notice tone="neutral">
                      <Text size="sm">
                        Scripts run with your permissions, in a temporary folder. They can’t see
                        Touchstone’s secrets and are stopped after 30 s.
                      </Text>
                    </Notice>
                    {draft.executorType === 'python' && <MissingPython />}
                    <div style={{ marginTop: 12 }}>
                      <CodeEditor
                        label={draft.executorType === 'python' ? 'Python script' : 'Shell script'}
                        description={
                          draft.executorType === 'python'
                            ? 'Reads arguments as JSON from standard input and writes its result as JSON to ' +
                              'standard output.'
                            : 'Run by sh. $1, $2, … are the arguments listed in the executor settings.'
                        }
                        language={draft.executorType === 'python' ? 'python' : 'shell'}
                        height="min(50vh, 560px)"
                        value={draft.scriptContent}
                        onChange={(scriptContent) => change({ scriptContent })}
                        problems={problemsOf('scriptContent')}
                      />
                    </div>
                  </>
                ),
              },
            ]
          : []),
        { value: 'schema', name: `Schema${count('schema')}`, panel: <SchemaTab editor={editor} /> },
        {
          value: 'secrets',
          name: `Secrets${count('secrets') || (missing > 0 ? ` (${missing} not set)` : '')}`,
          panel: <SecretsTab editor={editor} tool={tool} />,
        },
        ...more,
      ]}
      shown={shown}
      onShow={onTab}
    />
  );
}

/**
 * Shown before anything runs: without an interpreter a script can be written, but neither checked
 * nor run.
 */
function MissingPython() {
  const { data } = useRead((ask) => ask.workshop.interpreter);
  if (data === undefined || data.found) return null;
  return (
    <Notice tone="warning">
      <Text size="sm" className="ts-foreign">
        {data.reason} You can save this script but not check or run it. Install Python 3, or set its
        path in the workshop settings.
      </Text>
    </Notice>
  );
}

/** How many secrets of the saved tool have no value. */
function useMissingSecrets(tool: ManagedTool | null): number {
  const { data = [] } = useRead((ask) => ask.workshop.secrets, {
    input: { id: tool?.id ?? '' },
    enabled: tool !== null,
  });
  return data.filter(({ status }) => status === 'not set').length;
}

function DetailsTab({ editor }: { editor: ToolEditor }) {
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
  const servers = useRead((ask) => ask.servers.list, { enabled: settings !== null });
  const chosen = servers.data?.find(({ name }) => name === settings?.['server'])?.id;
  const detail = useRead((ask) => ask.servers.get, {
    input: { id: chosen ?? '' },
    enabled: chosen !== undefined,
  });
  return {
    servers: [...new Set([...(servers.data ?? []).map(({ name }) => name), 'todo'])],
    tools: detail.data?.listing?.tools.map(({ name }) => name) ?? [],
  };
}

/** The secrets that a tool needs: their names, which are part of a version, and their values. */
function SecretsTab({ editor, tool }: { editor: ToolEditor; tool: ManagedTool | null }) {
  const { draft, change, problemsOf } = editor;
  const names = declaredSecrets(draft.executorConfig);
  const isScript = draft.executorType === 'python' || draft.executorType === 'shell';
  return (
    <Stack gap="lg" maw={860}>
      {names === null ? (
        <Notice tone="warning">
          Fix the executor settings under Details first. They name the secrets of the tool.
        </Notice>
      ) : (
        <TagsInput
          label="Names"
          description={
            isScript
              ? 'Such as API_KEY. The script reads each one as an environment variable of this name.'
              : 'Such as API_KEY. Insert each one in the executor settings as ${secret:API_KEY}.'
          }
          placeholder={names.length === 0 ? 'Type a name and press Enter' : ''}
          styles={{ pill: { fontFamily: 'var(--ts-mono)' } }}
          splitChars={[',', ' ']}
          value={names}
          error={problemsOf('executorConfig.secrets')[0]?.message}
          onChange={(next) =>
            change({ executorConfig: withDeclaredSecrets(draft.executorConfig, next) })
          }
        />
      )}
      {tool !== null && <Values tool={tool} names={names ?? []} />}
      {tool === null && (names ?? []).length > 0 && (
        <p className="ts-quiet">
          Save the tool, then enter the values here. They are never part of the tool.
        </p>
      )}
    </Stack>
  );
}

function Values({ tool, names }: { tool: ManagedTool; names: readonly string[] }) {
  const secrets = useRead((ask) => ask.workshop.secrets, { input: { id: tool.id } });
  return (
    <Section title="Values">
      <Loaded query={secrets} blocks={[56]}>
        {(found) => {
          const unsaved = names.filter((name) => !found.some((each) => each.name === name));
          return (
            <Stack gap="sm">
              {found.length === 0 && unsaved.length === 0 && (
                <p className="ts-quiet">
                  This tool needs no secrets. Add a name above for a token or a password, so that it
                  is part of neither the script nor the settings.
                </p>
              )}
              {found.length > 0 && (
                <RowList label="Values of secrets">
                  {found.map((secret) => (
                    <ValueRow key={secret.name} secret={secret} />
                  ))}
                </RowList>
              )}
              {unsaved.length > 0 && (
                <p className="ts-quiet">
                  Save the tool to enter {unsaved.length === 1 ? 'the value of' : 'the values of'}{' '}
                  <span className="ts-mono ts-foreign">{unsaved.join(', ')}</span>.
                </p>
              )}
              {found.length > 0 && (
                <p className="ts-quiet">
                  Only this tool gets them, and they are removed from everything it returns. A value
                  that an MCP client passes in its <span className="ts-mono">env</span> is used
                  instead for the calls of that client.
                </p>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Section>
  );
}

function ValueRow({ secret: { toolId: id, name, place } }: { secret: ToolSecret }) {
  const { client, queries, reread } = useApi();
  const save = useMutation({
    mutationFn: (value: string | null) =>
      value === null
        ? client.workshop.removeSecret({ id, name })
        : client.workshop.setSecret({ id, name, value }),
    onSuccess: () => reread(queries.workshop.secrets),
  });
  return (
    <SecretRow
      name={name}
      note={place === null ? 'not set: the tool can’t run' : keyPlaceWords[place]}
      isSet={place !== null}
      removable={place !== null && place !== 'environment'}
      saving={save.isPending}
      error={save.error}
      onSave={save.mutateAsync}
    />
  );
}
