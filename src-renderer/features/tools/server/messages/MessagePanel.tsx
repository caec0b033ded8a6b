import { Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { Action } from '../../../../ui/fields/controls.tsx';
import { formatBytes, formatDuration } from '../../../../../src-shared/display/numbers.ts';
import { effectOf, effectWords } from '../../../../../src-shared/display/toolEffect.ts';
import type { JsonObject } from '../../../../../src-shared/domain/json.ts';
import type { ProtocolMessage } from '../../../../../src-shared/domain/protocolMessage.ts';
import { useApi, useRead } from '../../../../api/index.ts';
import { ConfirmCall } from '../../../../ui/arguments/ConfirmCall.tsx';
import { Fields } from '../../../../ui/fields/Fields.tsx';
import { ErrorNotice, Loaded } from '../../../../ui/notices/notices.tsx';
import { SidePanel } from '../../../../ui/panels/panels.tsx';
import { CodeView } from '../../../../ui/text/CodeView.tsx';
import { directionWords, indentJson, messageName, timeOfDay } from './messageTexts.ts';

interface MessagePanelProps {
  serverId: string;
  message: ProtocolMessage;
  /** The answer of a request, or the request of an answer, if it is in the list. */
  other: ProtocolMessage | null;
  /** What the server says about the tool of a call; null if it isn't in its last listing. */
  annotations: JsonObject | null;
  onOther: (message: ProtocolMessage) => void;
  /** Called when a call was sent again. */
  onSent: () => void;
  onClose: () => void;
}

/** One line of the log, whole. A call can be sent again. */
export function MessagePanel(props: MessagePanelProps) {
  const { serverId, message, other, annotations, onOther, onSent, onClose } = props;
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const input = { id: serverId, seq: message.seq };
  const text = useRead((ask) => ask.servers.message, { input, staleTime: Infinity });
  const repeat = useMutation({
    mutationFn: () => client.servers.repeatCall(input),
    onMutate: onSent,
    onSettled: () =>
      cache.invalidateQueries({ queryKey: queries.servers.get.key({ input: { id: serverId } }) }),
  });
  const effect = effectOf(annotations);
  const isCall = message.kind === 'request' && message.from === 'client' && message.tool !== null;
  return (
    <SidePanel
      title={messageName(message)}
      subtitle={`${directionWords[message.from]}, ${timeOfDay(message.at)}`}
      contentKey={String(message.seq)}
      takeFocus={false}
      onClose={onClose}
    >
      <Group gap="sm" mb="sm">
        {other !== null && (
          <Action
            label={other.answers === message.seq ? 'Show its answer' : 'Show its request'}
            size="xs"
            onClick={() => onOther(other)}
          />
        )}
        {isCall && !message.isCut && (
          <Action
            label="Send again"
            size="xs"
            icon={IconRepeat}
            loading={repeat.isPending}
            onClick={() => {
              if (effect === 'destroys') setAsking(true);
              else repeat.mutate();
            }}
          />
        )}
      </Group>
      <ErrorNotice error={repeat.error} />
      <Fields rows={factsOf(message)} />
      <Loaded query={text} blocks={[160]}>
        {(found) => (
          <>
            <CodeView text={indentJson(found.text)} label={cutLabel(message)} maxHeight={480} />
            {isAsking && (
              <ConfirmCall
                tool={message.tool ?? ''}
                effect={effectWords.destroys}
                args={argumentsIn(found.text)}
                onCall={() => repeat.mutate()}
                onClose={() => setAsking(false)}
              />
            )}
          </>
        )}
      </Loaded>
    </SidePanel>
  );
}

const cutLabel = ({ isCut, bytes }: ProtocolMessage): string =>
  isCut ? `Message, the beginning of ${formatBytes(bytes)}` : 'Message';

function factsOf({ connection, messageId, durationMs, bytes }: ProtocolMessage) {
  return [
    { name: 'Connection', value: String(connection) },
    ...(messageId === null ? [] : [{ name: 'ID', value: messageId }]),
    ...(durationMs === null ? [] : [{ name: 'Answered after', value: formatDuration(durationMs) }]),
    ...(bytes === 0 ? [] : [{ name: 'Size', value: formatBytes(bytes) }]),
  ];
}

/** The arguments of a call as they are shown, with hidden secrets. */
function argumentsIn(text: string): unknown {
  const { params } = JSON.parse(text) as { params: JsonObject };
  return params['arguments'] ?? {};
}
