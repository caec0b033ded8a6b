import { Anchor } from '@mantine/core';
import { useState } from 'react';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { causeTitle } from '../../../../../src-shared/display/verdictTexts.ts';
import { OutcomeMark } from '../../../../ui/outcome/OutcomeMark.tsx';
import { outcomeClass } from '../../../../ui/outcome/outcomeClass.ts';
import { formatCount } from '../../../../ui/estimate/format.ts';
import { counted } from '../../../../ui/text/words.ts';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import classes from './failures.module.css';

/** As many as fit above the matrix. */
const shownAtOnce = 5;

interface CauseRanksProps {
  verdict: Verdict;
  onCause: (cause: FailureCause) => void;
}

/**
 * The causes with their number of runs, the most frequent first. Each opens its cases. Causes with
 * a single run have no rank: the list of failures shows them together.
 */
export function CauseRanks({ verdict, onCause }: CauseRanksProps) {
  const [all, setAll] = useState(false);
  const { causes, models, severalServers, unit } = verdict;
  const frequent = causes.filter(({ runs }) => runs > 1);
  const listed = frequent.length > 0 ? frequent : causes;
  const shown = all ? listed : listed.slice(0, shownAtOnce);
  const most = causes[0]?.runs ?? 1;
  const rest = listed.length - shown.length;
  const noun = unit.slice(0, -1);
  return (
    <ul className={classes.ranks} data-dense={models.length > 1 || undefined}>
      {shown.map((cause) => (
        <li key={`${cause.outcome} ${cause.expected} ${cause.called}`}>
          <button
            type="button"
            className={classes.rank}
            onClick={() => {
              onCause({ outcome: cause.outcome, expected: cause.expected, called: cause.called });
            }}
          >
            <OutcomeMark outcome={cause.outcome} />
            <span className={classes.pair}>
              <RichSentence text={causeTitle(cause, severalServers)} />
            </span>
            <span className={classes.count} title={counted(cause.runs, noun)}>
              {formatCount(cause.runs)}
            </span>
            <span className={classes.track} aria-hidden>
              <span
                className={outcomeClass}
                data-outcome={cause.outcome}
                style={{ width: `${(100 * cause.runs) / most}%` }}
              />
            </span>
          </button>
        </li>
      ))}
      {rest > 0 && (
        <li>
          <Anchor
            component="button"
            type="button"
            className={classes.more ?? ''}
            ta="left"
            onClick={() => {
              setAll(true);
            }}
          >
            {counted(rest, 'more cause')}
          </Anchor>
        </li>
      )}
    </ul>
  );
}
