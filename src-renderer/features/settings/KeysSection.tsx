import { Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Action, submitting, typed } from '../../ui/fields/controls.tsx';
import {
  keyText,
  keyVariableOf,
  type KeyList,
  type KeyPlace,
  passphrase,
} from '../../../src-shared/domain/keys.ts';
import { providerTable } from '../../../src-shared/domain/provider.ts';
import { useApi, useRead } from '../../api/index.ts';
import { ErrorNotice, Loaded, Notice } from '../../ui/notices/notices.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { ConfirmDialog } from '../../ui/panels/ConfirmDialog.tsx';

export const places: Record<KeyPlace, string> = {
  keychain: 'in the keychain',
  file: 'in the file',
  memory: 'in memory',
  environment: 'environment',
};

/** Keys can be set but are never shown: the page only learns whether one is set. */
export function KeysSection() {
  const list = useRead((ask) => ask.keys.list, { staleTime: 0 });
  return (
    <Section title="Provider keys">
      <div id="keys">
        <Loaded query={list} blocks={[60, 60, 60]}>
          {({ keys, store, keychain }) => (
            <Stack gap="md">
              <KeyStore store={store} keychain={keychain} />
              {keys.map((key) => (
                <KeyRow key={key.provider} {...key} />
              ))}
            </Stack>
          )}
        </Loaded>
      </div>
    </Section>
  );
}

function KeyRow({ provider, status, place }: KeyList['keys'][number]) {
  const { client, queries, reread } = useApi();
  const [entered, setEntered] = useState('');
  const [told, setTold] = useState<string | null>(null);
  const refresh = (): void => void reread(queries.keys);
  const save = useMutation({
    mutationFn: (key: string) => client.keys.set({ provider, key }),
    onSuccess: () => {
      setEntered('');
      setTold('The key is set.');
      refresh();
    },
  });
  const remove = useMutation({
    mutationFn: () => client.keys.remove({ provider }),
    onSuccess: (answer) => {
      setTold(
        answer.status === 'set'
          ? `Key removed here. The environment variable ${keyVariableOf(provider)} still provides one.`
          : 'Key removed.',
      );
      refresh();
    },
  });
  const parsed = keyText.safeParse(entered);
  const name = providerTable[provider].label;
  return (
    <form
      {...submitting(() => {
        if (parsed.success) save.mutate(parsed.data);
      })}
    >
      <Group align="flex-end" gap="sm">
        <div style={{ width: 190 }}>
          <Text size="sm" fw={500}>
            {name}
          </Text>
          <p className="ts-hint">
            or <span className="ts-mono">{keyVariableOf(provider)}</span>
          </p>
        </div>
        <div style={{ width: 100 }}>
          <StatusBadge
            tone={status === 'set' ? 'good' : 'idle'}
            label={status === 'set' ? 'Set' : 'Not set'}
          />
          {place !== null && <p className="ts-hint">{places[place]}</p>}
        </div>
        <PasswordInput
          aria-label={`Key of ${name}`}
          placeholder={status === 'set' ? 'Paste a new key' : 'Paste the key'}
          autoComplete="off"
          w={280}
          value={entered}
          error={entered !== '' && !parsed.success ? parsed.error.issues[0]?.message : undefined}
          onChange={(event) => {
            setEntered(event.currentTarget.value);
            setTold(null);
          }}
        />
        <Action
          label="Set"
          type="submit"
          aria-label={`Set the key of ${name}`}
          disabled={!parsed.success}
          loading={save.isPending}
        />
        {status === 'set' && (
          <Action
            label="Remove"
            variant="subtle"
            color="gray"
            aria-label={`Remove the key of ${name}`}
            run={remove}
          />
        )}
      </Group>
      <p className="ts-hint" role="status">
        {told}
      </p>
      <ErrorNotice error={save.error ?? remove.error} />
    </form>
  );
}

/** Says where keys are kept, and offers the encrypted file. */
function KeyStore({ store, keychain }: Pick<KeyList, 'store' | 'keychain'>) {
  if (store.problem !== null) return <UnreadFile problem={store.problem} locked={store.locked} />;
  if (store.kind === 'file') return <OpenFile keychain={keychain} />;
  return <WithoutFile keychain={keychain} />;
}

function UnreadFile({ problem, locked }: { problem: string; locked: boolean }) {
  const { client } = useApi();
  const [discarding, setDiscarding] = useState(false);
  return (
    <Notice tone="warning">
      <Stack gap="sm">
        <Text>
          <Foreign text={problem} limit={200} /> Its keys can’t be used. New keys stay in memory
          until {locked ? 'you unlock it' : 'Touchstone closes'}.
        </Text>
        {locked && (
          <PassphraseForm
            action="Unlock"
            fields={['current']}
            send={({ current }) => client.keys.unlock({ passphrase: current })}
          />
        )}
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
              error={values[field] === '' ? undefined : problems[field]}
              {...typed(values[field], (value) =>
                setValues((before) => ({ ...before, [field]: value })),
              )}
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
