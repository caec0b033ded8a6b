import { Anchor } from '@mantine/core';
import { IconAlertTriangle, IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { signalGroups } from '../../../../src-shared/display/signalGroups.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { TitledPanel } from '../../../ui/panels/panels.tsx';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { RichSentence } from '../../../ui/verdict/RichSentence.tsx';
import { useTools } from '../table/useTools.ts';
import classes from './known.module.css';
import { knownLines, type OpenSignal } from './knownLines.ts';

const icons = { danger: IconAlertTriangle, warning: IconAlertTriangle, idle: IconCircle };

/** What the program knows of the tools without any run, for the overview. */
export function KnownTools() {
  const { list, query } = useTools();
  const counts = (list?.servers ?? []).filter((server) => server.counted);
  const signals = useOpenSignals(list === undefined ? null : counts.map(({ id }) => id));
  const matrix = useRead((ask) => ask.tools.clients, { input: {} });
  if (list?.rows.length === 0) return null;
  const lines = list === undefined ? [] : knownLines(list, signals, matrix.data?.lost);
  const onlySample = counts.length > 0 && counts.every(({ sample }) => sample);
  const tools = counted(list?.rows.length ?? 0, 'tool');
  const isFine =
    list?.complete === true && signals !== null && lines.every(({ kind }) => kind === 'tokens');
  return (
    <TitledPanel
      title={`Known about ${onlySample ? `the ${tools} of the sample` : `your ${tools}`} without any run`}
      aside={
        <Anchor component={Link} to="/tools" size="sm">
          All tools
        </Anchor>
      }
    >
      <Loaded query={query} blocks={[120]}>
        {({ complete }) => (
          <ul className={classes.lines}>
            {lines.map(({ kind, tone, lead, rest, to, label }) => {
              const Icon = icons[tone];
              return (
                <li key={kind}>
                  <Icon size={16} aria-hidden data-tone={tone} />
                  <span>
                    <b>{lead}</b> <RichSentence text={rest} />
                  </span>
                  <Anchor component={Link} to={to} size="sm">
                    {label}
                  </Anchor>
                </li>
              );
            })}
            {isFine && (
              <li>
                <IconCircleCheck size={16} aria-hidden data-tone="good" />
                <span>
                  No description is weak, no tools are too similar, and no signal is open.
                </span>
              </li>
            )}
            {!complete && (
              <li>
                <p className="ts-quiet">Comparing and checking the tools …</p>
              </li>
            )}
          </ul>
        )}
      </Loaded>
    </TitledPanel>
  );
}

/** The open signals of servers, of prompts and resources too; null until they are scanned. */
function useOpenSignals(serverIds: string[] | null): OpenSignal[] | null {
  const { queries } = useApi();
  const servers = useRead((ask) => ask.servers.list);
  const input = { serverIds };
  const scan = useQuery({
    ...queries.security.scan.queryOptions({ input }),
    // A new listing is another question, so that its signals appear at once.
    queryKey: [
      ...queries.security.scan.key({ input }),
      (servers.data ?? []).map(({ id, listedAt }) => [id, listedAt]),
    ],
    enabled: serverIds !== null && serverIds.length > 0 && servers.data !== undefined,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (scan.data === undefined) return null;
  return signalGroups(scan.data)
    .filter(({ safe }) => safe === null)
    .map(({ severity, scanned: { server, tool } }) => ({ severity, server, tool }));
}
