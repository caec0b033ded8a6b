import { Definition } from '../panels/Definition.tsx';
import classes from './EstimateTile.module.css';
import { formatInterval, formatRate } from './format.ts';

export interface EstimateValue {
  value: number | null;
  low: number | null;
  high: number | null;
}

interface TileProps {
  label: string;
  /** What the number means, on hover and focus of its label. */
  meaning: string;
  /** The one number, ready to read. */
  number: string;
  interval?: string;
  /** What it was counted over: `n 20 calls`. */
  basis: string;
  tone?: 'danger';
}

/** One number that never stands alone: value, interval, n and unit, and its definition. */
export function Tile({ label, meaning, number, interval = '', basis, tone }: TileProps) {
  return (
    <div
      className={`ts-panel ${classes.tile ?? ''}`}
      role="group"
      aria-label={label}
      data-tone={tone}
    >
      <span className={classes.label}>
        <Definition meaning={meaning}>{label}</Definition>
      </span>
      <span className={classes.value}>
        <span className={classes.number}>{number}</span>
        {interval !== '' && (
          <span className={classes.interval}>
            <span className="ts-visually-hidden">95 % interval </span>
            {interval}
          </span>
        )}
      </span>
      <span className={classes.basis}>{basis}</span>
    </div>
  );
}

/** The tile of a rate with its 95 % interval. */
export function EstimateTile({
  estimate,
  ...rest
}: Omit<TileProps, 'number' | 'interval'> & { estimate: EstimateValue }) {
  return (
    <Tile
      {...rest}
      number={formatRate(estimate.value)}
      interval={formatInterval(estimate.low, estimate.high)}
    />
  );
}

/** A rate with its interval inside a table's cell. */
export function EstimateText({ estimate }: { estimate: EstimateValue }) {
  const interval = formatInterval(estimate.low, estimate.high);
  return (
    <span className={classes.inline}>
      <span>{formatRate(estimate.value)}</span>
      {interval !== '' && <span className={classes.inlineInterval}>{interval}</span>}
    </span>
  );
}
