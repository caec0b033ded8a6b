import { Link } from 'react-router';
import type { ServerOverview } from '../../../src-shared/contract/servers.ts';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { Cut } from '../../ui/text/Cut.tsx';
import { counted } from '../../ui/text/words.ts';
import { CheckAll } from './CheckAll.tsx';
import classes from './servers.module.css';
import { useServers } from './ServersWatch.tsx';
import { serverStateInFull } from './serverState.ts';

/** Each server with its state, for the overview. */
export function ServerHealth() {
  const servers = useServers();
  return (
    <section className="ts-panel" aria-labelledby="server-health">
      <div className={classes.healthHead}>
        <h2 id="server-health" className={classes.healthTitle}>
          <Link to="/tools">Servers</Link>
        </h2>
        {servers.data !== undefined && servers.data.length > 0 && (
          <CheckAll ids={servers.data.map(({ id }) => id)} small />
        )}
      </div>
      <Loaded query={servers} blocks={[96]}>
        {(list) => (
          <ul className="ts-rows">
            {list.map((server) => (
              <ServerRow key={server.id} server={server} />
            ))}
            {list.length === 0 && (
              <li>
                <Link to="/tools?add" className="ts-row-link">
                  No servers yet. Add one.
                </Link>
              </li>
            )}
          </ul>
        )}
      </Loaded>
    </section>
  );
}

function ServerRow({ server }: { server: ServerOverview }) {
  const { tone, label } = serverStateInFull(server);
  return (
    <li>
      <Link to={`/servers/${server.id}`} className="ts-row-link">
        <span className={classes.healthName}>
          <Cut text={server.name} />
          {server.toolCount !== null && (
            <span className={classes.healthTools}>{counted(server.toolCount, 'tool')}</span>
          )}
        </span>
        <span className={classes.healthState} title={label}>
          <StatusBadge tone={tone} label={label} />
        </span>
      </Link>
    </li>
  );
}
