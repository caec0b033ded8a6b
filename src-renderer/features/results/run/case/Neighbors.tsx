import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { RunPlace } from '../../../../../src-shared/domain/evaluation.ts';
import { Cut } from '../../../../ui/text/Cut.tsx';
import classes from './case.module.css';

/** Links to the previous and the next run of the list, with their queries. */
export function Neighbors({ place, linkOf }: { place: RunPlace; linkOf: (id: string) => string }) {
  const { previous, next } = place;
  if (previous === null && next === null) return null;
  return (
    <nav className={classes.neighbors} aria-label="Neighbors in the list">
      {previous === null ? (
        <span />
      ) : (
        <Link to={linkOf(previous.runId)} replace className={classes.neighbor}>
          <IconChevronLeft size={16} aria-hidden className={classes.chevron} />
          <span>
            <span className={classes.label}>Previous</span>
            <Cut text={previous.query} />
          </span>
        </Link>
      )}
      {next !== null && (
        <Link to={linkOf(next.runId)} replace className={classes.neighbor} data-next>
          <span>
            <span className={classes.label}>Next</span>
            <Cut text={next.query} />
          </span>
          <IconChevronRight size={16} aria-hidden className={classes.chevron} />
        </Link>
      )}
    </nav>
  );
}
