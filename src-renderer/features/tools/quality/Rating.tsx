import type { ToolQuality } from '../../../../src-shared/domain/toolQuality.ts';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { ratedParts } from './ratingWork.ts';
import classes from './quality.module.css';

const words = { clarity: 'Clarity', completeness: 'Completeness', conciseness: 'Conciseness' };

/** What a model says of one description: each score with its reason. */
export function Rating({ rating }: { rating: ToolQuality }) {
  return (
    <dl className={classes.reasons} aria-label={`Rating of ${rating.toolId}`}>
      {ratedParts.map((part) => (
        <div key={part}>
          <dt>
            {words[part]} <b>{rating[part].score}</b> of 10
          </dt>
          <Foreign as="dd" text={rating[part].explanation} limit={1_000} />
          {rating[part].suggestion !== '' && (
            <dd className={classes.quiet}>
              To raise it: <Foreign text={rating[part].suggestion} limit={1_000} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
