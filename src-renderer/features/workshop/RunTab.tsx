import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { isFinal } from '../../../src-shared/domain/toolExecution.ts';
import type { ManagedTool } from '../../../src-shared/domain/workshop.ts';
import { useApi } from '../../api/index.ts';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { describeError } from '../../ui/notices/describeError.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { schemaExample } from '../../../src-shared/domain/schemaExample.ts';
import { ConfirmRun } from './ConfirmRun.tsx';
import { ExecutionView } from './ExecutionView.tsx';

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
  const [trace, setTrace] = useState('');
  const parsed = parseArguments(text);
  const start = useMutation({
    mutationFn: (args: JsonObject) =>
      client.workshop.start({
        tool: tool.id,
        arguments: args,
        callerId: 'window',
        ...(trace.trim() === '' ? {} : { traceId: trace.trim() }),
      }),
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
        <ArgumentsEditor
          label="Arguments"
          schema={content.inputSchema}
          text={text}
          error={parsed.problem}
          problems={argumentProblems(start.error)}
          onText={(next) => {
            setText(next);
            start.reset();
          }}
        />
        <TextInput
          label="Trace ID"
          description="Optional. Find the run by it in the execution log."
          maxLength={200}
          maw={360}
          value={trace}
          onChange={(event) => {
            setTrace(event.currentTarget.value);
          }}
        />
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

/** The message of a refused run at the parameter that it names. */
function argumentProblems(error: unknown): Record<string, string> {
  if (error === null) return {};
  const { field, cause } = describeError(error);
  return field?.startsWith('arguments.') === true
    ? { [field.slice('arguments.'.length)]: cause }
    : {};
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
