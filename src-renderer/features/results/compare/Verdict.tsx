import type { CandidateComparison, Comparison } from '../../../../src-shared/domain/comparison.ts';
import { describeAnswer } from '../../../../src-shared/display/comparisonAnswer.ts';
import { Term } from '../../../ui/text/Term.tsx';
import { EstimateText } from '../../../ui/estimate/EstimateTile.tsx';
import { PlainText } from '../../../ui/text/Foreign.tsx';
import { formatCount, counted } from '../../../../src-shared/display/numbers.ts';
import classes from './compare.module.css';

const meanings = {
  case:
    'Over cases that are the same and scored on both sides: the mean share of repetitions that ' +
    'passed, with its 95% confidence interval.',
  task:
    'Over tasks that are the same and scored on both sides: the mean share of repetitions that ' +
    'succeeded, with its 95% confidence interval.',
} as const;

interface VerdictProps {
  comparison: Comparison;
  one: CandidateComparison;
  pressed: boolean;
  onPress: () => void;
}

/** How a candidate compares with the baseline, in words that claim no more than the numbers. */
export function Verdict({ comparison, one, pressed, onPress }: VerdictProps) {
  const { baseline } = comparison;
  const several = comparison.candidates.length > 1;
  const { unit } = one;
  const rateName = unit === 'task' ? 'Success rate' : 'Pass rate';
  const shared = counted(one.sharedCases, unit);
  return (
    <section
      className={`ts-panel ${classes.verdict ?? ''}`}
      aria-label={`#${one.number} vs. #${baseline.number}`}
      data-shown={(several && pressed) || undefined}
    >
      {several && (
        <div className={classes.verdictHead}>
          <span>
            #{one.number} <PlainText text={one.model} /> vs. #{baseline.number}{' '}
            <PlainText text={baseline.model} />
          </span>
          <button type="button" className={classes.choose} aria-pressed={pressed} onClick={onPress}>
            {pressed ? `${unit === 'task' ? 'Tasks' : 'Cases'} shown below` : `Show its ${unit}s`}
          </button>
        </div>
      )}
      <p className={classes.line} data-answer={one.answer}>
        {describeAnswer(one)}
      </p>
      <dl className={classes.shares}>
        <div>
          <dt>
            <Term meaning={meanings[unit]}>{rateName} before</Term>
          </dt>
          <dd>
            <EstimateText estimate={one.baselineRight} percent /> <small>{shared}</small>
          </dd>
        </div>
        <div>
          <dt>
            <Term meaning={meanings[unit]}>{rateName} now</Term>
          </dt>
          <dd>
            <EstimateText estimate={one.candidateRight} percent /> <small>{shared}</small>
          </dd>
        </div>
        <div>
          <dt>
            <Term name="pairedTest">{unit === 'task' ? 'Tasks' : 'Cases'} that differ</Term>
          </dt>
          <dd>
            {formatCount(differing(one))} <small>of {shared}</small>
          </dd>
        </div>
        <div>
          <dt>{unit === 'task' ? 'Succeeded' : 'Passed'} in both</dt>
          <dd>{formatCount(one.stillRight)}</dd>
        </div>
      </dl>
      <Differences one={one} />
    </section>
  );
}

function differing({ passShares }: CandidateComparison): number {
  return passShares.reduce(
    (sum, { baseline, candidate, cases }) => sum + (baseline === candidate ? 0 : cases),
    0,
  );
}

/** What else differs between the two sides. */
function Differences({ one }: { one: CandidateComparison }) {
  const { added, removed, changed } = one.tools;
  const lines = [
    ...(one.modelDiffers ? ['another model'] : []),
    ...(added.length > 0 ? [`tools added: ${shorten(added)}`] : []),
    ...(removed.length > 0 ? [`tools removed: ${shorten(removed)}`] : []),
    ...(changed.length > 0 ? [`tools changed: ${shorten(changed)}`] : []),
    ...one.conditions,
  ];
  return (
    <p className={classes.differences}>
      {lines.length === 0 ? (
        'Same model, tools, and conditions.'
      ) : (
        <>
          What differs: <PlainText text={lines.join(' · ')} />.
        </>
      )}
    </p>
  );
}

function shorten(ids: readonly string[]): string {
  return ids.length > 8
    ? `${ids.slice(0, 8).join(', ')} and ${formatCount(ids.length - 8)} more`
    : ids.join(', ');
}
