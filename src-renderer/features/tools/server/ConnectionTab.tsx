import { formatLimit } from '../../../../src-shared/display/numbers.ts';
import type { Server } from '../../../../src-shared/domain/server.ts';
import { Fields } from '../../../ui/fields/Fields.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Section } from '../../../ui/panels/Section.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { serverFileFormats } from '../../../../src-shared/domain/serverImport.ts';
import type { ServerDetail } from './serverDetail.ts';
import { ProtocolLog } from './messages/ProtocolLog.tsx';
import { SignInSection } from './SignInSection.tsx';
import { VariablesSection } from './VariablesSection.tsx';
import { transportNames } from './serverState.ts';
import classes from './servers.module.css';

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
      {server.config.transport !== 'skills' && <ProtocolLog detail={detail} />}
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
