import { NavLink } from 'react-router';
import classes from './AppFrame.module.css';
import type { PlaceEntry } from './placeEntry.ts';

interface SideNavigationProps {
  name: string;
  entries: readonly PlaceEntry[];
  lower: readonly PlaceEntry[];
}

export function SideNavigation({ name, entries, lower }: SideNavigationProps) {
  return (
    <nav aria-label="Main" className={classes.navigation}>
      <div className={classes.brand}>
        <span className={classes.stone} aria-hidden />
        <span className={classes.word}>{name}</span>
      </div>
      <List entries={entries} />
      <div className={classes.lower}>
        <List entries={lower} />
      </div>
    </nav>
  );
}

function List({ entries }: { entries: readonly PlaceEntry[] }) {
  return (
    <ul className={classes.entries}>
      {entries.map(({ label, to, icon: Icon }) => (
        <li key={to}>
          <NavLink to={to} end={to === '/'} className={classes.entry} title={label}>
            <Icon size={18} stroke={1.75} aria-hidden />
            <span className={classes.word}>{label}</span>
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
