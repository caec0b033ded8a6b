import { Group, Input, Select, Stack, Textarea } from '@mantine/core';
import type { PriorMessage } from '../../../src-shared/domain/testCase.ts';
import { AddButton, RemoveButton, choosing, options, typed } from '../../ui/fields/controls.tsx';

/** A message with the row that identifies it while it is edited. */
export type MessageForm = PriorMessage & { row: number };

export const formOfMessages = (messages: readonly PriorMessage[] = []): MessageForm[] =>
  messages.map((message, row) => ({ ...message, row }));

/** Without those that have no text. */
export const messagesOfForm = (messages: readonly MessageForm[]): PriorMessage[] =>
  messages.filter(({ content }) => content !== '').map(({ role, content }) => ({ role, content }));

interface PriorMessagesProps {
  description: string;
  messages: MessageForm[];
  onChange: (messages: MessageForm[]) => void;
}

/** The conversation before a query, one row per message. */
export function PriorMessages({ description, messages, onChange }: PriorMessagesProps) {
  const change = (row: number, part: Partial<MessageForm>): void =>
    onChange(messages.map((message) => (message.row === row ? { ...message, ...part } : message)));
  const add = (): void => {
    const row = Math.max(-1, ...messages.map((message) => message.row)) + 1;
    onChange([
      ...messages,
      { row, role: messages.at(-1)?.role === 'user' ? 'assistant' : 'user', content: '' },
    ]);
  };
  return (
    <Input.Wrapper label="Prior messages" description={description} labelElement="div">
      <Stack gap="sm" mt="xs">
        {messages.map((message, index) => (
          <Group key={message.row} gap="xs" wrap="nowrap" align="flex-start">
            <Select
              w={120}
              aria-label={`Role of message ${index + 1}`}
              data={options({ user: 'User', assistant: 'Assistant' })}
              {...choosing(message.role, (role) => change(message.row, { role }))}
            />
            <Textarea
              flex={1}
              aria-label={`Text of message ${index + 1}`}
              minRows={1}
              maxRows={8}
              {...typed(message.content, (content) => change(message.row, { content }))}
            />
            <RemoveButton
              label={`Remove message ${index + 1}`}
              mt={4}
              onClick={() => onChange(messages.filter((other) => other.row !== message.row))}
            />
          </Group>
        ))}
        <AddButton label="Add message" onClick={add} />
      </Stack>
    </Input.Wrapper>
  );
}
