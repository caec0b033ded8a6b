import type { ReactNode } from 'react';
import {
  formatCount,
  formatPercent,
  percentInterval,
} from '../../../src-shared/display/numbers.ts';
import type { Rate } from '../../../src-shared/display/verdictTexts.ts';
import { PlainText, visibleText } from '../text/Foreign.tsx';
import { Term } from '../text/Term.tsx';
import classes from './verdict.module.css';

interface ModelBarsProps {
  rows: readonly {
    id: string;
    name: string;
    bar: ReactNode;
    passed: number;
    scored: number;
    rate: Rate;
  }[];
  /** What was counted, where each row is a headline: `passed`. */
  heading?: string;
}

/** One outcome bar per model, on the same scale. */
export function ModelBars({ rows, heading }: ModelBarsProps) {
  return (
    <div className={classes.models} data-heads={heading !== undefined || undefined}>
      {rows.map(({ id, name, bar, passed, scored, rate }, row) => {
        const interval = percentInterval(rate);
        return [
          <span key={`${id} name`} className={classes.model} title={visibleText(name)}>
            <PlainText text={name} />
          </span>,
          <div key={`${id} bar`}>{bar}</div>,
          heading === undefined ? (
            <span key={`${id} passed`} className={classes.strong}>
              {formatCount(passed)} of {formatCount(scored)}
            </span>
          ) : (
            <h2
              key={`${id} passed`}
              className={classes.modelHead}
              aria-label={`${visibleText(name)}: ${formatCount(passed)} of ${formatCount(scored)} ${heading}`}
            >
              {formatCount(passed)} of {formatCount(scored)} {heading}
            </h2>
          ),
          <span
            key={`${id} rate`}
            className={heading === undefined ? classes.strong : classes.modelHead}
          >
            {formatPercent(rate.value)}
          </span>,
          <span key={`${id} interval`} className={`${classes.muted} ${classes.interval}`}>
            {interval !== '' && (
              <>
                {row === 0 ? <Term name="interval">CI</Term> : 'CI'} {interval}
              </>
            )}
          </span>,
        ];
      })}
    </div>
  );
}
