import classes from './Tags.module.css';
import { Cut, visibleText } from '../text/Foreign.tsx';

/** Short labels in one line. Labels that do not fit are cut; the title holds the whole list. */
export function Tags({ values }: { values: readonly string[] }) {
  return (
    <span className={classes.tags} title={visibleText(values.slice(0, 50).join(', '))}>
      {values.map((value, index) => (
        <span key={`${index} ${value}`} className={classes.tag}>
          <Cut text={value} />
        </span>
      ))}
    </span>
  );
}
