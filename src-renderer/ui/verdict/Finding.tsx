import type { ReactNode } from 'react';
import type { RichText } from '../../../src-shared/display/verdictTexts.ts';
import { RichSentence } from './RichSentence.tsx';
import classes from './verdict.module.css';

interface FindingProps {
  /** What the numbers below say, in a sentence. */
  text: RichText;
  /** What the sentence counts, or a second one. */
  note?: RichText;
  /** The step that follows from it. */
  action?: ReactNode;
}

/** The sentence that leads a view: a reader who stops here knows the answer. */
export function Finding({ text, note = [], action }: FindingProps) {
  return (
    <div className={classes.finding}>
      <div>
        <p className={classes.findingText}>
          <RichSentence text={text} />
        </p>
        {note.length > 0 && (
          <p className={classes.findingNote}>
            <RichSentence text={note} />
          </p>
        )}
      </div>
      {action}
    </div>
  );
}
