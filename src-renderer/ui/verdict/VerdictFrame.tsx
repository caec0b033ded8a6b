import type { ReactNode } from 'react';
import { Term } from '../text/Term.tsx';
import classes from './verdict.module.css';

interface VerdictFrameProps {
  /** A line above the headline: which evaluation this is about. */
  lead?: ReactNode;
  /** Absent where each bar has its own. */
  headline?: string;
  /** The rate that the headline counts; empty if it has none. */
  rate?: string;
  /** Its interval: `95% CI 51–75%`. */
  interval?: string;
  /** What the headline is to be compared with, at the end of its line. */
  aside?: ReactNode;
  /** The counts as a bar, or a bar per model. */
  bars: ReactNode;
  /** What failed, by outcome. */
  failures: ReactNode;
  /** What stands below them. */
  notes?: ReactNode;
  /** The comparison with another result, while it is open. */
  comparison?: ReactNode;
  /** The sentence below the numbers: the biggest cause, or what to do next. */
  next?: ReactNode;
  /** Buttons to the right of that sentence. */
  actions?: ReactNode;
}

/** The block that says in five seconds what an evaluation found, whatever it evaluated. */
export function VerdictFrame(props: VerdictFrameProps) {
  const { lead, headline, rate = '', interval = '', aside, bars, failures } = props;
  const { notes, comparison, next, actions } = props;
  return (
    <section className={classes.panel} aria-label="Verdict">
      <div className={classes.body}>
        {lead !== undefined && <div className={classes.lead}>{lead}</div>}
        {headline !== undefined && (
          <div className={classes.line}>
            <h2 className={classes.headline}>{headline}</h2>
            {rate !== '' && <span className={classes.rate}>{rate}</span>}
            {interval !== '' && (
              <span className={classes.muted}>
                <Term name="interval">{interval}</Term>
              </span>
            )}
            {aside}
          </div>
        )}
        {bars}
        {headline === undefined ? (
          <div className={classes.legend}>
            {failures}
            {aside}
          </div>
        ) : (
          failures
        )}
        {notes}
      </div>
      {comparison}
      {(next !== undefined || actions !== undefined) && (
        <div className={classes.next}>
          <p>{next}</p>
          <div className={classes.actions}>{actions}</div>
        </div>
      )}
    </section>
  );
}

interface FailureListProps {
  failed: string;
  parts: readonly {
    key: string;
    mark: ReactNode;
    text: ReactNode;
    muted?: boolean;
    onOpen?: () => void;
  }[];
  /** Runs without an answer; empty if there are none. */
  without: string;
}

/** "22 failed", then the failures by outcome, then what has no answer; nothing if there is neither. */
export function FailureList({ failed, parts, without }: FailureListProps) {
  if (failed === '' && without === '' && parts.length === 0) return null;
  return (
    <ul className={classes.failures}>
      {failed !== '' && <li className={classes.strong}>{failed}</li>}
      {parts.map(({ key, mark, text, muted = false, onOpen }) => {
        const content = (
          <>
            {mark}
            <span>{text}</span>
          </>
        );
        return (
          <li key={key} className={muted ? classes.muted : undefined}>
            {onOpen === undefined ? (
              content
            ) : (
              <button type="button" onClick={onOpen}>
                {content}
              </button>
            )}
          </li>
        );
      })}
      {without !== '' && <li className={classes.muted}>{without}</li>}
    </ul>
  );
}
