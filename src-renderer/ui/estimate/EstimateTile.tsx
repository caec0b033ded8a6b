import { Term } from '../text/Term.tsx';
import classes from './EstimateTile.module.css';
import {
  formatPercent,
  formatRate,
  percentInterval,
  rateInterval,
} from '../../../src-shared/display/numbers.ts';

interface EstimateValue {
  value: number | null;
  low: number | null;
  high: number | null;
}

interface TileProps {
  label: string;
  /** The definition of the number, on hover and focus of its label. */
  meaning: string;
  /** The formatted number. */
  number: string;
  interval?: string;
  /** The sample size: `n 20 calls`. */
  basis: string;
  tone?: 'danger';
}

/** One number with its interval, n, unit and definition. */
export function Tile({ label, meaning, number, interval = '', basis, tone }: TileProps) {
  return (
    <div
      className={`ts-panel ${classes.tile ?? ''}`}
      role="group"
      aria-label={label}
      data-tone={tone}
    >
      <span className={classes.label}>
        <Term meaning={meaning}>{label}</Term>
      </span>
      <span className={classes.value}>
        <span className={classes.number}>{number}</span>
        {interval !== '' && (
          <span className={classes.interval}>
            <span className="ts-visually-hidden">95% interval </span>
            {interval}
          </span>
        )}
      </span>
      <span className={classes.basis}>{basis}</span>
    </div>
  );
}

interface EstimateProps {
  estimate: EstimateValue;
  /** True for pass rates, which read as percent: `64%` and `51–75%`. */
  percent?: boolean;
}

function textsOf({ estimate, percent = false }: EstimateProps) {
  return percent
    ? { number: formatPercent(estimate.value), interval: percentInterval(estimate) }
    : { number: formatRate(estimate.value), interval: rateInterval(estimate) };
}

/** The tile of a rate with its 95% interval. */
export function EstimateTile(props: Omit<TileProps, 'number' | 'interval'> & EstimateProps) {
  const { estimate, percent = false, ...rest } = props;
  return <Tile {...rest} {...textsOf({ estimate, percent })} />;
}

/** A rate with its interval, for a table cell. */
export function EstimateText(props: EstimateProps) {
  const { number, interval } = textsOf(props);
  return (
    <span className={classes.inline}>
      <span>{number}</span>
      {interval !== '' && <span className={classes.inlineInterval}>{interval}</span>}
    </span>
  );
}
