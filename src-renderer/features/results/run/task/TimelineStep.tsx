import { IconBolt, IconMessage } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import {
  counted,
  formatCount,
  formatDuration,
  noun,
} from '../../../../../src-shared/display/numbers.ts';
import { faultTexts } from '../../../../../src-shared/display/faultTexts.ts';
import { callAnswerTexts } from '../../../../../src-shared/display/taskTexts.ts';
import {
  argumentsLine,
  cacheText,
  cutText,
  resultLine,
} from '../../../../../src-shared/display/trajectoryTexts.ts';
import { toolId } from '../../../../../src-shared/domain/labels.ts';
import {
  isUnanswered,
  wasSent,
  type TrajectoryCall,
  type TrajectoryStep,
} from '../../../../../src-shared/domain/task.ts';
import { StatusBadge } from '../../../../ui/badges/StatusBadge.tsx';
import { CodeView, JsonText } from '../../../../ui/text/CodeView.tsx';
import { PlainText, firstCharacters } from '../../../../ui/text/Foreign.tsx';
import classes from '../../tasks.module.css';
import { toolsMs } from './timeLane.ts';

interface TimelineStepProps {
  number: number;
  step: TrajectoryStep;
  /** Which run it belongs to, for names of regions. */
  whose: string;
  /** The time of the slowest step with its tools, to which the bars compare this one. */
  longestMs: number;
  destructive: ReadonlySet<string>;
  /** The indexes of its calls that equal an earlier call of the run. */
  repeated: readonly number[];
  /** What can be done with the step, below everything about it. */
  action?: ReactNode;
}

/** As many calls of a step show their line while it is closed: a reply may hold a hundred. */
const shownCalls = 4;

