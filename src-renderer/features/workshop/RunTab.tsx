import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { isFinal } from '../../../src-shared/domain/toolExecution.ts';
import type { ManagedTool } from '../../../src-shared/domain/workshop.ts';
import { useApi } from '../../api/index.ts';
import { CodeEditor } from '../../ui/editor/CodeEditor.tsx';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { schemaExample } from '../../../src-shared/domain/schemaExample.ts';
import { ArgumentFields } from './ArgumentFields.tsx';
import { ConfirmRun } from './ConfirmRun.tsx';
import { ExecutionView } from './ExecutionView.tsx';
import { readPlainSchema } from './plainSchema.ts';

interface RunTabProps {
  tool: ManagedTool;
  /** True if the editor has unsaved changes, which don't run. */
  dirty: boolean;
}

/** Runs the latest version manually. The run continues if the user leaves the page. */
export function RunTab({ tool, dirty }: RunTabProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const { content } = tool;
  const [text, setText] = useState(() =>
    JSON.stringify(schemaExample(content.inputSchema), null, 2),
  );
  const [asking, setAsking] = useState<JsonObject | null>(null);
  const [running, setRunning] = useState<string | null>(null);
  const plain = readPlainSchema(JSON.stringify(content.inputSchema));
  const [wish, setWish] = useState<'form' | 'json'>('form');
  const parsed = parseArguments(text);
  const view = plain === null || parsed.value === null ? 'json' : wish;
  const start = useMutation({
    mutationFn: (args: JsonObject) =>
      client.workshop.start({ tool: tool.id, arguments: args, callerId: 'window' }),
    onSuccess: ({ id }) => {
      setRunning(id);
    },
  });
  const cancel = useMutation({
    mutationFn: (id: string) => client.workshop.cancel({ id }),
    onSettled: () => cache.invalidateQueries({ queryKey: queries.workshop.key() }),
  });
  const execution = useQuery({
    ...queries.workshop.execution.queryOptions({ input: { id: running ?? '' } }),
    enabled: running !== null,
    refetchInterval: (query) =>
      query.state.data !== undefined && isFinal(query.state.data.status) ? false : 250,
  });
  const active = execution.data !== undefined && !isFinal(execution.data.status);
  const submit = (): void => {
    if (parsed.value === null) return;
    if (content.executorConfig.annotations.destructiveHint === true) setAsking(parsed.value);
    else start.mutate(parsed.value);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md" maw={860}>
        {dirty && (
          <Notice tone="warning">
            Version {tool.version} runs as saved. Save to run your changes.
          </Notice>
        )}
        {plain !== null && (
          <Group>
            <SegmentedControl
              size="xs"
              aria-label="Argument input"
              value={view}
              data={[
                { value: 'form', label: 'Form', disabled: parsed.value === null },
                { value: 'json', label: 'JSON' },
              ]}
              onChange={(value) => {
                setWish(value === 'form' ? 'form' : 'json');
              }}
            />
          </Group>
        )}
        {view === 'form' && plain !== null && parsed.value !== null ? (
          <ArgumentFields
            parameters={plain}
            value={parsed.value}
            onChange={(value) => {
              setText(JSON.stringify(value, null, 2));
              start.reset();
            }}
            error={start.error}
          />
        ) : (
          <CodeEditor
            label="Arguments"
            description="A JSON object."
            language="json"
            height={180}
            value={text}
            onChange={(next) => {
              setText(next);
              start.reset();
            }}
            problems={
              parsed.problem === null ? [] : [{ message: parsed.problem, line: null, column: null }]
            }
          />
        )}
        <Group gap="md">
          {active ? (
            <Button
              variant="default"
              leftSection={<IconPlayerStop size={16} aria-hidden />}
              loading={cancel.isPending}
              onClick={() => {
                cancel.mutate(running ?? '');
              }}
            >
              Cancel
            </Button>
          ) : (
            <Button
              type="submit"
              leftSection={<IconPlayerPlay size={16} aria-hidden />}
              loading={start.isPending}
              disabled={parsed.value === null}
            >
              Run tool
            </Button>
          )}
          <Text size="sm" c="dimmed">
            It runs with your permissions and can read and change what you can.
          </Text>
        </Group>
        <div aria-live="polite">
          {start.isError && <ErrorNotice error={start.error} />}
          {execution.data !== undefined && <ExecutionView execution={execution.data} />}
        </div>
      </Stack>
      {asking !== null && (
        <ConfirmRun
          name={content.name}
          given={asking}
          onRun={() => {
            start.mutate(asking);
            setAsking(null);
          }}
          onClose={() => {
            setAsking(null);
          }}
        />
      )}
    </form>
  );
}

function parseArguments(text: string): { value: JsonObject | null; problem: string | null } {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    if (isJsonObject(value)) return { value, problem: null };
    return { value: null, problem: 'Arguments are a JSON object: { "name": value }.' };
  } catch (error) {
    return {
      value: null,
      problem: `Invalid JSON: ${errorText(error)}.`,
    };
  }
}
