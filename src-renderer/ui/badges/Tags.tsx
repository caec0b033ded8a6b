import classes from './Tags.module.css';
import { Cut } from '../text/Cut.tsx';
import { visibleText } from '../text/visibleText.ts';

/** Short labels side by side; what does not fit is cut, the whole list is in the title. */
export function Tags({ values, mono = false }: { values: readonly string[]; mono?: boolean }) {
  return (
    <span className={classes.tags} title={visibleText(values.slice(0, 50).join(', '))}>
      {values.map((value, index) => (
        <span key={`${index} ${value}`} className={classes.tag}>
          <Cut text={value} mono={mono} />
        </span>
      ))}
    </span>
  );
}
