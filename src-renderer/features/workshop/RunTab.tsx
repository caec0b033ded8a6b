import { Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { Action, submitting, typed } from '../../ui/fields/controls.tsx';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { schemaExample } from '../../../src-shared/domain/schemaExample.ts';
import { runnableDraft } from '../../../src-shared/domain/toolExamples.ts';
import { isFinal, type ToolExecution } from '../../../src-shared/domain/toolExecution.ts';
import type { ManagedTool, ToolProblem } from '../../../src-shared/domain/workshop.ts';
import { useApi, useRead } from '../../api/index.ts';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { readToolArguments } from '../../../src-shared/domain/typedArguments.ts';
import { describeError } from '../../ui/notices/describeError.ts';
import { ErrorNotice } from '../../ui/notices/notices.tsx';
import { ConfirmRun } from './ConfirmRun.tsx';
import { ExecutionView } from './ExecutionView.tsx';
import { ProblemList } from './ProblemList.tsx';
import { draftOf, readObject } from './toolDraft.ts';
import type { RunState } from './useRunState.ts';
import type { ToolEditor } from './useToolEditor.ts';

interface RunTabProps {
  /** Null for a new tool, of which only the draft runs. */
  tool: ManagedTool | null;
  editor: ToolEditor;
  state: RunState;
}

/**
 * Runs what the editor shows: the latest version, or the draft if it differs. The run continues if
 * the user leaves the page.
 */
export function RunTab({ tool, editor, state }: RunTabProps) {
  const { client, queries, reread } = useApi();
  const isDraft = tool === null || editor.dirty;
  const draft = isDraft ? editor.draft : draftOf(tool.content);
  const schema = readObject(draft.inputSchema);
  const text = state.text ?? JSON.stringify(schemaExample(schema ?? {}), null, 2);
  const [asking, setAsking] = useState<JsonObject | null>(null);
  const [problems, setProblems] = useState<readonly ToolProblem[]>([]);
  const parsed = readToolArguments(text);
  const start = useMutation({
    mutationFn: async (args: JsonObject): Promise<ToolExecution | null> => {
      const call = {
        arguments: args,
        callerId: 'window',
        ...(state.trace.trim() === '' ? {} : { traceId: state.trace.trim() }),
      };
      setProblems([]);
      if (!isDraft) return client.workshop.start({ ...call, tool: tool.id });
      const toolId = tool?.id ?? null;
      const found = await client.workshop.check({ draft: runnableDraft(draft), id: toolId });
      if (found.content !== null)
        return client.workshop.startDraft({ ...call, content: found.content, toolId });
      setProblems(found.problems);
      return null;
    },
    onSuccess: (started) => {
      if (started !== null) state.change({ execution: started.id });
    },
  });
  const cancel = useMutation({
    mutationFn: (id: string) => client.workshop.cancel({ id }),
    onSettled: () => reread(queries.workshop),
  });
  const execution = useRead((ask) => ask.workshop.execution, {
    input: { id: state.execution ?? '' },
    enabled: state.execution !== null,
    refetchInterval: (query) =>
      query.state.data !== undefined && isFinal(query.state.data.status) ? false : 250,
  });
  const active = execution.data !== undefined && !isFinal(execution.data.status);
  const submit = (): void => {
    if (!parsed.ok) return;
    if (isDestructive(draft.executorConfig)) setAsking(parsed.value);
    else start.mutate(parsed.value);
  };
  return (
    <form {...submitting(submit)}>
      <Stack gap="md" maw={860}>
        <p className="ts-quiet">
          {isDraft
            ? 'Your draft runs. Nothing is saved.'
            : `The latest version runs: version ${tool.version}.`}
        </p>
        <ArgumentsEditor
          label="Arguments"
          schema={schema}
          text={text}
          error={parsed.ok ? null : parsed.problem}
          problems={argumentProblems(start.error)}
          onText={(next) => {
            state.change({ text: next });
            start.reset();
          }}
        />
        <TextInput
          label="Trace ID"
          description="Optional. Find the run by it in the execution log."
          maxLength={200}
          maw={360}
          {...typed(state.trace, (trace) => state.change({ trace }))}
        />
        <Group gap="md">
          {active ? (
            <Action
              label="Cancel"
              icon={IconPlayerStop}
              loading={cancel.isPending}
              onClick={() => cancel.mutate(state.execution ?? '')}
            />
          ) : (
            <Action
              label={isDraft ? 'Run draft' : 'Run tool'}
              type="submit"
              filled={!isDraft}
              icon={IconPlayerPlay}
              loading={start.isPending}
              disabled={!parsed.ok}
            />
          )}
          <p className="ts-quiet">
            It runs with your permissions and can read and change what you can.
          </p>
        </Group>
        <div aria-live="polite">
          <ErrorNotice error={start.error} />
          {problems.length > 0 && (
            <ProblemList title="Before you run the draft" problems={problems} />
          )}
          {execution.data !== undefined && <ExecutionView execution={execution.data} />}
        </div>
      </Stack>
      {asking !== null && (
        <ConfirmRun
          name={draft.name}
          given={asking}
          onRun={() => {
            start.mutate(asking);
            setAsking(null);
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </form>
  );
}

function isDestructive(executorConfig: string): boolean {
  const annotations = readObject(executorConfig)?.['annotations'];
  return isJsonObject(annotations) && annotations['destructiveHint'] === true;
}

/** The message of a refused run at the parameter that it names. */
function argumentProblems(error: unknown): Record<string, string> {
  if (error === null) return {};
  const { field, cause } = describeError(error);
  return field?.startsWith('arguments.') === true
    ? { [field.slice('arguments.'.length)]: cause }
    : {};
}
