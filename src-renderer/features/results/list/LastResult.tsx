import { Action } from '../../../ui/fields/controls.tsx';
import { isResumable } from '../../../../src-shared/display/evaluationTexts.ts';
import { nextStepText } from '../../../../src-shared/display/nextStepText.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import type { TaskEvaluation } from '../../../../src-shared/domain/taskEvaluation.ts';
import type { Verdict } from '../../../../src-shared/domain/verdict.ts';
import { useRead } from '../../../api/index.ts';
import { Loaded } from '../../../ui/notices/notices.tsx';
import { RichSentence } from '../../../ui/verdict/RichSentence.tsx';
import { VerdictPanel } from '../../../ui/verdict/VerdictPanel.tsx';
import { nameModels } from '../modelNames.ts';
import { FixTool, NotFinished } from '../NextStep.tsx';
import { useTaskReport } from '../live/useTaskReport.ts';
import { TaskVerdict } from '../result/task/TaskVerdict.tsx';
import type { Listed } from './listed.ts';
import { LastLead, OpenResult, ResumeButton } from './EvaluationParts.tsx';

interface LastResultProps {
  one: Listed;
  /** True if another button of the page is the filled one. */
  quiet: boolean;
}

/** The verdict of the last result with its next step, for the overview. */
export function LastResult({ one, quiet }: LastResultProps) {
  return one.unit === 'task' ? (
    <LastOfTasks evaluation={one.evaluation} quiet={quiet} />
  ) : (
    <LastOfCases evaluation={one.evaluation} quiet={quiet} />
  );
}

function LastOfTasks({ evaluation, quiet }: { evaluation: TaskEvaluation; quiet: boolean }) {
  const { report } = useTaskReport(evaluation.id);
  const lead = (models: readonly string[]) => (
    <LastLead unit="task" evaluation={evaluation} models={models} />
  );
  return (
    <Loaded query={report} blocks={[200]} label="Loading the last evaluation">
      {(loaded) => (
        <TaskVerdict
          report={loaded}
          quiet={quiet}
          lead={lead(loaded.models.map(({ label }) => label))}
          action={<OpenResult id={evaluation.id} />}
        />
      )}
    </Loaded>
  );
}

interface LastOfCasesProps {
  evaluation: Evaluation;
  quiet: boolean;
}

function LastOfCases({ evaluation, quiet }: LastOfCasesProps) {
  const verdict = useRead((ask) => ask.results.verdict, {
    input: { id: evaluation.id },
    // A resumed or deleted evaluation has other numbers under the same id.
    staleTime: 0,
  });
  return (
    <Loaded query={verdict} blocks={[200]} label="Loading the last evaluation">
      {(data) => <LastVerdict evaluation={evaluation} verdict={data} quiet={quiet} />}
    </Loaded>
  );
}

function LastVerdict({ evaluation, verdict, quiet }: LastOfCasesProps & { verdict: Verdict }) {
  const { id, suiteId, models } = evaluation;
  const names = nameModels(models);
  const next = nextStepText(verdict);
  const variant = quiet ? 'default' : 'filled';
  return (
    <VerdictPanel
      verdict={verdict}
      modelName={(model) => names.get(model) ?? model}
      lead={<LastLead unit="case" evaluation={evaluation} models={models.map(modelLabel)} />}
      next={nextSentence(evaluation, next)}
      actions={
        <>
          <OpenResult id={id} />
          {isResumable(evaluation) ? (
            <ResumeButton unit="case" evaluation={evaluation} prominent={variant} />
          ) : (
            next?.tool != null && (
              <FixTool
                evaluationId={id}
                tool={next.tool}
                models={models.map((model) => ({
                  id: model.id,
                  label: names.get(model.id) ?? model.model,
                }))}
                // The one that fails most.
                preset={verdict.models.at(-1)?.modelSettingsId ?? null}
                prominent={variant}
              />
            )
          )}
          {!isResumable(evaluation) && next === null && suiteId !== null && (
            <Action
              label="Run again"
              to={`/results/new?suite=${encodeURIComponent(suiteId)}`}
              variant={variant}
            />
          )}
        </>
      }
    />
  );
}

function nextSentence(evaluation: Evaluation, next: ReturnType<typeof nextStepText>) {
  if (isResumable(evaluation)) return <NotFinished reason={evaluation.reason} />;
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
