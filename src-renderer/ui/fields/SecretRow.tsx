import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ErrorNotice } from '../notices/ErrorNotice.tsx';
import { PlainText } from '../text/PlainText.tsx';

interface SecretRowProps {
  name: string;
  /** Whether and where it is set, and what it is for. */
  note: ReactNode;
  isSet: boolean;
  /** False where only something outside of the program can set it. */
  settable?: boolean;
  removable: boolean;
  /** Hides what is typed; default: true. */
  hidden?: boolean;
  saving: boolean;
  error: unknown;
  /** Null removes the value. Resolves when it is saved. */
  onSave: (value: string | null) => Promise<unknown>;
}

/** One value that can be set and is never shown, as an entry of a list. */
export function SecretRow({
  name,
  note,
  isSet,
  settable = true,
  removable,
  hidden = true,
  saving,
  error,
  onSave,
}: SecretRowProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const Field = hidden ? PasswordInput : TextInput;
  return (
    <li>
      <Stack gap={4} flex={1} miw={0}>
        <Text className="ts-mono ts-foreign" size="sm">
          <PlainText text={name} />
        </Text>
        <Text size="xs" c="dimmed" className="ts-foreign">
          {note}
        </Text>
        {typed !== null && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (typed === '') return;
              onSave(typed).then(
                () => setTyped(null),
                () => undefined,
              );
            }}
          >
            <Group gap="sm" wrap="nowrap">
              <Field
                flex={1}
                data-autofocus
                autoFocus
                autoComplete="off"
                aria-label={`Value of ${name}`}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
              <Button
                type="submit"
                size="sm"
                variant="default"
                disabled={typed === ''}
                loading={saving}
              >
                Save
              </Button>
              <Button size="sm" variant="default" onClick={() => setTyped(null)}>
                Cancel
              </Button>
            </Group>
          </form>
        )}
        {error !== null && <ErrorNotice error={error} />}
      </Stack>
      {settable && typed === null && (
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${isSet ? 'Replace' : 'Set'} ${name}`}
            onClick={() => setTyped('')}
          >
            {isSet ? 'Replace' : 'Set'}
          </Button>
          {removable && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="vermilion"
              aria-label={`Remove ${name}`}
              loading={saving}
              onClick={() => void onSave(null).catch(() => undefined)}
            >
              Remove
            </Button>
          )}
        </Group>
      )}
    </li>
  );
}
