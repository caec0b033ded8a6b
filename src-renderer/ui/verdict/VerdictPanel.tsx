import { Term } from '../text/Term.tsx';
import type { ReactNode } from 'react';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import type { Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import {
  changeText,
  failedOf,
  failureParts,
  headlineOf,
  rateOf,
  withoutAnswer,
  type Verdict,
} from '../../../src-shared/display/verdictTexts.ts';
import { OutcomeBar, RateWhisker } from '../outcome/OutcomeBar.tsx';
import { OutcomeMark } from '../outcome/OutcomeMark.tsx';
import { ModelBars } from './ModelBars.tsx';
import classes from './verdict.module.css';

interface VerdictPanelProps {
  verdict: Verdict;
  /** The name of a model by the id of its settings. */
  modelName: (modelSettingsId: string) => string;
  /** True while runs are still to come. */
  soFar?: boolean;
  /** A line above the headline: which evaluation this is about. */
  lead?: ReactNode;
  /** Called with a failure outcome that is clicked. Without it, outcomes are plain text. */
  onOutcome?: (outcome: Outcome) => void;
  /** The sentence below the numbers: the biggest cause, or what to do next. */
  next?: ReactNode;
  /** Buttons to the right of that sentence. */
  actions?: ReactNode;
}

/**
 * What an evaluation says in five seconds: how many passed, what fails, what to do. The same block
 * leads the result page and the overview.
 */
export function VerdictPanel(props: VerdictPanelProps) {
  const { verdict, modelName, soFar = false, lead, next, actions } = props;
  const { rate, interval } = rateOf(verdict);
  return (
    <section className={classes.panel} aria-label="Verdict">
      <div className={classes.body}>
        {lead !== undefined && <div className={classes.lead}>{lead}</div>}
        <div className={classes.line}>
          <h2 className={classes.headline}>{headlineOf(verdict, soFar)}</h2>
          {verdict.passRate.value !== null && <span className={classes.rate}>{rate}</span>}
          {interval !== '' && (
            <span className={classes.muted}>
              <Term name="interval">{interval}</Term>
            </span>
          )}
          <Aside verdict={verdict} />
        </div>
        {verdict.models.length > 1 ? (
          <ModelBars models={verdict.models} modelName={modelName} />
        ) : (
          <>
            <OutcomeBar counts={verdict.counts} />
            <RateWhisker {...verdict.passRate} />
          </>
        )}
        <Failures {...props} />
      </div>
      {(next !== undefined || actions !== undefined) && (
        <div className={classes.next}>
          <p>{next}</p>
          <div className={classes.actions}>{actions}</div>
        </div>
      )}
    </section>
  );
}

/** What the headline is to be compared with: the previous evaluation, or all models together. */
function Aside({ verdict }: { verdict: Verdict }) {
  const change = changeText(verdict);
  if (verdict.casesPassedByAll !== null)
    return (
      <span className={`${classes.muted} ${classes.aside}`}>
        {formatCount(verdict.casesPassedByAll)} of {counted(verdict.cases, 'case')} passed in every
        run
      </span>
    );
  if (!change) return null;
  const better = (verdict.previous?.passedDifference ?? 0) > 0;
  const tone =
    verdict.previous?.withinNoise === true ? '' : better ? classes.better : classes.worse;
  return (
    <span className={`${classes.muted} ${classes.aside}`}>
      {change.change !== '' && <b className={tone}>{change.change}</b>} {change.rest}
    </span>
  );
}

function Failures({ verdict, onOutcome, soFar = false }: VerdictPanelProps) {
  const failed = failedOf(verdict.counts);
  const without = withoutAnswer(verdict.counts, soFar);
  if (failed === 0 && without === '') return null;
  return (
    <ul className={classes.failures}>
      {failed > 0 && <li className={classes.strong}>{formatCount(failed)} failed</li>}
      {failed > 0 &&
        failureParts(verdict.counts).map(({ outcome, count, label }) => {
          const text = (
            <>
              {count > 0 && <OutcomeMark outcome={outcome} decorative />}
              <span>
                <b>{formatCount(count)}</b> {label}
              </span>
            </>
          );
          return (
            <li key={outcome} className={count === 0 ? classes.muted : undefined}>
              {count > 0 && onOutcome !== undefined ? (
                <button
                  type="button"
                  onClick={() => {
                    onOutcome(outcome);
                  }}
                >
                  {text}
                </button>
              ) : (
                text
              )}
            </li>
          );
        })}
      {without !== '' && <li className={classes.muted}>{without}</li>}
    </ul>
  );
}
