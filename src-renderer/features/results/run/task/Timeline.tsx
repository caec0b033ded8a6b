import { IconAlertTriangle } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import {
  divergenceText,
  endText,
  relationTexts,
} from '../../../../../src-shared/display/trajectoryTexts.ts';
import { firstWrongText } from '../../../../../src-shared/display/taskToolTexts.ts';
import { turnsOf, type Trajectory } from '../../../../../src-shared/domain/task.ts';
import type {
  StepRelation,
  TaskRunDetail,
  TrajectoryAlignment,
} from '../../../../../src-shared/domain/taskEvaluation.ts';
import { RunOutcome } from '../../result/task/CauseMark.tsx';
import { Foreign, PlainText } from '../../../../ui/text/Foreign.tsx';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { caseOfStep } from './caseOfStep.ts';
import { SaveStepAsCase } from '../case/SaveAsCase.tsx';
import classes from '../../tasks.module.css';
import { toolsMs } from './timeLane.ts';
import { TimelineStep } from './TimelineStep.tsx';
import type { Reference } from './useReference.ts';

interface TimelineProps {
  detail: TaskRunDetail;
  trajectory: Trajectory;
  /** The run beside it. */
  reference: Reference | null;
  /** The suite that gets a step as a case; null if it is not in the workspace. */
  suiteId: string | null;
  /** Ids of tools that their server calls destructive. */
  destructive: ReadonlySet<string>;
}

/** The steps of a run below the user turns that they answer, beside those of another run. */
export function Timeline(props: TimelineProps) {
  const { detail, trajectory, reference, suiteId, destructive } = props;
  const rows = reference?.alignment.rows ?? rowsOf(trajectory);
  const all = [...trajectory.steps, ...(reference?.trajectory.steps ?? [])];
  const longestMs = Math.max(1, ...all.map((one) => one.elapsedMs + toolsMs(one)));
  const turns = shownTurns(detail, trajectory, reference);
  const firstWrong = detail.toolUse?.firstWrong ?? null;
  const isWrong = (row: Row) => row.run !== null && row.run === firstWrong?.step;
  const step = (
    { steps }: Trajectory,
    index: number | null,
    whose: string,
    repeats: TaskRunDetail['repeats'],
  ) => {
    const found = index === null ? undefined : steps[index];
    const content = index === null ? null : caseOfStep(detail.content, steps, index);
    return index === null || found === undefined ? (
      <div />
    ) : (
      <TimelineStep
        number={index + 1}
        step={found}
        whose={whose}
        longestMs={longestMs}
        destructive={destructive}
        repeated={repeats.flatMap((one) => (one.step === index ? one.call : []))}
        action={
          suiteId !== null && content && <SaveStepAsCase suiteId={suiteId} content={content} />
        }
      />
    );
  };
  return (
    <section
      className={classes.panel}
      aria-label="Trajectory"
      data-compared={reference !== null || undefined}
      onKeyDown={moveFocus}
    >
      {reference !== null && (
        <>
          <p className={classes.divergence} role="status">
            <RichSentence
              text={divergenceText(
                reference.alignment,
                trajectory.steps,
                reference.trajectory.steps,
              )}
            />
          </p>
          <div className={classes.sides}>
            <RunHead name="This run" detail={detail} />
            <RunHead name={reference.label} detail={reference.detail} />
          </div>
        </>
      )}
      {turns.map(({ text, other, isSimulated }, index) => {
        const own = rows.map((row, at) => ({ ...row, at })).filter((row) => row.turn === index);
        return (
          <div key={index}>
            <h2 className={classes.turn}>
              <span>Turn {index + 1}</span>
              {isSimulated && (
                <span>
                  {other === null
                    ? ' · simulated user'
                    : ' · the simulated user answered differently'}
                </span>
              )}{' '}
              “<PlainText text={text} />”
              {other !== null && (
                <>
                  {' '}
                  <span>Other run</span> “<PlainText text={other} />”
                </>
              )}
            </h2>
            {own.length === 0 ? (
              <p className={classes.unreached}>The run ended before this turn.</p>
            ) : (
              <ol className={classes.steps}>
                {own.map((row) => (
                  <li
                    key={row.at}
                    className={classes.row}
                    data-first={reference?.alignment.first === row.at || undefined}
                    data-wrong={isWrong(row) || undefined}
                    aria-label={rowLabel(row)}
                  >
                    {step(trajectory, row.run, 'this run', detail.repeats)}
                    {isWrong(row) && firstWrong !== null && (
                      <p className={classes.wrongStep}>
                        <IconAlertTriangle size={15} stroke={2} aria-hidden />
                        <span>
                          <b>First wrong step.</b>{' '}
                          <RichSentence text={firstWrongText(firstWrong)} />
                        </span>
                      </p>
                    )}
                    {reference !== null && (
                      <>
                        <RelationMark relation={row.relation} />
                        {step(
                          reference.trajectory,
                          row.reference,
                          'the other run',
                          reference.detail.repeats,
                        )}
                      </>
                    )}
                  </li>
                ))}
              </ol>
            )}
          </div>
        );
      })}
      <Ends own={trajectory} other={reference?.trajectory ?? null} />
    </section>
  );
}

