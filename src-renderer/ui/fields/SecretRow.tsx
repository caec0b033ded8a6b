import { Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Action, submitting } from './controls.tsx';
import { ErrorNotice } from '../notices/notices.tsx';
import { PlainText } from '../text/Foreign.tsx';

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
export function SecretRow(props: SecretRowProps) {
  const { name, note, isSet, settable = true, removable, hidden = true, saving, error } = props;
  const { onSave } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const Field = hidden ? PasswordInput : TextInput;
  return (
    <li>
      <Stack gap={4} flex={1} miw={0}>
        <Text className="ts-mono ts-foreign" size="sm">
          <PlainText text={name} />
        </Text>
        <p className="ts-hint ts-foreign">{note}</p>
        {typed !== null && (
          <form
            {...submitting(() => {
              if (typed === '') return;
              onSave(typed).then(
                () => setTyped(null),
                () => undefined,
              );
            })}
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
              <Action
                label="Save"
                type="submit"
                size="sm"
                disabled={typed === ''}
                loading={saving}
              />
              <Action label="Cancel" size="sm" onClick={() => setTyped(null)} />
            </Group>
          </form>
        )}
        <ErrorNotice error={error} />
      </Stack>
      {settable && typed === null && (
        <Group gap="xs" wrap="nowrap">
          <Action
            label={isSet ? 'Replace' : 'Set'}
            small
            aria-label={`${isSet ? 'Replace' : 'Set'} ${name}`}
            onClick={() => setTyped('')}
          />
          {removable && (
            <Action
              label="Remove"
              small
              variant="subtle"
              color="vermilion"
              aria-label={`Remove ${name}`}
              loading={saving}
              onClick={() => void onSave(null).catch(() => undefined)}
            />
          )}
        </Group>
      )}
    </li>
  );
}
