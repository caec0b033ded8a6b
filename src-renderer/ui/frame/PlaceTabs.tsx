import { NavLink } from 'react-router';
import classes from './PlaceTabs.module.css';
import type { PlaceEntry } from './placeEntry.ts';

/** The tabs of a place. Each is a link, so that it can be opened in a tab of the browser. */
export function PlaceTabs({ place }: { place: PlaceEntry }) {
  return (
    <nav aria-label={`${place.label} pages`} className={classes.tabs}>
      {place.tabs.map(({ label, to }) => (
        <NavLink key={to} to={to} end className={classes.tab}>
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
