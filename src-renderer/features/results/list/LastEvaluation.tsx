import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { isResumable } from '../../../../src-shared/display/evaluationTexts.ts';
import { nextStepText } from '../../../../src-shared/display/nextStepText.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { splitToolId } from '../../../../src-shared/domain/labels.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import type { Verdict } from '../../../../src-shared/domain/verdict.ts';
import { useApi } from '../../../api/index.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { Time } from '../../../ui/text/Time.tsx';
import { RichSentence } from '../../../ui/verdict/RichSentence.tsx';
import { VerdictPanel } from '../../../ui/verdict/VerdictPanel.tsx';
import { nameModels } from '../modelNames.ts';
import { fixLink } from '../result/fixLink.ts';
import { ResumeButton } from './EvaluationParts.tsx';

interface LastEvaluationProps {
  evaluation: Evaluation;
  /** True if another button of the page is the filled one. */
  quiet: boolean;
}

/** The verdict of the last evaluation with its next step, for the overview. */
export function LastEvaluation({ evaluation, quiet }: LastEvaluationProps) {
  const { queries } = useApi();
  const verdict = useQuery(
    queries.results.verdict.queryOptions({
      input: { id: evaluation.id },
      // A resumed or deleted evaluation has other numbers under the same id.
      staleTime: 0,
    }),
  );
  return (
    <Loaded query={verdict} blocks={[200]} label="Loading the last evaluation">
      {(data) => <LastVerdict evaluation={evaluation} verdict={data} quiet={quiet} />}
    </Loaded>
  );
}

function LastVerdict({ evaluation, verdict, quiet }: LastEvaluationProps & { verdict: Verdict }) {
  const { id, number, suiteName, suiteId, models, createdAt } = evaluation;
  const names = nameModels(models);
  const next = nextStepText(verdict);
  const variant = quiet ? 'default' : 'filled';
  const open = (
    <Button component={Link} to={`/evaluations/${id}`} variant="default">
      Open result
    </Button>
  );
  return (
    <VerdictPanel
      verdict={verdict}
      modelName={(model) => names.get(model) ?? model}
      lead={
        <>
          Last evaluation ·{' '}
          <Anchor component={Link} to={`/evaluations/${id}`} inherit>
            #{number} <PlainText text={suiteName} />
          </Anchor>{' '}
          · <PlainText text={models.map(modelLabel).join(', ')} /> ·{' '}
          <Time iso={createdAt} focusable={false} />
        </>
      }
      next={nextSentence(evaluation, next)}
      actions={
        <>
          {open}
          {isResumable(evaluation) ? (
            <ResumeButton evaluation={evaluation} />
          ) : (
            next?.tool != null && (
              <Button
                component={Link}
                to={fixLink(id, next.tool)}
                variant={variant}
                rightSection={<IconArrowRight size={16} aria-hidden />}
              >
                Fix&nbsp;
                <PlainText text={splitToolId(next.tool).tool} />
              </Button>
            )
          )}
          {!isResumable(evaluation) && next === null && suiteId !== null && (
            <Button
              component={Link}
              to={`/evaluations/new?suite=${encodeURIComponent(suiteId)}`}
              variant={variant}
            >
              Run again
            </Button>
          )}
        </>
      }
    />
  );
}

function nextSentence(evaluation: Evaluation, next: ReturnType<typeof nextStepText>) {
  if (isResumable(evaluation))
    return (
      <>
        <b>Not finished.</b>{' '}
        <PlainText text={evaluation.reason ?? 'Resume runs what is missing.'} />
      </>
    );
  return (
    <>
      <b>Next:</b>{' '}
      {next === null ? (
        'Run it again after a server changes, or add harder cases.'
      ) : (
        <RichSentence text={next.text} />
      )}
    </>
  );
}
