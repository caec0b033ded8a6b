import { Group, Input, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Suite } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { errorOfField } from '../../ui/notices/describeError.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { ArgumentsModeField } from '../../ui/fields/ArgumentsModeField.tsx';
import { FormPanel } from '../../ui/fields/FormPanel.tsx';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { formOfSuite, inputOfSuiteForm, type SuiteForm } from './suiteForm.ts';
import { AddButton, RemoveButton } from '../../ui/fields/RowButtons.tsx';

interface SuitePanelProps {
  /** Null creates a new suite. */
  suite: Suite | null;
  onClose: () => void;
  onSaved?: (suite: Suite) => void;
}

/** What all cases of a suite share: name, servers, system prompt, prior messages. */
export function SuitePanel({ suite, onClose, onSaved }: SuitePanelProps) {
  const { client, queries, reread } = useApi();
  const servers = useQuery(queries.servers.list.queryOptions());
  const [form, setForm] = useState<SuiteForm>(() => formOfSuite(suite));
  const [nameless, setNameless] = useState(false);
  const save = useMutation({
    mutationFn: (given: SuiteForm) => {
      const input = inputOfSuiteForm(given);
      return suite === null
        ? client.suites.create(input)
        : client.suites.update({ ...input, id: suite.id });
    },
    onSuccess: async (saved) => {
      await reread(queries.suites);
      showDone(suite === null ? `Created suite “${saved.name}”.` : `Saved suite “${saved.name}”.`);
      onClose();
      onSaved?.(saved);
    },
  });
  const change = (part: Partial<SuiteForm>): void => {
    setForm({ ...form, ...part });
    setNameless(false);
    if (save.isError) save.reset();
  };
  return (
    <FormPanel
      title={suite === null ? 'New suite' : 'Suite settings'}
      saveLabel={suite === null ? 'Create suite' : 'Save suite'}
      saving={save.isPending}
      onSubmit={() => {
        if (form.name.trim() === '') setNameless(true);
        else save.mutate(form);
      }}
      onClose={onClose}
    >
      {save.isError && <ErrorNotice error={save.error} />}
      <TextInput
        label="Name"
        required
        value={form.name}
        error={nameless ? 'A suite needs a name.' : errorOfField(save.error, 'name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <TagsInput
        label="Servers"
        description="Used unless a case names its own servers."
        data={servers.data?.map((server) => server.name) ?? []}
        value={form.servers}
        error={errorOfField(save.error, 'servers')}
        acceptValueOnBlur
        splitChars={[]}
        onChange={(names) => change({ servers: names })}
      />
      <Textarea
        label="System prompt"
        description="Sent before every query. If empty, none is sent."
        autosize
        minRows={3}
        maxRows={14}
        value={form.system}
        onChange={(event) => change({ system: event.currentTarget.value })}
      />
      <ArgumentsModeField
        value={form.argumentsMode}
        inherited="As in the evaluation"
        onChange={(argumentsMode) => change({ argumentsMode })}
      />
      <PriorMessages messages={form.messages} onChange={(messages) => change({ messages })} />
    </FormPanel>
  );
}

interface PriorMessagesProps {
  messages: SuiteForm['messages'];
  onChange: (messages: SuiteForm['messages']) => void;
}

function PriorMessages({ messages, onChange }: PriorMessagesProps) {
  const change = (row: number, part: Partial<SuiteForm['messages'][number]>): void =>
    onChange(messages.map((message) => (message.row === row ? { ...message, ...part } : message)));
  const add = (): void => {
    const row = Math.max(-1, ...messages.map((message) => message.row)) + 1;
    onChange([
      ...messages,
      { row, role: messages.at(-1)?.role === 'user' ? 'assistant' : 'user', content: '' },
    ]);
  };
  return (
    <Input.Wrapper
      label="Prior messages"
      description="A conversation that is sent before every query."
      labelElement="div"
    >
      <Stack gap="sm" mt="xs">
        {messages.map((message, index) => (
          <Group key={message.row} gap="xs" wrap="nowrap" align="flex-start">
            <Select
              w={120}
              aria-label={`Role of message ${index + 1}`}
              allowDeselect={false}
              data={[
                { value: 'user', label: 'User' },
                { value: 'assistant', label: 'Assistant' },
              ]}
              value={message.role}
              onChange={(role) =>
                change(message.row, { role: role === 'assistant' ? 'assistant' : 'user' })
              }
            />
            <Textarea
              flex={1}
              aria-label={`Text of message ${index + 1}`}
              autosize
              minRows={1}
              maxRows={8}
              value={message.content}
              onChange={(event) => change(message.row, { content: event.currentTarget.value })}
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
