import { IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import classes from './case/case.module.css';

/** As many fit beside the evidence; the rest is one click away. */
export const shownAtOnce = 5;

interface SameRunsProps {
  label: string;
  title: string;
  runs: readonly { to: string; text: string; note?: string }[];
  /** Where all are listed; null if all are shown. */
  more: { to: string; label: string } | null;
}

/** The other runs of the model that failed the same way, each as a link. */
export function SameRuns({ label, title, runs, more }: SameRunsProps) {
  return (
    <section className={classes.panel} aria-label={label}>
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
      </div>
      <ul className="ts-rows">
        {runs.map(({ to, text, note = '' }) => (
          <li key={to}>
            <Link className="ts-row-link" to={to}>
              <span className={classes.query}>
                <Foreign text={text.slice(0, 300)} />
                {note !== '' && <span className={classes.quiet}> {note}</span>}
              </span>
              <IconChevronRight size={14} aria-hidden className={classes.chevron} />
            </Link>
          </li>
        ))}
        {more !== null && (
          <li>
            <Link className="ts-row-link" to={more.to}>
              <span className={classes.quiet}>{more.label}</span>
              <IconChevronRight size={14} aria-hidden className={classes.chevron} />
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}
