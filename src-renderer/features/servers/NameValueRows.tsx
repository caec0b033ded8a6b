import { ActionIcon, Button, Group, Input, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { looksSecret, type NameValue } from './serverForm.ts';

interface NameValueRowsProps {
  label: string;
  /** What one row is, in the singular. */
  noun: string;
  rows: NameValue[];
  onChange: (rows: NameValue[]) => void;
  error?: string | undefined;
}

/** Pairs of name and value; values of telling names are covered until asked for. */
export function NameValueRows({ label, noun, rows, onChange, error }: NameValueRowsProps) {
  const change = (key: number, part: Partial<NameValue>): void => {
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  };
  return (
    <Input.Wrapper label={label} error={error} labelElement="div">
      <Stack gap="xs" mt={4}>
        {rows.map((row, index) => {
          const Value = looksSecret(row.name) ? PasswordInput : TextInput;
          return (
            <Group key={row.key} gap="xs" wrap="nowrap">
              <TextInput
                flex={2}
                ff="monospace"
                aria-label={`Name of ${noun} ${index + 1}`}
                value={row.name}
                onChange={(event) => {
                  change(row.key, { name: event.currentTarget.value });
                }}
              />
              <Value
                flex={3}
                aria-label={`Value of ${noun} ${index + 1}`}
                value={row.value}
                onChange={(event) => {
                  change(row.key, { value: event.currentTarget.value });
                }}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${noun} ${index + 1}`}
                onClick={() => {
                  onChange(rows.filter((other) => other.key !== row.key));
                }}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
          );
        })}
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => {
            onChange([...rows, { key: Math.max(-1, ...rows.map((row) => row.key)) + 1, name: '', value: '' }]);
          }}
        >
          Add {noun}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
