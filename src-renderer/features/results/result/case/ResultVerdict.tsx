import { Button } from '@mantine/core';
import { IconArrowRight, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { splitToolId } from '../../../../../src-shared/domain/labels.ts';
import type { Outcome } from '../../../../../src-shared/domain/outcome.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { isResumable } from '../../../../../src-shared/display/evaluationTexts.ts';
import { biggestCause } from '../../../../../src-shared/display/verdictTexts.ts';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { VerdictPanel } from '../../../../ui/verdict/VerdictPanel.tsx';
import { nameModels } from '../../modelNames.ts';
import { fixLink } from '../fixLink.ts';
import type { EvaluationActions } from '../useEvaluationActions.ts';

interface ResultVerdictProps {
  evaluation: Evaluation;
  verdict: Verdict;
  acts: EvaluationActions;
  onOutcome: (outcome: Outcome) => void;
}

/**
 * The verdict with its next step: resume what is missing, or fix what fails most. While the
 * evaluation runs, it is the verdict so far.
 */
export function ResultVerdict({ evaluation, verdict, acts, onOutcome }: ResultVerdictProps) {
  const names = nameModels(evaluation.models);
  const cause = biggestCause(verdict);
  const resumable = isResumable(evaluation);
  const running = !hasEnded(evaluation.state);
  return (
    <VerdictPanel
      verdict={verdict}
      modelName={(id) => names.get(id) ?? id}
      onOutcome={onOutcome}
      soFar={running}
      {...(cause || resumable
        ? {
            next: resumable ? (
              <>
                <b>Not finished.</b>{' '}
                {evaluation.reason === null ? (
                  'Resume runs only what is missing.'
                ) : (
                  <Foreign text={evaluation.reason} limit={400} />
                )}
              </>
            ) : (
              cause && (
                <>
                  <b>{running ? `${cause.label} so far:` : `${cause.label}:`}</b>{' '}
                  <RichSentence text={cause.text} />
                </>
              )
            ),
            actions: resumable ? (
              <Button
                leftSection={<IconPlayerPlay size={16} aria-hidden />}
                loading={acts.resume.isPending}
                onClick={() => {
                  acts.resume.mutate();
                }}
              >
                Resume
              </Button>
            ) : (
              cause?.tool != null &&
              !running && (
                <Button
                  component={Link}
                  to={fixLink(evaluation.id, cause.tool)}
                  rightSection={<IconArrowRight size={16} aria-hidden />}
                >
                  Fix&nbsp;
                  <PlainText text={splitToolId(cause.tool).tool} />
                </Button>
              )
            ),
          }
        : {})}
    />
  );
}
