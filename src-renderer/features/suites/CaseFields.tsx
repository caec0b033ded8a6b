import { Button, Group, Stack, Switch, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { CallFields } from './CallFields.tsx';
import type { CallForm, CaseForm, CaseProblems } from './caseForm.ts';
import type { ToolChoices } from './useToolChoices.ts';
import { counted } from '../../ui/text/words.ts';

interface CaseFieldsProps {
  form: CaseForm;
  problems: CaseProblems;
  choices: ToolChoices;
  /** Tags of other cases in the suite. */
  knownTags: string[];
  onChange: (part: Partial<CaseForm>) => void;
}

export function CaseFields({ form, problems, choices, knownTags, onChange }: CaseFieldsProps) {
  const changeCall = (row: number, part: Partial<CallForm>): void => {
    onChange({ calls: form.calls.map((call) => (call.row === row ? { ...call, ...part } : call)) });
  };
  const addCall = (): void => {
    const row = Math.max(-1, ...form.calls.map((call) => call.row)) + 1;
    onChange({ calls: [...form.calls, { row, tools: [], judged: false, parameters: '{}' }] });
  };
  return (
    <Stack gap="lg">
      <TextInput
        label="Name"
        required
        value={form.name}
        error={problems['name']}
        onChange={(event) => {
          onChange({ name: event.currentTarget.value });
        }}
      />
      <Textarea
        label="Query"
        description="What the model is asked, word for word."
        required
        autosize
        minRows={2}
        maxRows={10}
        value={form.query}
        error={problems['query']}
        onChange={(event) => {
          onChange({ query: event.currentTarget.value });
        }}
      />
      <TagsInput
        label="Tags"
        data={knownTags}
        value={form.tags}
        error={problems['tags']}
        acceptValueOnBlur
        clearable
        onChange={(tags) => {
          onChange({ tags });
        }}
      />
      <TagsInput
        label="Servers"
        description="Whose tools the model sees. Empty: the suite’s servers."
        data={choices.servers}
        value={form.servers}
        error={problems['servers']}
        acceptValueOnBlur
        splitChars={[]}
        onChange={(servers) => {
          onChange({ servers });
        }}
      />
      <Stack gap="sm">
        <Text fw={600} component="h3" m={0}>
          What should happen
        </Text>
        {form.calls.length === 0 && <Text c="dimmed">No tool should be called.</Text>}
        {form.calls.map((call, index) => (
          <CallFields
            key={call.row}
            call={call}
            index={index}
            choices={choices}
            toolsProblem={problems[`calls.${index}.tools`]}
            parametersProblem={problems[`calls.${index}.parameters`]}
            onChange={(part) => {
              changeCall(call.row, part);
            }}
            onRemove={() => {
              onChange({ calls: form.calls.filter((other) => other.row !== call.row) });
            }}
          />
        ))}
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={addCall}
          >
            Add expected call
          </Button>
        </Group>
        {form.calls.length > 1 && (
          <Switch
            label="In this order"
            description="The first actual call answers the first expected one, and so on."
            checked={form.orderDependent}
            onChange={(event) => {
              onChange({ orderDependent: event.currentTarget.checked });
            }}
          />
        )}
      </Stack>
      <TagsInput
        label="Allowed beside it"
        description="Calls of these tools are ignored: a look-up before the act."
        data={choices.groups}
        value={form.allowed}
        error={problems['allowed']}
        acceptValueOnBlur
        splitChars={[]}
        onChange={(allowed) => {
          onChange({ allowed });
        }}
      />
      <TextInput
        label="Key"
        description="Its id in the suite file; unique in the suite. Empty: one is made from the name."
        value={form.key}
        error={problems['key']}
        styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
        onChange={(event) => {
          onChange({ key: event.currentTarget.value });
        }}
      />
      {form.stubResults.length > 0 && (
        <Text size="sm" c="dimmed">
          This case keeps {counted(form.stubResults.length, 'stub result')} from its file.
        </Text>
      )}
    </Stack>
  );
}
