import { NavLink, useLocation } from 'react-router';
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
