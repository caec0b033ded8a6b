import { formatCount, formatDuration } from '../../../../../src-shared/display/numbers.ts';
import type { Trajectory } from '../../../../../src-shared/domain/task.ts';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import classes from './lanes.module.css';
import { type Lane, laneOf, ticksOf } from './timeLane.ts';
import type { Reference } from './useReference.ts';

interface TimeLanesProps {
  run: Trajectory;
  runName: string;
  /** The run below it. */
  reference: Reference | null;
}

/** The time of the model and of the tools, step by step, on one scale for both runs. */
export function TimeLanes({ run, runName, reference }: TimeLanesProps) {
  const own = laneOf(run);
  const other = reference && laneOf(reference.trajectory);
  const rowAt = reference?.alignment.rows[reference.alignment.first ?? -1];
  const ticks = ticksOf(Math.max(own.totalMs, other?.totalMs ?? 0));
  const scaleMs = Math.max(1, ticks.at(-1) ?? 1);
  if (own.steps.length + (other?.steps.length ?? 0) === 0) return null;
  const start = own.steps[rowAt?.run ?? -1]?.startMs;
  const title =
    reference === null
      ? `${formatDuration(own.modelMs)} in the model, ${formatDuration(own.totalMs - own.modelMs)} in tools`
      : reference.alignment.first === null || other === null
        ? `This run took ${formatDuration(own.totalMs)}, the other ${formatDuration(other?.totalMs)}`
        : start === undefined
          ? 'The runs differ in a step that only the other run has'
          : `The runs differ from step ${(rowAt?.run ?? 0) + 1} on, ${formatDuration(start)} in`;
  return (
    <section className={classes.card} aria-label="Time">
      <div className={classes.head}>
        <h2>{title}</h2>
        <span className={classes.keys} aria-hidden>
          <i data-kind="call" /> model chooses calls <i data-kind="answer" /> model answers{' '}
          <i data-kind="tool" /> tools run
          {rowAt !== undefined && (
            <>
              {' '}
              <i data-kind="first" /> first difference
            </>
          )}
        </span>
      </div>
      <LaneRow
        name="This run"
        note={runName}
        lane={own}
        scaleMs={scaleMs}
        first={rowAt?.run ?? null}
      />
      {reference !== null && other !== null && (
        <LaneRow
          name="Other run"
          note={reference.label}
          lane={other}
          scaleMs={scaleMs}
          first={rowAt?.reference ?? null}
        />
      )}
      <div className={classes.axis} aria-hidden>
        <span />
        <div>
          {ticks.map((tick) => (
            <span key={tick} style={{ left: `${(100 * tick) / scaleMs}%` }}>
              {formatDuration(tick)}
            </span>
          ))}
        </div>
        <span />
      </div>
    </section>
  );
}

interface LaneRowProps {
  name: string;
  note: string;
  lane: Lane;
  scaleMs: number;
  /** The step that differs first. */
  first: number | null;
}

/** From this share of the scale on, a step has room for its number. */
const minShareForNumber = 0.02;

function LaneRow({ name, note, lane, scaleMs, first }: LaneRowProps) {
  const percent = (ms: number): string => `${(100 * ms) / scaleMs}%`;
  const tokens = lane.tokens === null ? '' : ` · ${formatCount(lane.tokens)} tokens`;
  return (
    <div className={classes.lane}>
      <span className={classes.name}>
        <b>{name}</b>
        <PlainText as="span" text={note} />
      </span>
      <div
        className={classes.track}
        role="img"
        aria-label={`${name}: ${formatCount(lane.steps.length)} steps in ${formatDuration(lane.totalMs)}`}
      >
        {lane.steps.map(({ startMs, modelMs, toolMs, answers }, index) => [
          <span
            key={`${index} model`}
            data-kind={index === first ? 'first' : answers ? 'answer' : 'call'}
            style={{ left: percent(startMs), width: percent(modelMs) }}
            title={`Step ${index + 1}: ${formatDuration(modelMs)}`}
          >
            {modelMs / scaleMs >= minShareForNumber && index + 1}
          </span>,
          toolMs > 0 && (
            <span
              key={`${index} tools`}
              data-kind="tool"
              style={{ left: percent(startMs + modelMs), width: percent(toolMs) }}
              title={`Tools of step ${index + 1}: ${formatDuration(toolMs)}`}
            />
          ),
        ])}
      </div>
      <span className={classes.total}>
        {formatDuration(lane.totalMs)}
        {tokens}
      </span>
    </div>
  );
}
