import { counted, formatCount, formatDuration } from '../../../../src-shared/display/numbers.ts';
import { callAnswerTexts } from '../../../../src-shared/display/taskTexts.ts';
import type { TrajectoryCall, TrajectoryStep } from '../../../../src-shared/domain/task.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';
import { Fold } from '../../../ui/panels/Fold.tsx';
import { CodeView } from '../../../ui/text/CodeView.tsx';
import { JsonText } from '../../../ui/text/JsonText.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { firstCharacters } from '../../../ui/text/visibleText.ts';
import classes from './tasks.module.css';

interface TimelineStepProps {
  number: number;
  step: TrajectoryStep;
  /** The time of the slowest step, to which the bar compares this one. */
  longestMs: number;
}

/** One request to the model: its reply, and each call in it with its result. */
export function TimelineStep({ number, step, longestMs }: TimelineStepProps) {
  const { text, reasoning, calls, usage, elapsedMs } = step;
  const answers = calls.length === 0;
  return (
    <li className={classes.step} aria-label={`Step ${number}`}>
      <div className={classes.stepHead}>
        <span className={classes.stepNumber}>{number}</span>
        <strong>{answers ? 'Answer' : counted(calls.length, 'call')}</strong>
        <span className={classes.effort}>
          {formatDuration(elapsedMs)}
          <i aria-hidden>
            <b style={{ width: `${(100 * elapsedMs) / longestMs}%` }} />
          </i>
          {usage !== null && `${formatCount(usage.input + usage.output)} tokens`}
        </span>
      </div>
      {text !== null && text !== '' && <Words text={text} label={`Text of step ${number}`} />}
      {answers && (text === null || text === '') && (
        <p className={classes.muted}>The model sent no text.</p>
      )}
      {calls.map((call, index) => (
        <Call key={index} call={call} label={`step ${number}, call ${index + 1}`} />
      ))}
      {reasoning !== null && reasoning !== '' && (
        <Fold title="Reasoning">
          <CodeView text={reasoning} label={`Reasoning of step ${number}`} />
        </Fold>
      )}
    </li>
  );
}

const shortText = 600;

/** Short text is shown as it is; long text in a box that scrolls. */
function Words({ text, label }: { text: string; label: string }) {
  if (text.length > shortText) return <CodeView text={text} label={label} maxHeight={200} />;
  return (
    <p className={classes.words}>
      <PlainText text={text} />
    </p>
  );
}

/** One call with its arguments and what came back. */
function Call({ call, label }: { call: TrajectoryCall; label: string }) {
  const { name, arguments: given, argumentsText, answeredBy, result, durationMs } = call;
  const { label: answer, meaning } = callAnswerTexts[answeredBy];
  const argumentsLine = given === null ? (argumentsText ?? '') : JSON.stringify(given);
  return (
    <div className={classes.call}>
      <div className={classes.callHead}>
        <code>
          <PlainText text={firstCharacters(call.tool ?? name, 120)} />
        </code>
        <span className={classes.muted} title={meaning}>
          {answer}
          {answeredBy === 'executed' && ` in ${formatDuration(durationMs)}`}
        </span>
        {result.isError && <StatusBadge tone="bad" label="Tool error" />}
      </div>
      <Fold title="Arguments" hint={<PlainText text={firstCharacters(argumentsLine, 200)} />}>
        {given === null ? (
          <CodeView text={argumentsText ?? ''} label={`Arguments of ${label}`} />
        ) : (
          <JsonText value={given} label={`Arguments of ${label}`} />
        )}
      </Fold>
      <Fold title="Result" hint={<PlainText text={firstCharacters(result.text, 200)} />}>
        <CodeView text={result.text} label={`Result of ${label}`} />
        {result.structured !== null && (
          <JsonText value={result.structured} label={`Structured content of ${label}`} />
        )}
      </Fold>
      {result.cutFrom !== null && (
        <p className={classes.cut}>
          The model received only the first part of {counted(result.cutFrom, 'character')}.
        </p>
      )}
      {result.omitted.length > 0 && (
        <p className={classes.cut}>
          Not sent to the model: <PlainText text={result.omitted.join(', ')} />.
        </p>
      )}
    </div>
  );
}
