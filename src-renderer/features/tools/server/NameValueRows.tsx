import { Checkbox, Group, Input, PasswordInput, Stack, TextInput, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Action } from '../../../ui/fields/Action.tsx';
import { isSecret, type NameValue } from './serverForm.ts';
import { RemoveButton } from '../../../ui/fields/RowButtons.tsx';

interface NameValueRowsProps {
  label: string;
  /** What one row is, in the singular. */
  noun: string;
  rows: NameValue[];
  onChange: (rows: NameValue[]) => void;
  error?: string | undefined;
}

/** Pairs of name and value. Values of names that look secret are masked and stored as secrets. */
export function NameValueRows({ label, noun, rows, onChange, error }: NameValueRowsProps) {
  const change = (key: number, part: Partial<NameValue>): void =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <Input.Wrapper label={label} error={error} labelElement="div">
      <Stack gap="xs" mt={4}>
        {rows.map((row, index) => {
          const secret = isSecret(row);
          // A reference shows where its value is kept, not the value.
          const Value = secret && !row.value.startsWith('${') ? PasswordInput : TextInput;
          return (
            <Group key={row.key} gap="xs" wrap="nowrap">
              <TextInput
                flex={2}
                ff="monospace"
                aria-label={`Name of ${noun} ${index + 1}`}
                value={row.name}
                onChange={(event) => change(row.key, { name: event.currentTarget.value })}
              />
              <Value
                flex={3}
                aria-label={`Value of ${noun} ${index + 1}`}
                value={row.value}
                onChange={(event) => change(row.key, { value: event.currentTarget.value })}
              />
              <Tooltip label="Secret: kept in the keychain, the encrypted file, or memory, never in the database">
                <Checkbox
                  aria-label={`Keep the value of ${noun} ${index + 1} secret`}
                  checked={secret}
                  onChange={(event) => change(row.key, { secret: event.currentTarget.checked })}
                />
              </Tooltip>
              <RemoveButton
                label={`Remove ${noun} ${index + 1}`}
                onClick={() => onChange(rows.filter((other) => other.key !== row.key))}
              />
            </Group>
          );
        })}
        <Action
          label={`Add ${noun}`}
          small
          icon={IconPlus}
          style={{ alignSelf: 'flex-start' }}
          onClick={() =>
            onChange([
              ...rows,
              { key: Math.max(-1, ...rows.map((row) => row.key)) + 1, name: '', value: '' },
            ])
          }
        />
      </Stack>
    </Input.Wrapper>
  );
}
