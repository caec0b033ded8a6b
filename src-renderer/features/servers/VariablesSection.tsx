import { formatCount } from '../../../src-shared/display/numbers.ts';
import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServerVariable } from '../../../src-shared/domain/server.ts';
import { useApi } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import classes from './variables.module.css';

interface VariablesSectionProps {
  serverId: string;
  variables: readonly ServerVariable[];
}

const places: Record<NonNullable<ServerVariable['place']>, string> = {
  keychain: 'set, in the keychain',
  file: 'set, in the encrypted file',
  memory: 'set, in memory until Touchstone closes',
  workspace: 'set, in this workspace',
  environment: 'set by an environment variable',
  default: "set to the file's default",
};

/**
 * Every reference in the configuration: whether it has a value, and a field to set one. Values are
 * never shown.
 */
export function VariablesSection({ serverId, variables }: VariablesSectionProps) {
  const missing = variables.filter(({ resolved }) => !resolved).length;
  return (
    <Section
      title="Variables and secrets"
      aside={
        missing > 0 ? (
          <StatusBadge tone="warning" label={`${formatCount(missing)} without a value`} />
        ) : null
      }
    >
      <ul className={`ts-panel ${classes.list ?? ''}`}>
        {variables.map((variable) => (
          <VariableRow key={variable.reference} serverId={serverId} variable={variable} />
        ))}
      </ul>
    </Section>
  );
}

function VariableRow({ serverId, variable }: { serverId: string; variable: ServerVariable }) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [typed, setTyped] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: (value: string | null) =>
      client.servers.setValue({ id: serverId, reference: variable.reference, value }),
    onSuccess: async () => {
      setTyped(null);
      await cache.invalidateQueries({ queryKey: queries.servers.key() });
    },
  });
  const Field = variable.password ? PasswordInput : TextInput;
  const settable = variable.kind !== 'environment';
  const removable =
    variable.place !== null && variable.place !== 'environment' && variable.place !== 'default';
  return (
    <li>
      <Stack gap={4} flex={1} miw={0}>
        <Text className="ts-mono ts-foreign" size="sm">
          <PlainText text={variable.reference} />
        </Text>
        <Text size="xs" c="dimmed" className="ts-foreign">
          {variable.description !== null && (
            <>
              <PlainText text={variable.description} />
              {' · '}
            </>
          )}
          {variable.place === null
            ? settable
              ? 'not set'
              : 'not set: set this environment variable before you start Touchstone'
            : places[variable.place]}
        </Text>
        {typed !== null && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (typed !== '') save.mutate(typed);
            }}
          >
            <Group gap="sm" wrap="nowrap">
              <Field
                flex={1}
                data-autofocus
                autoFocus
                autoComplete="off"
                aria-label={`Value of ${variable.reference}`}
                value={typed}
                onChange={(event) => {
                  setTyped(event.currentTarget.value);
                }}
              />
              <Button type="submit" size="sm" disabled={typed === ''} loading={save.isPending}>
                Save
              </Button>
              <Button
                size="sm"
                variant="default"
                onClick={() => {
                  setTyped(null);
                }}
              >
                Cancel
              </Button>
            </Group>
          </form>
        )}
        {save.isError && <ErrorNotice error={save.error} />}
      </Stack>
      {settable && typed === null && (
        <Group gap="xs" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`${variable.place === null ? 'Set' : 'Replace'} ${variable.reference}`}
            onClick={() => {
              setTyped('');
            }}
          >
            {variable.place === null ? 'Set' : 'Replace'}
          </Button>
          {removable && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="vermilion"
              aria-label={`Remove ${variable.reference}`}
              loading={save.isPending}
              onClick={() => {
                save.mutate(null);
              }}
            >
              Remove
            </Button>
          )}
        </Group>
      )}
    </li>
  );
}
