import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { Fold } from '../../../../ui/panels/Fold.tsx';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { TextParts } from '../../../../ui/text/PlainText.tsx';
import { firstCharacters } from '../../../../ui/text/visibleText.ts';
import { callPairs } from './callPairs.ts';
import { CallTable } from './CallTable.tsx';
import classes from './case.module.css';

/** What was expected and what came: the calls, and below them the text of the reply. */
export function CallPanel({ detail }: { detail: RunDetail }) {
  const { text, calls } = detail;
  const several = Math.max(detail.case.expectedCalls.length, calls.length) > 1;
  return (
    <section className={classes.panel} aria-label="Expected and actual call">
      <div className={classes.head}>
        <h2 className={classes.title}>Expected and actual {several ? 'calls' : 'call'}</h2>
        <span className={classes.note}>{noteOf(detail)}</span>
      </div>
      <CallTable {...detail} />
      {text !== null && text !== '' && (
        <Fold
          title="Text of the reply"
          hint={calls.length === 0 ? undefined : <TextParts text={firstCharacters(text, 200)} />}
          openFirst={calls.length === 0}
        >
          <Foreign block text={text} />
        </Fold>
      )}
    </section>
  );
}

/** What a reader needs to know to read the table. */
function noteOf(detail: RunDetail): string {
  if (detail.score === null) return '';
  if (callPairs(detail).some(({ kind }) => kind === 'confused'))
    return 'Arguments aren’t scored when the tool is wrong';
  return detail.case.orderDependent && detail.case.expectedCalls.length > 1
    ? 'The calls must be made in this order'
    : '';
}