/** One request to the model: a line per call of its reply, and everything about them when opened. */
export function TimelineStep(props: TimelineStepProps) {
  const { number, step, whose, longestMs, destructive, repeated, action } = props;
  const [open, setOpen] = useState(false);
  const { text, reasoning, calls } = step;
  const hiddenRepeats = repeated.filter((index) => index >= shownCalls).length;
  const name = `step ${number} of ${whose}`;
  return (
    <details
      className={classes.step}
      onToggle={(event) => {
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary data-step>
        <span className={classes.stepNumber}>{number}</span>
        <span className={classes.stepLines}>
          {calls.length === 0 && <Answer step={step} />}
          {calls.slice(0, shownCalls).map((call, index) => (
            <CallLine
              key={index}
              call={call}
              destructive={destructive}
              isRepeated={repeated.includes(index)}
            />
          ))}
          {calls.length > shownCalls && (
            <span className={classes.line}>
              and {counted(calls.length - shownCalls, 'more call')}
              {hiddenRepeats > 0 && `, ${formatCount(hiddenRepeats)} repeated`}
            </span>
          )}
        </span>
        <Effort step={step} longestMs={longestMs} />
      </summary>
      {open && (
        <div className={classes.stepBody}>
          {text !== null && text !== '' && <CodeView text={text} label={`Text of ${name}`} />}
          {calls.map((call, index) => (
            <CallDetails
              key={index}
              call={call}
              name={calls.length === 1 ? name : `call ${index + 1} of ${name}`}
            />
          ))}
          {reasoning !== null && reasoning !== '' && (
            <CodeView text={reasoning} label={`Reasoning of ${name}`} maxHeight={240} />
          )}
          {(step.ownTools ?? []).length > 0 && (
            <p className={classes.muted}>
              Its own tools:{' '}
              <PlainText text={(step.ownTools ?? []).map((own) => own.name).join(', ')} />
            </p>
          )}
          {cacheText(step.usage) !== '' && <p className={classes.muted}>{cacheText(step.usage)}</p>}
          {action}
        </div>
      )}
    </details>
  );
}

function Answer({ step: { text } }: { step: TrajectoryStep }) {
  return (
    <>
      <span className={classes.callHead}>
        <IconMessage size={15} stroke={2} aria-hidden />
        <strong>Answer</strong>
      </span>
      <span className={classes.line}>
        {text === null || text === '' ? (
          'The model sent no text.'
        ) : (
          <PlainText text={firstCharacters(text, 240)} />
        )}
      </span>
    </>
  );
}

interface CallLineProps {
  call: TrajectoryCall;
  destructive: ReadonlySet<string>;
  isRepeated: boolean;
}

/** A call with its arguments, and what came back, each cut to a line. */
function CallLine({ call, destructive, isRepeated }: CallLineProps) {
  const { server, tool, name, answeredBy, result, fault } = call;
  const answer = fault === undefined ? callAnswerTexts[answeredBy] : faultTexts[fault];
  const cut = cutText(result);
  return (
    <>
      <span className={classes.callHead}>
        <IconBolt size={15} stroke={2} aria-hidden />
        <PlainText as="code" text={firstCharacters(tool ?? name, 80)} />
        {(answeredBy !== 'executed' || fault !== undefined) && (
          <span
            className={classes.note}
            data-tone={isUnanswered(answeredBy) ? 'bad' : undefined}
            title={answer.meaning}
          >
            {fault === undefined ? answer.label : `on purpose: ${answer.label}`}
          </span>
        )}
        {tool !== null && destructive.has(toolId(server ?? '', tool)) && (
          <span className={classes.note} data-tone="bad" title="According to the server">
            destructive
          </span>
        )}
        {isRepeated && (
          <span className={classes.note} title="An earlier call has the same tool and arguments">
            repeated
          </span>
        )}
        {result.isError && !isUnanswered(answeredBy) && (
          <StatusBadge tone="bad" label="Tool error" />
        )}
      </span>
      <span className={classes.line}>
        <PlainText text={argumentsLine(call)} /> <span className={classes.arrow}>→</span>{' '}
        <PlainText text={resultLine(result)} />
      </span>
      {cut !== null && <PlainText as="span" className={classes.cut} text={cut} />}
    </>
  );
}

/** The arguments and the result of a call as they are. */
function CallDetails({ call, name }: { call: TrajectoryCall; name: string }) {
  const { arguments: given, argumentsText, note, answeredBy, result, durationMs } = call;
  return (
    <>
      {given === null ? (
        <CodeView text={argumentsText ?? ''} label={`Arguments in ${name}`} />
      ) : (
        <JsonText value={given} label={`Arguments in ${name}`} maxHeight={240} />
      )}
      {note !== undefined && <PlainText as="p" className={classes.muted} text={note} />}
      <p className={classes.muted}>
        {callAnswerTexts[answeredBy].meaning}
        {wasSent(answeredBy) &&
          ` ${isUnanswered(answeredBy) ? 'The run waited' : 'It took'} ${formatDuration(durationMs)}.`}
      </p>
      <CodeView text={result.text} label={`Result in ${name}`} maxHeight={240} />
      {result.structured !== null && (
        <JsonText
          value={result.structured}
          label={`Structured content in ${name}`}
          maxHeight={240}
        />
      )}
    </>
  );
}

/** The time of the model and that of its tools, each by its name and with its bar, and the tokens. */
function Effort({ step, longestMs }: Pick<TimelineStepProps, 'step' | 'longestMs'>) {
  const { elapsedMs, calls, usage } = step;
  const times = [
    { kind: calls.length === 0 ? 'answer' : 'call', name: 'model', ms: elapsedMs },
    ...(calls.some(({ answeredBy }) => wasSent(answeredBy))
      ? [{ kind: 'tool', name: noun(calls.length, 'tool'), ms: toolsMs(step) }]
      : []),
  ];
  return (
    <span className={classes.effort}>
      <span className={classes.times}>
        {times.map(({ kind, name, ms }) => (
          <span key={kind} className={classes.time}>
            {name} {formatDuration(ms)}
            <i aria-hidden>
              <b data-kind={kind} style={{ width: `${(100 * ms) / longestMs}%` }} />
            </i>
          </span>
        ))}
      </span>
      <span className={classes.tokens}>
        {usage === null ? '' : counted(usage.input + usage.output, 'token')}
      </span>
    </span>
  );
}
