import type { ComponentProps, ReactNode } from 'react';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import type { Outcome } from '../../../src-shared/display/outcomeTexts.ts';
import {
  failedOf,
  failureParts,
  headlineOf,
  rateOf,
  scoredOf,
  withoutAnswer,
  type Verdict,
} from '../../../src-shared/display/verdictTexts.ts';
import { OutcomeBar, OutcomeMark } from '../outcome/outcomes.tsx';
import { ChangeNote, CompareChip } from './CompareChip.tsx';
import classes from './verdict.module.css';
import { VerdictFrame } from './VerdictFrame.tsx';

interface VerdictPanelProps {
  verdict: Verdict;
  modelName: (modelSettingsId: string) => string;
  /** True while runs are still to come. */
  soFar?: boolean;
  /** A line above the headline: which evaluation this is about. */
  lead?: ReactNode;
  /** Called with a failure outcome that is clicked. Without it, outcomes are plain text. */
  onOutcome?: (outcome: Outcome) => void;
  /** Opens the comparison with another result. */
  compare?: ComponentProps<typeof CompareChip>;
  /** The comparison, while it is open. */
  comparison?: ReactNode;
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
  const { verdict, modelName, onOutcome, soFar = false, lead, comparison, next, actions } = props;
  const { rate, interval } = rateOf(verdict);
  const { counts, models } = verdict;
  return (
    <VerdictFrame
      lead={lead}
      headline={headlineOf(verdict, soFar)}
      rate={verdict.passRate.value === null ? '' : rate}
      interval={interval}
      aside={<Aside {...props} />}
      counts={soFar ? 'passed so far' : 'passed'}
      models={models.map(({ modelSettingsId, counts: own, passRate }) => ({
        id: modelSettingsId,
        name: modelName(modelSettingsId),
        bar: <OutcomeBar counts={own} />,
        passed: own.passed,
        scored: scoredOf(own),
        rate: passRate,
      }))}
      bar={<OutcomeBar counts={counts} />}
      estimate={verdict.passRate}
      failed={failedOf(counts)}
      failures={(failedOf(counts) === 0 ? [] : failureParts(counts))
        .filter(({ count }) => count > 0 || models.length < 2)
        .map(({ outcome, count, label }) => ({
          ...{ key: outcome, count, label },
          mark: count > 0 && <OutcomeMark outcome={outcome} decorative />,
          ...(count > 0 && onOutcome && { onOpen: () => onOutcome(outcome) }),
        }))}
      without={withoutAnswer(counts, soFar)}
      comparison={comparison}
      next={next}
      actions={actions}
    />
  );
}

/** What the headline is to be compared with: another result, or all runs of a case together. */
function Aside({ verdict, compare }: VerdictPanelProps) {
  // With several models it is one of their numbers, and no headline.
  const isShown = compare === undefined || verdict.models.length < 2;
  const inEveryRun = isShown && verdict.casesPassedByAll !== null && (
    <span className={`${classes.muted} ${classes.aside}`}>
      {formatCount(verdict.casesPassedByAll)} of {counted(verdict.cases, 'case')} passed in every
      run
    </span>
  );
  if (compare !== undefined) {
    return (
      <>
        {inEveryRun}
        <CompareChip {...compare} />
      </>
    );
  }
  return inEveryRun === false ? <ChangeNote previous={verdict.previous} /> : inEveryRun;
}
