import { Anchor, Button, Tooltip } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Action, RemoveButton } from '../../../ui/fields/controls.tsx';
import { modeTexts } from '../../../../src-shared/display/executionTexts.ts';
import { shortModelNames } from '../../../../src-shared/display/shortModelName.ts';
import { originBadge } from '../../../../src-shared/display/originTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { ResultGroup } from '../../../../src-shared/contract/results.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { useRead } from '../../../api/index.ts';
import { OutcomeBar } from '../../../ui/outcome/outcomes.tsx';
import { PlainText } from '../../../ui/text/Foreign.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { evaluationLink, evaluationNoun } from '../links.ts';
import { stateBadges } from '../result/optimizationStates.ts';
import { useActions } from '../useActions.ts';
import classes from './list.module.css';
import type { Listed } from './listed.ts';

/** Why a derived evaluation exists, in a word. */
export function OriginBadge({ origin }: Pick<Evaluation, 'origin'>) {
  if (origin === null) return null;
  const { label, title } = originBadge(origin);
  return (
    <span className={classes.badge} title={title}>
      {label}
    </span>
  );
}

function SampleBadge({ id }: Pick<Evaluation, 'id'>) {
  const sample = useRead((ask) => ask.settings.sample);
  if (sample.data?.evaluation?.id !== id) return null;
  return (
    <span className={classes.badge} title="Part of the sample data. Remove it in Settings.">
      Sample
    </span>
  );
}

interface DerivedToggleProps {
  /** What is folded, such as `2 estimates`. */
  text: string;
  isOpen: boolean;
  onToggle: () => void;
}

/** Shows or hides what was derived from an evaluation: "2 estimates". */
export function DerivedToggle({ text, isOpen, onToggle }: DerivedToggleProps) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <button
      type="button"
      className={classes.toggle}
      title={text}
      aria-expanded={isOpen}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Chevron size={14} stroke={2.2} aria-hidden />
      <span>{text}</span>
    </button>
  );
}

/** Why an evaluation exists, and of tasks, what they may execute. */
export function ListedBadges({ one }: { one: Listed }) {
  if (one.unit === 'case')
    return (
      <>
        <OriginBadge origin={one.evaluation.origin} />
        <SampleBadge id={one.evaluation.id} />
      </>
    );
  const { label, meaning } = modeTexts[one.evaluation.settings.mode];
  return (
    <>
      <OriginBadge origin={one.evaluation.origin} />
      <span className={classes.badge} title={`Result of tasks. ${meaning}`}>
        Tasks · {label}
      </span>
    </>
  );
}

/** More bars than these don't fit into a row. */
const maxBars = 3;

/** What became of the runs, of each model in the order of their names. */
export function OutcomeBars({ one }: { one: Listed }) {
  const { outcomes, byModel = [outcomes], models } = one.evaluation;
  if (byModel.length === 1 || byModel.length > maxBars)
    return <OutcomeBar thin counts={outcomes} />;
  return (
    <div className={classes.bars}>
      {byModel.map((counts, at) => (
        <OutcomeBar key={models[at]?.id} thin counts={counts} />
      ))}
    </div>
  );
}

/** A search for better descriptions, below the result that it started from. */
export function SearchName({ state }: Pick<ResultGroup['searches'][number], 'state'>) {
  return (
    <span className={classes.name}>
      Search for better descriptions
      <span className={classes.badge}>{stateBadges[state].label}</span>
    </span>
  );
}

interface ResumeButtonProps {
  unit: EvaluationUnit;
  evaluation: Pick<Evaluation, 'id' | 'number'>;
  /** How it looks where resuming is the next step of the page; else it is a button of a row. */
  prominent?: 'filled' | 'default';
  onResumed?: () => void;
}

/** Continues an evaluation that ended early: what has no score runs again. */
export function ResumeButton({ unit, evaluation, prominent, onResumed }: ResumeButtonProps) {
  const { resume } = useActions(unit, { onResumed });
  const { id, number } = evaluation;
  return (
    <Button
      {...(prominent === undefined
        ? { size: 'compact-sm', variant: 'default' }
        : { variant: prominent, leftSection: <IconPlayerPlay size={16} aria-hidden /> })}
      loading={resume.isPending}
      aria-label={`Resume ${evaluationNoun[unit]} ${number}`}
      onClick={(event) => {
        event.stopPropagation();
        resume.mutate(id);
      }}
    >
      Resume
    </Button>
  );
}

export function DeleteButton({ number, onDelete }: { number: number; onDelete: () => void }) {
  return (
    <Tooltip label={`Delete #${number}`}>
      <RemoveButton
        label={`Delete evaluation ${number}`}
        onClick={(event) => {
          event.stopPropagation();
          onDelete();
        }}
      />
    </Tooltip>
  );
}

interface LastLeadProps {
  unit: EvaluationUnit;
  evaluation: Pick<Evaluation, 'id' | 'number' | 'suiteName' | 'createdAt'>;
  /** Their names. */
  models: readonly string[];
}

/** Which evaluation the verdict of the overview is about. */
export function LastLead({ unit, evaluation, models }: LastLeadProps) {
  const { id, number, suiteName, createdAt } = evaluation;
  return (
    <>
      Last result ·{' '}
      <Anchor component={Link} to={evaluationLink(id)} inherit>
        #{number} <PlainText text={suiteName} />
      </Anchor>{' '}
      · {unit === 'task' && 'tasks · '}
      <PlainText text={shortModelNames(models)} /> · <Time iso={createdAt} focusable={false} />
    </>
  );
}

export function OpenResult({ id }: { id: string }) {
  return <Action label="Open result" to={evaluationLink(id)} />;
}
