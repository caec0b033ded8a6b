import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconChevronDown, IconChevronRight, IconTrash, IconPlayerPlay } from '@tabler/icons-react';
import { isResumable } from '../../../../src-shared/display/evaluationTexts.ts';
import { derivedText, originBadge } from '../../../../src-shared/display/originTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { useApi } from '../../../api/index.ts';
import { showFailure } from '../../../ui/notices/UndoNotice.tsx';
import classes from './list.module.css';

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

/** Marks the evaluation that came with the sample data. */
export function SampleBadge({ id }: Pick<Evaluation, 'id'>) {
  const { queries } = useApi();
  const sample = useQuery(queries.settings.sample.queryOptions());
  if (sample.data?.evaluation?.id !== id) return null;
  return (
    <span className={classes.badge} title="Part of the sample data. Remove it in Settings.">
      Sample
    </span>
  );
}

interface DerivedToggleProps {
  derived: readonly Evaluation[];
  isOpen: boolean;
  onToggle: () => void;
}

/** Shows or hides what was derived from an evaluation: "2 what-if runs". */
export function DerivedToggle({ derived, isOpen, onToggle }: DerivedToggleProps) {
  if (derived.length === 0) return null;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  const text = derivedText(derived.flatMap(({ origin }) => (origin === null ? [] : [origin])));
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

interface ResumeButtonProps {
  evaluation: Evaluation;
  /** True where resuming is the next step of the page. */
  prominent?: boolean;
  onResumed?: () => void;
}

/** Continues an evaluation that ended early; nothing for others. */
export function ResumeButton({ evaluation, prominent = false, onResumed }: ResumeButtonProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const { id, number } = evaluation;
  const resume = useMutation({
    mutationFn: () => client.evaluations.resume({ id }),
    onError: showFailure,
    ...(onResumed && { onSuccess: onResumed }),
    onSettled: () => cache.invalidateQueries({ queryKey: queries.evaluations.key() }),
  });
  if (!isResumable(evaluation)) return null;
  return (
    <Button
      {...(prominent
        ? { leftSection: <IconPlayerPlay size={16} aria-hidden /> }
        : { size: 'compact-sm', variant: 'default' })}
      loading={resume.isPending}
      aria-label={`Resume evaluation ${number}`}
      onClick={(event) => {
        event.stopPropagation();
        resume.mutate();
      }}
    >
      Resume
    </Button>
  );
}

export function DeleteButton({ number, onDelete }: { number: number; onDelete: () => void }) {
  return (
    <Tooltip label={`Delete #${number}`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Delete evaluation ${number}`}
        onClick={(event) => {
          event.stopPropagation();
          onDelete();
        }}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
