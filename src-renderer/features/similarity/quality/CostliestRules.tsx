import { noun } from '../../../../src-shared/display/numbers.ts';
import { qualityTitle, type RuleCost } from '../../../../src-shared/display/qualityTexts.ts';
import { SeverityIcon } from '../../../ui/badges/SeverityBadge.tsx';
import { formatCount } from '../../../ui/estimate/format.ts';
import { counted } from '../../../ui/text/words.ts';
import classes from './quality.module.css';

interface CostliestRulesProps {
  costs: readonly RuleCost[];
  chosen: string | null;
  onChoose: (rule: string | null) => void;
}

/** The rules that cost the most points. A rule filters the list of tools. */
export function CostliestRules({ costs, chosen, onChoose }: CostliestRulesProps) {
  return (
    <section className={classes.costs} aria-label="Where points are lost">
      <header>
        <h3>Where points are lost</h3>
        <span className={classes.quiet}>points, all tools</span>
      </header>
      <ul>
        {costs.map(({ rule, severity, tools, points }) => (
          <li key={rule}>
            <button
              type="button"
              aria-pressed={chosen === rule}
              onClick={() => {
                onChoose(chosen === rule ? null : rule);
              }}
            >
              <SeverityIcon severity={severity} />
              <span className={classes.costTitle}>{qualityTitle(rule)}</span>
              <span className={classes.quiet}>{counted(tools, 'tool')}</span>
              <b>
                −{formatCount(points)}
                <span className="ts-visually-hidden"> {noun(points, 'point')}</span>
              </b>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
