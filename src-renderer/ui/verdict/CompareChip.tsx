import { IconChevronDown } from '@tabler/icons-react';
import {
  changeText,
  previousText,
  type PreviousChange,
} from '../../../src-shared/display/verdictTexts.ts';
import { PlainText } from '../text/Foreign.tsx';
import classes from './verdict.module.css';

interface CompareChipProps {
  /** The change of one model since the previous result; null: any other result can be chosen. */
  previous: PreviousChange | null;
  unit?: 'case' | 'task';
  isOpen: boolean;
  onToggle: () => void;
}

/** What changed since the previous result; opens the comparison in place. */
export function CompareChip({ previous, unit = 'case', isOpen, onToggle }: CompareChipProps) {
  const short = previous === null ? null : previousText(previous, unit);
  return (
    <button type="button" className={classes.compare} aria-expanded={isOpen} onClick={onToggle}>
      <span>
        {short === null ? (
          'Compare with another result'
        ) : isOpen ? (
          // The open comparison says the rest.
          <PlainText text={short.what.replace(/:$/u, '')} />
        ) : (
          <>
            <PlainText text={short.what} /> <b className={toneOf(previous)}>{short.change}</b>
            {short.rest}
          </>
        )}
      </span>
      <IconChevronDown size={14} aria-hidden />
    </button>
  );
}

/** What changed since the previous result, where no comparison can be opened. */
export function ChangeNote({ previous, unit }: Pick<CompareChipProps, 'previous' | 'unit'>) {
  const change = changeText({ previous }, unit);
  return (
    change !== null && (
      <span className={`${classes.muted} ${classes.aside}`}>
        {change.change !== '' && <b className={toneOf(previous)}>{change.change}</b>} {change.rest}
      </span>
    )
  );
}

/** Better or worse, where that is more than noise. */
function toneOf(previous: PreviousChange | null): string {
  if (previous === null || previous.withinNoise) return '';
  return (previous.passedDifference > 0 ? classes.better : classes.worse) ?? '';
}
