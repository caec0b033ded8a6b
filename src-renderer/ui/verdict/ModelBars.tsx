import type { ReactNode } from 'react';
import {
  formatCount,
  formatPercent,
  percentInterval,
} from '../../../src-shared/display/numbers.ts';
import type { Rate } from '../../../src-shared/display/verdictTexts.ts';
import { PlainText } from '../text/PlainText.tsx';
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
}

/** One outcome bar per model, on the same scale. */
export function ModelBars({ rows }: ModelBarsProps) {
  return (
    <div className={classes.models}>
      {rows.map(({ id, name, bar, passed, scored, rate }, row) => {
        const interval = percentInterval(rate);
        return [
          <span key={`${id} name`} className={classes.model}>
            <PlainText text={name} />
          </span>,
          <div key={`${id} bar`}>{bar}</div>,
          <span key={`${id} passed`} className={classes.strong}>
            {formatCount(passed)} of {formatCount(scored)}
          </span>,
          <span key={`${id} rate`} className={classes.strong}>
            {formatPercent(rate.value)}
          </span>,
          <span key={`${id} interval`} className={classes.muted}>
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
