import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { Outcome } from '../../../../../src-shared/domain/outcome.ts';
import type { Verdict } from '../../../../../src-shared/domain/verdict.ts';
import { isResumable } from '../../../../../src-shared/display/evaluationTexts.ts';
import { biggestCause } from '../../../../../src-shared/display/verdictTexts.ts';
import { RichSentence } from '../../../../ui/verdict/RichSentence.tsx';
import { VerdictPanel } from '../../../../ui/verdict/VerdictPanel.tsx';
import { nameModels } from '../../modelNames.ts';
import { ResumeButton } from '../../list/EvaluationParts.tsx';
import { FixNext, NotFinished } from '../../NextStep.tsx';

interface ResultVerdictProps {
  evaluation: Evaluation;
  verdict: Verdict;
  onOutcome: (outcome: Outcome) => void;
}

/**
 * The verdict with its next step: resume what is missing, or fix what fails most. While the
 * evaluation runs, it is the verdict so far.
 */
export function ResultVerdict({ evaluation, verdict, onOutcome }: ResultVerdictProps) {
  const names = nameModels(evaluation.models);
  const cause = biggestCause(verdict);
  const running = !hasEnded(evaluation.state);
  return (
    <VerdictPanel
      verdict={verdict}
      modelName={(id) => names.get(id) ?? id}
      onOutcome={onOutcome}
      soFar={running}
      {...(isResumable(evaluation)
        ? {
            next: <NotFinished reason={evaluation.reason} />,
            actions: <ResumeButton unit="case" evaluation={evaluation} prominent="filled" />,
          }
        : cause && {
            next: (
              <>
                <b>{running ? `${cause.label} so far:` : `${cause.label}:`}</b>{' '}
                <RichSentence text={cause.text} />
              </>
            ),
            actions: cause.tool !== null && !running && (
              <FixNext evaluationId={evaluation.id} tool={cause.tool} />
            ),
          })}
    />
  );
}
