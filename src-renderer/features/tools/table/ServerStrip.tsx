import { useState } from 'react';
import { Link } from 'react-router';
import type { ServerOverview } from '../../../../src-shared/contract/servers.ts';
import type { ToolList, ToolRow } from '../../../../src-shared/domain/toolRow.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Cut, Foreign, visibleText } from '../../../ui/text/Foreign.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { lastCheckAt, serverState } from '../server/serverState.ts';
import { useStarting } from '../server/useStarting.ts';
import { SampleLine, StripButton } from './SampleLine.tsx';
import { dayOf, isFine, problemOf } from './serverLine.ts';
import { isChanged } from './toolFilters.ts';
import { useServerChoice } from './useTools.ts';
import classes from './table.module.css';

/** Reachable servers beyond this many are folded into one line. */
const maxUnfolded = 4;

/** One line for each server, with what is wrong with it; choosing servers filters the tools. */
export function ServerStrip(props: { servers: readonly ServerOverview[]; list: ToolList }) {
  const { servers, list } = props;
  const [unfolded, setUnfolded] = useState(false);
  const facts = new Map(list.servers.map((server) => [server.id, server]));
  const own = servers.filter(({ id }) => facts.get(id)?.counted !== false);
  const sample = list.servers.filter((server) => server.sample);
  const fine = own.filter((server) => isFine(server));
  const folds = fine.length > maxUnfolded;
  const shown = folds && !unfolded ? own.filter((server) => !isFine(server)) : own;
  const { chosen, choose } = useServerChoice();
  const names = own.map(({ name }) => name);
  const toggle = (name: string): void => {
    const before = chosen.length === 0 ? names : chosen;
    const next = before.includes(name) ? before.filter((one) => one !== name) : [...before, name];
    choose(next.length === names.length ? [] : next);
  };
  const sum = (of: (id: string) => number): number =>
    fine.reduce((total, { id }) => total + of(id), 0);
  return (
    <section className={classes.strip} aria-label="Servers">
      {folds && (
        <div className={classes.folded}>
          <b>{counted(fine.length, 'server')}</b>
          <StatusBadge tone="good" label="Reachable" />
          <span>
            {counted(
              sum((id) => facts.get(id)?.tools ?? 0),
              'tool',
            )}
          </span>
          {fine.every(({ id }) => facts.get(id)?.tokens != null) && (
            <span>
              {counted(
                sum((id) => facts.get(id)?.tokens ?? 0),
                'token',
              )}
            </span>
          )}
          <span className={classes.quiet}>
            {chosen.length > 0 && <Cut text={`Only ${chosen.join(', ')}`} />}
          </span>
          <StripButton
            label={unfolded ? 'Hide' : 'Show'}
            aria="servers"
            onClick={() => setUnfolded(!unfolded)}
          />
        </div>
      )}
      {shown.map((server) => (
        <ServerLine
          key={server.id}
          server={server}
          tokens={facts.get(server.id)?.tokens ?? null}
          rows={list.rows.filter(({ serverId }) => serverId === server.id)}
          checked={chosen.length === 0 || chosen.includes(server.name)}
          onToggle={() => toggle(server.name)}
        />
      ))}
      {sample.length > 0 && sample.length < list.servers.length && (
        <div className={classes.folded}>
          <SampleLine sample={sample} />
        </div>
      )}
    </section>
  );
}

interface ServerLineProps {
  server: ServerOverview;
  tokens: number | null;
  rows: readonly ToolRow[];
  checked: boolean;
  onToggle: () => void;
}

function ServerLine({ server, tokens, rows, checked, onToggle }: ServerLineProps) {
  const state = serverState(server);
  const starting = useStarting(server);
  const problem = problemOf(server);
  const changed = rows.filter(isChanged);
  const last = changed.toSorted((a, b) =>
    (a.changed?.at ?? '') < (b.changed?.at ?? '') ? 1 : -1,
  )[0];
  return (
    <article className={classes.line} aria-label={visibleText(`Server ${server.name}`)}>
      <label className={classes.name}>
        <input type="checkbox" checked={checked} onChange={onToggle} />
        <Cut text={server.name} />
      </label>
      <StatusBadge {...state} />
      <span>
        {server.toolCount !== null
          ? counted(server.toolCount, 'tool')
          : server.status !== 'inactive' && 'Not listed yet'}
      </span>
      <span>{tokens === null || server.toolCount === null ? '' : counted(tokens, 'token')}</span>
      <span className={classes.when}>
        {lastCheckAt(server, server.listedAt) !== null && (
          <>
            Checked <Time iso={lastCheckAt(server, server.listedAt)} />
          </>
        )}
      </span>
      <span className={classes.what} data-tone={problem === null ? undefined : 'bad'}>
        {starting !== null ? (
          <Cut text={starting} />
        ) : problem !== null ? (
          <Foreign text={problem} limit={400} />
        ) : last !== undefined ? (
          <span
            data-tone="warning"
            className="ts-cut"
            title={visibleText(
              changed
                .map(({ name }) => name)
                .slice(0, 30)
                .join(', '),
            )}
          >
            {changed.length === 1 ? (
              <>
                <Cut text={last.name} mono /> changed on {dayOf(last)}
              </>
            ) : (
              `${counted(changed.length, 'tool')} changed, last ${dayOf(last)}`
            )}
          </span>
        ) : (
          server.toolCount !== null && 'No changes'
        )}
      </span>
      <Link
        to={`/servers/${server.id}`}
        className={classes.open}
        aria-label={visibleText(`Open ${server.name}`)}
      >
        Open
      </Link>
    </article>
  );
}
