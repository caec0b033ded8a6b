import { formatCount } from '../../../src-shared/display/numbers.ts';
import classes from './FilterChips.module.css';

interface FilterChipsProps<Value> {
  label: string;
  /** `count` is how many rows each leaves. */
  chips: readonly { value: Value; label: string; count: number }[];
  value: Value;
  onChange: (value: Value) => void;
}

/** What a list shows, one of a few, each with its number of rows. */
export function FilterChips<Value>({ label, chips, value, onChange }: FilterChipsProps<Value>) {
  return (
    <div className={classes.chips} role="group" aria-label={label}>
      {chips.map((chip) => (
        <button
          key={chip.label}
          type="button"
          className={classes.chip}
          aria-pressed={chip.value === value}
          onClick={() => onChange(chip.value)}
        >
          {chip.label} <span>{formatCount(chip.count)}</span>
        </button>
      ))}
    </div>
  );
}
