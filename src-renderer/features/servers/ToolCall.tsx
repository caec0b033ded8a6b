import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { useApi } from '../../api/index.ts';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { JsonText } from '../../ui/text/JsonText.tsx';
import { schemaExample } from '../../../src-shared/domain/schemaExample.ts';
import { CallOutcome } from './CallOutcome.tsx';
import { effectOf, effectWords, readToolArguments } from './toolCall.ts';

interface ToolCallProps {
  serverId: string;
  tool: Tool;
}

/**
 * Calls a tool manually. A tool that is marked as destructive asks first and shows the exact
 * arguments.
 */
export function ToolCall({ serverId, tool }: ToolCallProps) {
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
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
          <Button
            type="submit"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={call.isPending}
          >
            Call tool
          </Button>
          <Text size="xs" c="dimmed">
            This calls the server for real. Evaluations never do.
          </Text>
        </Group>
        <div aria-live="polite">
          {call.isError && <ErrorNotice error={call.error} />}
          {call.data !== undefined && <CallOutcome result={call.data} />}
        </div>
      </Stack>
      {asking !== null && (
        <Modal
          opened
          onClose={() => {
            setAsking(null);
          }}
          title={
            <>
              Call “<Foreign text={tool.name} limit={120} />
              ”?
            </>
          }
        >
          <Stack gap="md">
            <Text>
              {effectWords.destroys} Touchstone can’t undo this. The call uses exactly these
              arguments:
            </Text>
            <JsonText value={asking} label="Arguments" />
            <Group>
              <Button
                color="vermilion"
                onClick={() => {
                  setAsking(null);
                  call.mutate(asking);
                }}
              >
                Call tool
              </Button>
              <Button
                variant="default"
                data-autofocus
                onClick={() => {
                  setAsking(null);
                }}
              >
                Cancel
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </form>
  );
}
