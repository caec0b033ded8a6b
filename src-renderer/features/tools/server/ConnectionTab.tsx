import { formatLimit, formatCount } from '../../../../src-shared/display/numbers.ts';
import type { Server, ServerVariable } from '../../../../src-shared/domain/server.ts';
import { Fields } from '../../../ui/fields/Fields.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { RowList, Section } from '../../../ui/panels/panels.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { serverFileFormats } from '../../../../src-shared/domain/serverImport.ts';
import type { ServerDetail } from './serverDetail.ts';
import { ProtocolLog } from './messages/ProtocolLog.tsx';
import { transportNames } from './serverState.ts';
import classes from './servers.module.css';
import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Action } from '../../../ui/fields/controls.tsx';
import { useApi, useRead } from '../../../api/index.ts';
import { ErrorNotice, Loaded } from '../../../ui/notices/notices.tsx';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { keyPlaceWords } from '../../../../src-shared/display/keyPlaces.ts';
import { SecretRow } from '../../../ui/fields/SecretRow.tsx';
import {
  reliabilityHeads,
  reliabilityRows,
  reliabilityScope,
} from '../../../../src-shared/display/reliabilityTexts.ts';
import { PlainTable } from '../../../ui/table/PlainTable.tsx';

/** How the server is reached, what it needs for that, and what it says about itself. */
export function ConnectionTab({ detail }: { detail: ServerDetail }) {
  const { server, greeting } = detail;
  return (
    <>
      {detail.signIn !== null && <SignInSection server={server} state={detail.signIn} />}
      {detail.variables.length > 0 && (
        <VariablesSection serverId={server.id} variables={detail.variables} />
      )}
      <Section title="Connection">
        <div className={`ts-panel ${classes.facts ?? ''}`}>
          <Fields rows={connectionRows(detail)} />
        </div>
      </Section>
      {greeting.instructions !== null && greeting.instructions !== '' && (
        <Section title="Instructions">
          <div className="ts-panel" style={{ padding: '12px 16px' }}>
            <Foreign text={greeting.instructions} block />
          </div>
        </Section>
      )}
      {server.config.transport !== 'skills' && (
        <>
          <ReliabilitySection serverId={server.id} />
          <ProtocolLog detail={detail} />
        </>
      )}
    </>
  );
}

/**
 * The protocol era that was negotiated. There are two handshakes, and the client finds out which
 * one a server supports.
 */
function eraOf(version: string): string {
  return version >= '2026-07-28'
    ? `${version} (starts with server/discover)`
    : `${version} (starts with initialize)`;
}

function configRows(config: Server['config']) {
  if (config.transport === 'skills')
    return [{ name: 'Folder', value: <PlainText text={config.folder} /> }];
  const startTimeout = {
    name: 'Start timeout',
    value:
      config.startTimeoutMs == null
        ? `${config.transport === 'stdio' ? '60 s' : '10 s'} (default)`
        : formatLimit(config.startTimeoutMs),
  };
  return config.transport === 'stdio'
    ? [
        { name: 'Working folder', value: config.cwd ?? 'Touchstone’s working folder' },
        { name: 'Environment', value: names(Object.keys(config.env)) },
        startTimeout,
      ]
    : [
        { name: 'Headers', value: names(Object.keys(config.headers)) },
        {
          name: 'Use by tasks',
          value: config.isolated === true ? 'Several runs at a time' : 'One run at a time',
        },
        startTimeout,
      ];
}

function connectionRows({ server, greeting, origin }: ServerDetail) {
  const dash = <span aria-label="not known">–</span>;
  const named = greeting.serverInfo;
  return [
    { name: 'Transport', value: transportNames[server.config.transport] },
    ...configRows(server.config),
    { name: 'Last reachable', value: <Time iso={server.lastConnectedAt} /> },
    ...(server.config.transport === 'skills'
      ? []
      : [
          {
            name: 'Reported name',
            value: named === null ? dash : `${named.name} ${named.version}`,
          },
          {
            name: 'Protocol version',
            value: greeting.protocolVersion === null ? dash : eraOf(greeting.protocolVersion),
          },
        ]),
    {
      name: 'Source',
      value:
        origin === null ? (
          'Added by hand'
        ) : (
          <PlainText
            text={`${serverFileFormats[origin.format]}${origin.fileName === null ? '' : `: ${origin.fileName}`}`}
          />
        ),
    },
  ];
}

function names(list: string[]): string {
  return list.length === 0 ? 'none set' : `${list.join(', ')} (values not shown)`;
}

/**
 * Sign-in with a remote server. The address is shown first, and a person opens it, never the
 * program.
 */
function SignInSection(props: { server: Server; state: 'none' | 'waiting' | 'signed in' }) {
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
            <PlainText as="span" className="ts-mono" text={new URL(begin.data.url).host} />:{' '}
            <Anchor href={begin.data.url} target="_blank" rel="noreferrer">
              open the sign-in page
            </Anchor>
            . Touchstone waits for ten minutes.
          </Text>
        )}
        <ErrorNotice error={begin.error} />
        <ErrorNotice error={end.error} />
      </Stack>
    </Section>
  );
}

interface VariablesSectionProps {
  serverId: string;
  variables: readonly ServerVariable[];
}

const places: Record<NonNullable<ServerVariable['place']>, string> = {
  ...keyPlaceWords,
  workspace: 'set, in this workspace',
  default: "set to the file's default",
};

/**
 * Every reference in the configuration: whether it has a value, and a field to set one. Values are
 * never shown.
 */
function VariablesSection({ serverId, variables }: VariablesSectionProps) {
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
      <RowList label="Variables and secrets">
        {variables.map((variable) => (
          <VariableRow key={variable.reference} serverId={serverId} variable={variable} />
        ))}
      </RowList>
    </Section>
  );
}

function VariableRow({ serverId, variable }: { serverId: string; variable: ServerVariable }) {
  const { client, queries, reread } = useApi();
  const save = useMutation({
    mutationFn: (value: string | null) =>
      client.servers.setValue({ id: serverId, reference: variable.reference, value }),
    onSuccess: () => reread(queries.servers),
  });
  const settable = variable.kind !== 'environment';
  return (
    <SecretRow
      name={variable.reference}
      note={
        <>
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
        </>
      }
      isSet={variable.place !== null}
      settable={settable}
      removable={
        variable.place !== null && variable.place !== 'environment' && variable.place !== 'default'
      }
      hidden={variable.password}
      saving={save.isPending}
      error={save.error}
      onSave={save.mutateAsync}
    />
  );
}

/** What the server did with the calls of stored runs. */
function ReliabilitySection({ serverId }: { serverId: string }) {
  const found = useRead((ask) => ask.servers.reliability, { input: { id: serverId } });
  return (
    <Section title="Reliability">
      <Loaded query={found} blocks={[96]}>
        {(data) =>
          data.tools.length === 0 ? (
            <p className="ts-quiet">
              Errors, crashes and latency of each tool appear here once tasks really called it:
              results of stubs don’t count.
            </p>
          ) : (
            <PlainTable
              label="Reliability"
              heads={reliabilityHeads}
              numeric={[1, 2, 3, 4, 5, 6, 7, 8]}
              named
              least={760}
              caption={reliabilityScope(data)}
              rows={reliabilityRows(data).map(([tool = '', ...cells]) => ({
                key: tool,
                cells: [<Foreign text={tool} />, ...cells],
              }))}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
