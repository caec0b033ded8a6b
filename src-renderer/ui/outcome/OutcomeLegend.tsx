import { outcomeTexts, type Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import { outcomesInOrder, type OutcomeCounts } from '../../../src-shared/display/verdictTexts.ts';
import { OutcomeMark } from './OutcomeMark.tsx';
import classes from './outcome.module.css';

/** What the colors of several bars mean: each outcome that occurs, in the order of a bar. */
export function OutcomeLegend({ bars }: { bars: readonly OutcomeCounts[] }) {
  const occurring = new Set<Outcome>(
    bars.flatMap((counts) => outcomesInOrder(counts).map(({ outcome }) => outcome)),
  );
  return (
    <ul className={classes.legend} aria-label="Outcomes">
      {[...occurring].map((outcome) => (
        <li key={outcome}>
          <OutcomeMark outcome={outcome} decorative /> {outcomeTexts[outcome].label}
        </li>
      ))}
    </ul>
  );
}
