import { Select } from '@mantine/core';
import { useNavigate } from 'react-router';
import {
  otherRunLabel,
  runEndText,
  taskOutcomeTexts,
} from '../../../../../src-shared/display/taskTexts.ts';
import { shortModelName } from '../../../../../src-shared/display/shortModelName.ts';
import type { OtherTaskRun } from '../../../../../src-shared/domain/taskEvaluation.ts';
import type { TaskReport } from '../../../../../src-shared/domain/taskReport.ts';
import { useRead } from '../../../../api/index.ts';
import { visibleText } from '../../../../ui/text/Foreign.tsx';
import { readRun, type RunAddress, taskRunLink, writeRun } from '../../links.ts';
import { choosing } from '../../../../ui/fields/controls.tsx';

interface RunPickersProps {
  run: RunAddress;
  /** The run that it is compared with. */
  reference: RunAddress | null;
  report: TaskReport | undefined;
}

/** Chooses which run of the task is shown, and which other one it is compared with. */
export function RunPickers({ run, reference, report }: RunPickersProps) {
  const navigate = useNavigate();
  const others = useRead((ask) => ask.evaluations.otherRuns, { input: run }).data;
  if (report === undefined || others === undefined) return null;
  const { evaluation, runs, models } = report;
  const position = runs.find(({ runId }) => runId === run.runId)?.position;
  const own = runs.filter((row) => row.position === position);
  const labels = models.map(({ label }) => label);
  const modelOf = (id: string): string =>
    shortModelName(models.find((model) => model.id === id)?.label ?? '', labels);
  const isOwn = ({ evaluationId }: OtherTaskRun): boolean => evaluationId === evaluation.id;
  const choice = (other: OtherTaskRun) => ({
    value: writeRun({ id: other.evaluationId, runId: other.runId }),
    label: visibleText(`${otherRunLabel(other)}: ${taskOutcomeTexts[other.outcome].label}`),
  });
  return (
    <>
      {own.length > 1 && (
        <Select
          aria-label="Run"
          w={230}
          data={own.map((row) => ({
            value: row.runId,
            label: visibleText(
              `${modelOf(row.modelSettingsId)} · run ${row.repetition}: ${runEndText(row)}`,
            ),
          }))}
          {...choosing(
            run.runId,
            (runId) =>
              void navigate(
                taskRunLink(run.id, runId, reference?.runId === runId ? null : reference),
                { replace: true },
              ),
          )}
        />
      )}
      {others.length > 0 && (
        <Select
          aria-label="Compare with"
          placeholder="Compare with…"
          w={230}
          comboboxProps={{ width: 360, position: 'bottom-end' }}
          data={[
            { group: 'This evaluation', items: others.filter(isOwn).map(choice) },
            {
              group: 'Other evaluations',
              items: others.filter((other) => !isOwn(other)).map(choice),
            },
          ].filter(({ items }) => items.length > 0)}
          value={reference && writeRun(reference)}
          clearable
          searchable
          nothingFoundMessage="No run matches."
          onChange={(chosen) =>
            void navigate(taskRunLink(run.id, run.runId, readRun(chosen)), { replace: true })
          }
        />
      )}
    </>
  );
}
