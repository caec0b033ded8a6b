import { Button, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { RichText } from '../../../../src-shared/display/verdictTexts.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { Action } from '../../../ui/fields/controls.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { useEscape } from '../../../ui/keyboard/useEscape.ts';
import { useShortcut } from '../../../ui/keyboard/useShortcut.ts';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { RichSentence } from '../../../ui/verdict/RichSentence.tsx';
import { evaluationLink, evaluationTitle } from '../links.ts';
import classes from './case/case.module.css';

/** The list that a person steps through: a place in it, and the runs before and after this one. */
interface RunList {
  /** What a step leads to: `case`, `failure`. */
  noun: string;
  /** `Failure 11 of 22`; empty outside of the list. */
  place: string;
  /** Addresses; null if there is no run in this direction. */
  previous: string | null;
  next: string | null;
}

interface RunPageProps<Detail> {
  unit: EvaluationUnit;
  evaluationId: string;
  /** Undefined until it has loaded. */
  evaluation: { number: number; suiteName: string } | undefined;
  /** Where the run was opened from, and what is selected there; the result, where not given. */
  back?: { label: string; to: string; from: string };
  list: RunList;
  run: { data: Detail | undefined; error: unknown; refetch: () => unknown };
  /** The case or task of the run. */
  nameOf: (detail: Detail) => string;
  /** What happened in it, and the mark of its outcome. */
  titleOf: (detail: Detail) => { mark: ReactNode; text: RichText };
  facts: string;
  actions: ReactNode;
  /** What a notice says above the run. */
  above?: ReactNode;
  children: (detail: Detail) => ReactNode;
}

/** One run of a case or task: what happened in a sentence, the evidence, and what to do next. */
export function RunPage<Detail>(props: RunPageProps<Detail>) {
  const { unit, evaluationId, evaluation, back, list, run, facts, actions, above } = props;
  const navigate = useNavigate();
  const word = unit === 'task' ? 'Run' : 'Case';
  const title = run.data === undefined ? null : props.titleOf(run.data);
  useEscape(
    () =>
      void navigate(back?.to ?? evaluationLink(evaluationId), {
        state: back === undefined ? null : { from: back.from },
      }),
  );
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Results', to: '/results' },
          {
            label: evaluation
              ? `#${evaluation.number} ${evaluation.suiteName}`
              : evaluationTitle(unit),
            to: evaluationLink(evaluationId),
          },
          ...(back === undefined ? [] : [back]),
          { label: run.data === undefined ? word : props.nameOf(run.data) },
        ]}
        title={
          title === null ? (
            word
          ) : (
            <span className={classes.heading}>
              {title.mark}
              <span>
                <RichSentence text={title.text} />
              </span>
            </span>
          )
        }
        {...(facts !== '' && { subtitle: facts })}
        actions={
          <>
            <RunSteps {...list} />
            {actions}
          </>
        }
      />
      {above}
      <Loaded query={run} blocks={[120, 280, 80]} label={`Loading the ${word.toLowerCase()}`}>
        {props.children}
      </Loaded>
    </>
  );
}

/** The place in the list, and the steps to the runs before and after it. */
function RunSteps({ noun, place, previous, next }: RunList) {
  const navigate = useNavigate();
  const step = (to: string | null) => () => {
    if (to !== null) void navigate(to, { replace: true });
  };
  useShortcut('j', step(next), `Next ${noun}`);
  useShortcut('k', step(previous), `Previous ${noun}`);
  return (
    <>
      {place !== '' && <span className={classes.place}>{place}</span>}
      <Button.Group>
        <Tooltip label={`Previous ${noun} (K)`}>
          <Action
            label={<IconChevronLeft size={18} aria-hidden />}
            aria-label={`Previous ${noun}`}
            px="xs"
            disabled={previous === null}
            onClick={step(previous)}
          />
        </Tooltip>
        <Tooltip label={`Next ${noun} (J)`}>
          <Action
            label={`Next ${noun}`}
            after={IconChevronRight}
            disabled={next === null}
            onClick={step(next)}
          />
        </Tooltip>
      </Button.Group>
    </>
  );
}
