import { noun } from '../../../../src-shared/display/numbers.ts';
import { SeverityIcon } from '../../../ui/badges/SeverityBadge.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { counted } from '../../../ui/text/words.ts';
import type { ToolRow } from './toolRows.ts';
import classes from './quality.module.css';

const shownFindings = 3;

/** What a tool loses points for, the largest deduction first, each with its fix. */
export function DeductionList({ row: { name, deductions } }: { row: ToolRow }) {
  return (
    <ul className={classes.deductions} aria-label={`Deductions of ${name}`}>
      {deductions.map(({ rule, severity, title, points, fix, findings }) => (
        <li key={rule}>
          <SeverityIcon severity={severity} />
          <div>
            <p>
              <b>{title}</b>{' '}
              <span className={classes.quiet}>
                <span className="ts-visually-hidden">{severity} severity. </span>
                <Foreign
                  text={findings
                    .slice(0, shownFindings)
                    .map(({ message }) => message)
                    .join(' ')}
                  limit={300}
                />
                {findings.length > shownFindings &&
                  ` ${counted(findings.length - shownFindings, 'more finding')}.`}
              </span>
            </p>
            <p className={classes.fix}>
              <span className={classes.fixWord}>Fix</span> <Foreign text={fix} limit={600} />
            </p>
          </div>
          <span className={classes.points}>
            −{points}
            <span className="ts-visually-hidden"> {noun(points, 'point')}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
