import { Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Action } from '../../ui/fields/Action.tsx';
import { passphrase } from '../../../src-shared/domain/keys.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';

const labels = {
  current: 'Passphrase',
  next: 'New passphrase',
  repeated: 'Repeat new passphrase',
} as const;
type Field = keyof typeof labels;
type Values = Record<Field, string>;
const empty: Values = { current: '', next: '', repeated: '' };

interface PassphraseFormProps {
  /** The text of the button. */
  action: string;
  fields: readonly Field[];
  send: (values: Values) => Promise<unknown>;
  onDone?: () => void;
  /** What the action does. */
  children?: ReactNode;
}

/** Passphrases that an action on the encrypted file needs. They are forgotten once they are sent. */
export function PassphraseForm({ action, fields, send, onDone, children }: PassphraseFormProps) {
  const cache = useQueryClient();
  const [values, setValues] = useState(empty);
  const save = useMutation({
    mutationFn: () => send(values),
    onSuccess: async () => {
      setValues(empty);
      // Servers and models can be used again when keys are there.
      await cache.invalidateQueries();
      onDone?.();
    },
  });
  const problems = problemsOf(values, fields);
  const isComplete = fields.every((field) => values[field] !== '' && problems[field] === undefined);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) save.mutate();
      }}
    >
      <Stack gap="sm">
        {children !== undefined && <Text size="sm">{children}</Text>}
        <Group align="flex-start" gap="sm">
          {fields.map((field) => (
            <PasswordInput
              key={field}
              label={labels[field]}
              autoComplete="off"
              w={240}
              value={values[field]}
              error={values[field] === '' ? undefined : problems[field]}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setValues((before) => ({ ...before, [field]: value }));
              }}
            />
          ))}
          <Action
            label={action}
            filled
            type="submit"
            // Level with the fields, below their labels.
            mt={fields.length === 0 ? 0 : 19}
            disabled={!isComplete}
            loading={save.isPending}
          />
        </Group>
        {save.error !== null && <ErrorNotice error={save.error} />}
      </Stack>
    </form>
  );
}

function problemsOf(values: Values, fields: readonly Field[]): Partial<Record<Field, string>> {
  const next = passphrase.safeParse(values.next);
  return {
    ...(fields.includes('next') &&
      !next.success && { next: next.error.issues[0]?.message ?? 'Can’t use this passphrase.' }),
    ...(fields.includes('repeated') &&
      values.repeated !== values.next && { repeated: 'The passphrases don’t match.' }),
  };
}