/** What the user said in either run; `other` where the second run has another text. */
function shownTurns(
  detail: TaskRunDetail,
  trajectory: Trajectory,
  reference: Reference | null,
): { text: string; other: string | null; isSimulated: boolean }[] {
  const own = turnsOf(detail.content, trajectory);
  const compared =
    reference === null ? own : turnsOf(reference.detail.content, reference.trajectory);
  const longer = compared.length > own.length ? compared : own;
  return longer.map((said, index) => {
    const text = own[index] ?? said;
    const other = compared[index] ?? text;
    const isSimulated = index >= detail.content.turns.length;
    return { text, other: other === text ? null : other, isSimulated };
  });
}

type Row = TrajectoryAlignment['rows'][number];

/** A run by itself, as rows of an alignment. */
const rowsOf = ({ steps }: Trajectory): Row[] =>
  steps.map(({ turn }, run) => ({ relation: 'same', turn, run, reference: null }));

const rowLabel = ({ run, reference }: Row): string =>
  run === null ? `Step ${(reference ?? 0) + 1} of the other run` : `Step ${run + 1}`;

function RunHead({ name, detail }: { name: string; detail: TaskRunDetail }) {
  return (
    <span className={classes.runHead}>
      <PlainText as="b" text={name} />
      <RunOutcome run={detail} />
    </span>
  );
}

/** Why the runs ended, where that was not an answer to the last turn. */
function Ends({ own, other }: { own: Trajectory; other: Trajectory | null }) {
  const [ownText, otherText] = [endText(own.end), other && endText(other.end)];
  if (ownText === null && otherText === null) return null;
  return (
    <div className={classes.ends}>
      {ownText !== null && (
        <p>
          <b>{other === null ? 'The run ended here.' : 'This run ended here.'}</b>{' '}
          <Foreign text={ownText} limit={400} />
        </p>
      )}
      {otherText !== null && (
        <p>
          <b>The other run ended here.</b> <Foreign text={otherText} limit={400} />
        </p>
      )}
    </div>
  );
}

/** Up and Down move between the steps, Home and End to the first and the last. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const keys = ['ArrowUp', 'ArrowDown', 'Home', 'End'];
  if (!keys.includes(event.key) || !(event.target instanceof HTMLElement)) return;
  if (event.target.dataset['step'] === undefined) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-step]')];
  const at = all.indexOf(event.target);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 }[event.key] ?? at;
  event.preventDefault();
  all[Math.min(Math.max(to, 0), all.length - 1)]?.focus();
}

function RelationMark({ relation }: { relation: StepRelation }) {
  const { glyph, meaning } = relationTexts[relation];
  return (
    <span
      className={classes.relation}
      data-relation={relation}
      role="img"
      aria-label={meaning}
      title={meaning}
    >
      {glyph}
    </span>
  );
}
