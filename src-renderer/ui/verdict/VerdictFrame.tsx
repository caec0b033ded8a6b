import type { ComponentProps, ReactNode } from 'react';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import type { Rate } from '../../../src-shared/display/verdictTexts.ts';
import { RateWhisker } from '../outcome/outcomes.tsx';
import { ModelBars } from './ModelBars.tsx';
import { Term } from '../text/Term.tsx';
import classes from './verdict.module.css';

interface VerdictFrameProps {
  /** A line above the headline: which evaluation this is about. */
  lead?: ReactNode;
  headline: string;
  /** The rate that the headline counts; empty if it has none. */
  rate?: string;
  /** Its interval: `95% CI 51–75%`. */
  interval?: string;
  /** What the headline is to be compared with, at the end of its line. */
  aside?: ReactNode;
  /** A bar with the numbers of each model; with several, each has its own headline. */
  models: ComponentProps<typeof ModelBars>['rows'];
  /** What was counted: `passed`. */
  counts: string;
  /** The counts of one model as a bar, with its rate on the same scale. */
  bar: ReactNode;
  estimate: Rate;
  failed: number;
  /** What failed, by outcome. */
  failures: readonly {
    key: string;
    mark: ReactNode;
    count: number;
    label: string;
    onOpen?: () => void;
  }[];
  /** Runs without an answer; empty if there are none. */
  without: string;
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
  const { lead, headline, rate = '', interval = '', aside, models, counts, bar, estimate } = props;
  const { notes, comparison, next, actions } = props;
  // Models are never pooled in a headline: each has its own.
  const several = models.length > 1;
  const failures = <FailureList {...props} several={several} />;
  return (
    <section className={classes.panel} aria-label="Verdict">
      <div className={classes.body}>
        {lead !== undefined && <div className={classes.lead}>{lead}</div>}
        {several ? (
          <>
            <ModelBars heading={counts} rows={models} />
            <div className={classes.legend}>
              {failures}
              {aside}
            </div>
          </>
        ) : (
          <>
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
            {bar}
            <RateWhisker {...estimate} />
            {failures}
          </>
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

type FailureListProps = Pick<VerdictFrameProps, 'failed' | 'failures' | 'without'>;

/** "22 failed", or "Failed:" of several models, then the failures by outcome, then what has no answer; nothing if there is neither. */
function FailureList(props: FailureListProps & { several: boolean }) {
  const { failed, failures, without, several } = props;
  if (failed === 0 && without === '' && failures.length === 0) return null;
  return (
    <ul className={classes.failures}>
      {failed > 0 && (
        <li className={classes.strong}>{several ? 'Failed:' : `${formatCount(failed)} failed`}</li>
      )}
      {failures.map(({ key, mark, count, label, onOpen }) => {
        const content = (
          <>
            {mark}
            <span>
              {!several && <b>{formatCount(count)}</b>} {label}
            </span>
          </>
        );
        return (
          <li key={key} className={count === 0 ? classes.muted : undefined}>
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
