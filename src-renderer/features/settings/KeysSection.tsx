import { Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Action, submitting } from '../../ui/fields/controls.tsx';
import {
  keyText,
  keyVariableOf,
  type KeyList,
  type KeyPlace,
} from '../../../src-shared/domain/keys.ts';
import { providerTable } from '../../../src-shared/domain/provider.ts';
import { useApi, useRead } from '../../api/index.ts';
import { ErrorNotice, Loaded } from '../../ui/notices/notices.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { KeyStore } from './KeyStore.tsx';

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
  const [typed, setTyped] = useState('');
  const [told, setTold] = useState<string | null>(null);
  const refresh = (): void => void reread(queries.keys);
  const save = useMutation({
    mutationFn: (key: string) => client.keys.set({ provider, key }),
    onSuccess: () => {
      setTyped('');
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
  const parsed = keyText.safeParse(typed);
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
          value={typed}
          error={typed !== '' && !parsed.success ? parsed.error.issues[0]?.message : undefined}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
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
