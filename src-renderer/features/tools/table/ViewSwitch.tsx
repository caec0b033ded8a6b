import { NavLink, Outlet, useLocation } from 'react-router';
import { BelowHeader } from '../../../ui/frame/frameContext.ts';
import { ServerStrip } from './ServerStrip.tsx';
import { useTools } from './useTools.ts';
import classes from './table.module.css';

const views = [
  ['Table', '/tools'],
  ['Similar', '/tools/similar'],
  ['Tokens', '/tools/tokens'],
  ['Signals', '/tools/signals'],
  ['Clients', '/tools/clients'],
] as const;

/** The views of the same tools. The choice of servers goes along. */
export function ViewSwitch() {
  const { search } = useLocation();
  const chosen = new URLSearchParams(
    new URLSearchParams(search).getAll('server').map((name) => ['server', name]),
  ).toString();
  return (
    <nav aria-label="Views of the tools" className={classes.views}>
      {views.map(([label, pathname]) => (
        <NavLink key={pathname} to={{ pathname, search: chosen }} end className={classes.view}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}

/** The frame of the other views of the tools: the same servers and the same switch on each. */
export function ToolViews() {
  return (
    <BelowHeader value={<StripAndSwitch />}>
      <Outlet />
    </BelowHeader>
  );
}

function StripAndSwitch() {
  const { servers, list } = useTools();
  return (
    <>
      {servers.data !== undefined && servers.data.length > 0 && list !== undefined && (
        <ServerStrip servers={servers.data} list={list} />
      )}
      <div className={`${classes.bar ?? ''} ${classes.alone ?? ''}`}>
        <ViewSwitch />
      </div>
    </>
  );
}
