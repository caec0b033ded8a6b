import { Group, Stack, Text, PasswordInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Action, submitting } from '../../ui/fields/controls.tsx';
import { type KeyList, passphrase } from '../../../src-shared/domain/keys.ts';
import { useApi } from '../../api/index.ts';
import { ErrorNotice, Notice } from '../../ui/notices/notices.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';

/** Says where keys are kept, and offers the encrypted file. */
export function KeyStore({ store, keychain }: Pick<KeyList, 'store' | 'keychain'>) {
  if (store.locked) return <LockedFile problem={store.problem} />;
  if (store.kind === 'file') return <OpenFile keychain={keychain} />;
  return <WithoutFile keychain={keychain} />;
}

function LockedFile({ problem }: { problem: string | null }) {
  const { client } = useApi();
  const [discarding, setDiscarding] = useState(false);
  return (
    <Notice tone="warning">
      <Stack gap="sm">
        <Text>
          <Foreign text={problem ?? 'The key file is locked.'} limit={200} /> Its keys can’t be
          used. New keys stay in memory until you unlock it.
        </Text>
        <PassphraseForm
          action="Unlock"
          fields={['current']}
          send={({ current }) => client.keys.unlock({ passphrase: current })}
        />
        <Group>
          <Action
            label="Delete key file…"
            small
            variant="subtle"
            color="gray"
            onClick={() => setDiscarding(true)}
          />
        </Group>
        {discarding && <DiscardKeys onClose={() => setDiscarding(false)} />}
      </Stack>
    </Notice>
  );
}

function OpenFile({ keychain }: Pick<KeyList, 'keychain'>) {
  const { client } = useApi();
  const [changing, setChanging] = useState(false);
  const [leaving, setLeaving] = useState(false);
  return (
    <Stack gap="sm">
      <Text size="sm">
        Keys are kept in an encrypted file in this workspace, unlocked until Touchstone closes.
      </Text>
      <Group gap="sm">
        <Action
          label="Change passphrase"
          onClick={() => setChanging(!changing)}
          aria-expanded={changing}
        />
        <Action
          label="Turn off the file"
          variant="subtle"
          color="gray"
          onClick={() => setLeaving(!leaving)}
          aria-expanded={leaving}
        />
      </Group>
      {changing && (
        <PassphraseForm
          action="Change passphrase"
          fields={['current', 'next', 'repeated']}
          send={({ current, next }) => client.keys.changePassphrase({ current, next })}
          onDone={() => setChanging(false)}
        />
      )}
      {leaving && (
        <PassphraseForm
          action={keychain.available ? 'Move keys to the keychain' : 'Keep keys in memory'}
          fields={[]}
          send={() => client.keys.leaveFile({ discard: false })}
          onDone={() => setLeaving(false)}
        >
          {keychain.available
            ? 'The keys move to the system keychain, and the file is deleted.'
            : 'The file is deleted. The keys stay in memory until Touchstone closes.'}
        </PassphraseForm>
      )}
    </Stack>
  );
}

function WithoutFile({ keychain }: Pick<KeyList, 'keychain'>) {
  const { client } = useApi();
  const [creating, setCreating] = useState(false);
  const form = creating ? (
    <PassphraseForm
      action="Turn on"
      fields={['next', 'repeated']}
      send={({ next }) => client.keys.useFile({ passphrase: next })}
    >
      Keys are encrypted with a passphrase that you enter after each start. There is no way to
      recover it.
    </PassphraseForm>
  ) : (
    <Group>
      <Action label="Use an encrypted file" onClick={() => setCreating(true)} />
    </Group>
  );
  if (keychain.available)
    return (
      <Stack gap="sm">
        <Text size="sm">Keys are kept in the system keychain.</Text>
        {form}
      </Stack>
    );
  return (
    <Notice tone="warning">
      <Stack gap="sm">
        <Text>
          No keychain here (
          <Foreign text={keychain.reason ?? 'no reason given'} limit={200} />
          ). Keys stay in memory until Touchstone closes. Environment variables are not affected.
        </Text>
        {form}
      </Stack>
    </Notice>
  );
}

/** Asks before the file is removed with keys that nobody can read any more. */
function DiscardKeys({ onClose }: { onClose: () => void }) {
  const { client, reread } = useApi();
  const discard = useMutation({
    mutationFn: () => client.keys.leaveFile({ discard: true }),
    onSuccess: async () => {
      onClose();
      await reread();
    },
  });
  return (
    <ConfirmDialog
      title="Delete the key file"
      confirm="Delete key file"
      danger
      loading={discard.isPending}
      error={discard.error}
      onConfirm={() => discard.mutate()}
      onClose={onClose}
    >
      <Text>
        This deletes all keys in the file, including secrets of servers and tools. You have to enter
        them again.
      </Text>
    </ConfirmDialog>
  );
}

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
function PassphraseForm({ action, fields, send, onDone, children }: PassphraseFormProps) {
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
      {...submitting(() => {
        if (isComplete) save.mutate();
      })}
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
        <ErrorNotice error={save.error} />
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
