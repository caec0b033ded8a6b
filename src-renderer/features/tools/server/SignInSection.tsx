import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Action } from '../../../ui/fields/Action.tsx';
import type { Server } from '../../../../src-shared/domain/server.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';

/**
 * Sign-in with a remote server. The address is shown first, and a person opens it, never the
 * program.
 */
export function SignInSection(props: { server: Server; state: 'none' | 'waiting' | 'signed in' }) {
  const { server, state } = props;
  const { client, queries, reread } = useApi();
  const refresh = (): Promise<void> => reread(queries.servers);
  const begin = useMutation({
    mutationFn: () => client.servers.signIn({ id: server.id }),
    onSettled: refresh,
  });
  const end = useMutation({
    mutationFn: () => client.servers.signOut({ id: server.id }),
    onSettled: refresh,
  });
  const asked = server.statusReason?.includes('HTTP 401') === true;
  if (state === 'none' && !asked && begin.data === undefined && !begin.isError) {
    return (
      <Section title="Sign-in">
        <Group gap="md">
          <p className="ts-quiet">Not signed in. The server hasn’t asked for it.</p>
          <Action label="Sign in" small run={begin} />
        </Group>
      </Section>
    );
  }
  return (
    <Section title="Sign-in">
      <Stack gap="sm">
        <Group gap="md">
          <StatusBadge
            tone={state === 'signed in' ? 'good' : state === 'waiting' ? 'busy' : 'idle'}
            label={
              state === 'signed in'
                ? 'Signed in'
                : state === 'waiting'
                  ? 'Waiting for the browser'
                  : 'Not signed in'
            }
          />
          {state !== 'signed in' && (
            <Action
              label={state === 'waiting' ? 'Restart sign-in' : 'Sign in'}
              filled
              small
              run={begin}
            />
          )}
          {state !== 'none' && (
            <Action label={state === 'waiting' ? 'Cancel' : 'Sign out'} small run={end} />
          )}
        </Group>
        {state === 'waiting' && begin.data !== undefined && (
          <Text size="sm">
            Sign in at{' '}
            <span className="ts-mono">
              <PlainText text={new URL(begin.data.url).host} />
            </span>
            :{' '}
            <Anchor href={begin.data.url} target="_blank" rel="noreferrer">
              open the sign-in page
            </Anchor>
            . Touchstone waits for ten minutes.
          </Text>
        )}
        {begin.isError && <ErrorNotice error={begin.error} />}
        {end.isError && <ErrorNotice error={end.error} />}
      </Stack>
    </Section>
  );
}
