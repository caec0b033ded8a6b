import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { ServerOverview } from '../../../../src-shared/contract/servers.ts';
import type { ToolRow } from '../../../../src-shared/domain/toolRow.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { TitledPanel } from '../../../ui/panels/panels.tsx';
import { Cut } from '../../../ui/text/Foreign.tsx';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { CheckAll } from '../server/CheckAll.tsx';
import { serverState } from '../server/serverState.ts';
import { SampleLine } from '../table/SampleLine.tsx';
import { dayOf, isFine, problemOf } from '../table/serverLine.ts';
import { isChanged } from '../table/toolFilters.ts';
import { useTools } from '../table/useTools.ts';
import classes from './known.module.css';

/** More are on the page of the tools; those with a problem come first. */
const maxShown = 8;

/** The servers that count, each with what needs attention, for the overview. */
export function OverviewServers() {
  const { servers, list } = useTools();
  return (
    <TitledPanel
      title="Servers"
      aside={
        servers.data !== undefined &&
        servers.data.length > 0 && <CheckAll ids={servers.data.map(({ id }) => id)} small />
      }
    >
      <Loaded query={servers} blocks={[96]}>
        {(all) => {
          const facts = new Map(list?.servers.map((server) => [server.id, server]));
          const sample = (list?.servers ?? []).filter((server) => server.sample);
          const own = sample.length < all.length;
          const shown = all
            .filter(({ id }) => facts.get(id)?.counted !== false)
            .sort((a, b) => Number(isFine(a)) - Number(isFine(b)));
          return (
            <ul className={classes.servers}>
              {shown.slice(0, maxShown).map((server) => (
                <ServerLine
                  key={server.id}
                  server={server}
                  rows={list?.rows.filter(({ serverId }) => serverId === server.id) ?? []}
                />
              ))}
              {shown.length > maxShown && (
                <li>
                  <Anchor component={Link} to="/tools" size="sm">
                    All {formatCount(shown.length)} servers
                  </Anchor>
                </li>
              )}
              {sample.length > 0 && !own && (
                <li>
                  <Anchor component={Link} to="/tools?add" size="sm">
                    Add your own server
                  </Anchor>
                </li>
              )}
              {sample.length > 0 && own && (
                <li>
                  <div className={classes.sample}>
                    <SampleLine sample={sample} />
                  </div>
                </li>
              )}
            </ul>
          );
        }}
      </Loaded>
    </TitledPanel>
  );
}

function ServerLine({ server, rows }: { server: ServerOverview; rows: readonly ToolRow[] }) {
  const { id, name, toolCount } = server;
  const untested = rows.filter(({ cases }) => cases === 0).length;
  const problem = problemOf(server);
  const [changed, ...others] = rows.filter(isChanged);
  return (
    <li>
      <div className={classes.server}>
        <span className={classes.name}>
          <Anchor component={Link} to={`/servers/${id}`} size="sm">
            <Cut text={name} />
          </Anchor>
          {toolCount !== null && (
            <span className={classes.quiet}>
              {counted(toolCount, 'tool')}
              {untested > 0 && `, ${formatCount(untested)} without cases`}
            </span>
          )}
        </span>
        <StatusBadge {...serverState(server)} />
      </div>
      {problem !== null ? (
        <span className={classes.what} data-tone="bad">
          <Cut text={problem} />
        </span>
      ) : changed !== undefined ? (
        <span className={classes.what} data-tone="warning">
          <Cut
            text={others.length === 0 ? changed.name : counted(others.length + 1, 'tool')}
            mono={others.length === 0}
          />
          &nbsp;changed{others.length > 0 ? ', last' : ''} on {dayOf(changed)}
        </span>
      ) : (
        rows.length > 0 &&
        untested === rows.length && (
          <Anchor
            component={Link}
            to={`/suites/propose?server=${encodeURIComponent(name)}`}
            size="sm"
          >
            Write the first cases
          </Anchor>
        )
      )}
    </li>
  );
}
