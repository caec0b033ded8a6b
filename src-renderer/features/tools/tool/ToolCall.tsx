import { Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { Action, submitting } from '../../../ui/fields/controls.tsx';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { Tool } from '../../../../src-shared/domain/tool.ts';
import { useApi } from '../../../api/index.ts';
import { ArgumentsEditor } from '../../../ui/arguments/ArgumentsEditor.tsx';
import { ConfirmCall } from '../../../ui/arguments/ConfirmCall.tsx';
import { ErrorNotice } from '../../../ui/notices/notices.tsx';
import { CodeView, JsonText } from '../../../ui/text/CodeView.tsx';
import { schemaExample } from '../../../../src-shared/domain/schemaExample.ts';
import { effectOf, effectWords } from '../../../../src-shared/display/toolEffect.ts';
import { readToolArguments } from '../../../../src-shared/domain/typedArguments.ts';
import { textOfContent } from './toolCall.ts';
import { formatDuration } from '../../../../src-shared/display/numbers.ts';
import type { z } from 'zod';
import type { callResult } from '../../../../src-shared/contract/servers.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';

/**
 * Calls a tool manually. A tool that is marked as destructive asks first and shows the exact
 * arguments.
 */
export function ToolCall({ serverId, tool }: { serverId: string; tool: Tool }) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [text, setText] = useState(() => JSON.stringify(schemaExample(tool.inputSchema), null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const [asking, setAsking] = useState<JsonObject | null>(null);
  const call = useMutation({
    mutationFn: (given: JsonObject) =>
      client.servers.callTool({ id: serverId, tool: tool.name, arguments: given }),
    // The server may have reported errors or changed tools in the meantime, so its page reloads
    // both.
    onSettled: () =>
      cache.invalidateQueries({ queryKey: queries.servers.get.key({ input: { id: serverId } }) }),
  });
  const effect = effectOf(tool.annotations);

  const submit = (): void => {
    const read = readToolArguments(text);
    setProblem(read.ok ? null : read.problem);
    if (!read.ok) return;
    if (effect === 'destroys') setAsking(read.value);
    else call.mutate(read.value);
  };

  return (
    <form {...submitting(submit)}>
      <Stack gap="md">
        <ArgumentsEditor
          label="Arguments"
          description={effectWords[effect]}
          schema={tool.inputSchema}
          text={text}
          error={problem}
          onText={(next) => {
            setText(next);
            setProblem(null);
          }}
        />
        <Group>
          <Action
            label="Call tool"
            filled
            type="submit"
            icon={IconPlayerPlay}
            loading={call.isPending}
          />
          <p className="ts-hint">This calls the server for real. Evaluations never do.</p>
        </Group>
        <div aria-live="polite">
          <ErrorNotice error={call.error} />
          {call.data !== undefined && <CallOutcome result={call.data} />}
        </div>
      </Stack>
      {asking !== null && (
        <ConfirmCall
          tool={tool.name}
          effect={effectWords.destroys}
          args={asking}
          onCall={() => call.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </form>
  );
}

/** A server's answer, as data: text stays text, everything else is shown as JSON. */
function CallOutcome({ result }: { result: z.infer<typeof callResult> }) {
  return (
    <Stack gap="sm">
      <Group gap="md">
        <StatusBadge
          tone={result.isError ? 'bad' : 'good'}
          label={result.isError ? 'The tool answered with an error' : 'The tool answered'}
        />
        <p className="ts-quiet ts-number">{formatDuration(result.durationMs)}</p>
      </Group>
      {result.content.map((item, index) => {
        const text = textOfContent(item);
        const label = result.content.length > 1 ? `Content ${index + 1}` : 'Content';
        return text === null ? (
          <JsonText key={index} value={item} label={label} />
        ) : (
          <CodeView key={index} text={text} label={label} />
        );
      })}
      {result.content.length === 0 && result.structuredContent === null && (
        <Text c="dimmed">The answer is empty.</Text>
      )}
      {result.structuredContent !== null && (
        <JsonText value={result.structuredContent} label="Structured content" />
      )}
    </Stack>
  );
}
