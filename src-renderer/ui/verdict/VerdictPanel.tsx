import type { ReactNode } from 'react';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import type { Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import {
  changeText,
  failedOf,
  failureParts,
  headlineOf,
  rateOf,
  scoredOf,
  withoutAnswer,
  type Verdict,
} from '../../../src-shared/display/verdictTexts.ts';
import { OutcomeBar, RateWhisker } from '../outcome/OutcomeBar.tsx';
import { OutcomeMark } from '../outcome/OutcomeMark.tsx';
import { ModelBars } from './ModelBars.tsx';
import classes from './verdict.module.css';
import { FailureList, VerdictFrame } from './VerdictFrame.tsx';

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
    <VerdictFrame
      lead={lead}
      headline={headlineOf(verdict, soFar)}
      rate={verdict.passRate.value === null ? '' : rate}
      interval={interval}
      aside={<Aside verdict={verdict} />}
      bars={
        verdict.models.length > 1 ? (
          <ModelBars
            rows={verdict.models.map(({ modelSettingsId, counts, passRate }) => ({
              id: modelSettingsId,
              name: modelName(modelSettingsId),
              bar: <OutcomeBar counts={counts} />,
              passed: counts.passed,
              scored: scoredOf(counts),
              rate: passRate,
            }))}
          />
        ) : (
          <>
            <OutcomeBar counts={verdict.counts} />
            <RateWhisker {...verdict.passRate} />
          </>
        )
      }
      failures={<Failures {...props} />}
      next={next}
      actions={actions}
    />
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

function Failures({ verdict: { counts }, onOutcome, soFar = false }: VerdictPanelProps) {
  const failed = failedOf(counts);
  return (
    <FailureList
      failed={failed === 0 ? '' : `${formatCount(failed)} failed`}
      parts={(failed === 0 ? [] : failureParts(counts)).map(({ outcome, count, label }) => ({
        key: outcome,
        mark: count > 0 && <OutcomeMark outcome={outcome} decorative />,
        text: (
          <>
            <b>{formatCount(count)}</b> {label}
          </>
        ),
        muted: count === 0,
        ...(count > 0 && onOutcome !== undefined
          ? {
              onOpen: () => {
                onOutcome(outcome);
              },
            }
          : {}),
      }))}
      without={withoutAnswer(counts, soFar)}
    />
  );
}
