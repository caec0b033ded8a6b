import { Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Action } from '../../../../ui/fields/controls.tsx';
import { checksTitle } from '../../../../../src-shared/display/checksTitle.ts';
import { actualText, expectedText } from '../../../../../src-shared/display/differenceTexts.ts';
import { judgedText } from '../../../../../src-shared/display/judgeTexts.ts';
import { isByModel } from '../../../../../src-shared/domain/checkKinds.ts';
import type { TaskRunDetail } from '../../../../../src-shared/domain/taskEvaluation.ts';
import { StatusBadge } from '../../../../ui/badges/StatusBadge.tsx';
import { Fold, TitledPanel } from '../../../../ui/panels/panels.tsx';
import { CodeView, JsonText } from '../../../../ui/text/CodeView.tsx';
import { Foreign, PlainText } from '../../../../ui/text/Foreign.tsx';
import classes from '../../tasks.module.css';
import { useApi } from '../../../../api/index.ts';
import { ErrorNotice } from '../../../../ui/notices/notices.tsx';

/** Every check of a run: whether it passed and why, what it expects, and the state that it read. */
export function TaskChecks({ run }: { run: TaskRunDetail }) {
  const { checks, content, trajectory } = run;
  return (
    <TitledPanel title={checksTitle(run)} label="Checks">
      <ul className={classes.checks}>
        {checks.map(({ id, kind, passed, reason, advisory, votes = [] }) => {
          const asked = run.judgeQuestions.find((one) => one.checkId === id);
          const judged = judgedText(asked, votes);
          const check = content.checks.find((one) => one.id === id);
          const state = trajectory?.states[id];
          const difference = run.differences.find((one) => one.check === id);
          return (
            <li key={id}>
              <div className={classes.checkHead}>
                <PlainText as="code" text={id} />
                {advisory === true && <span className={classes.note}>advisory</span>}
                <StatusBadge
                  tone={passed === null ? 'idle' : passed ? 'good' : 'bad'}
                  label={passed === null ? 'Not judged' : passed ? 'Passed' : 'Failed'}
                />
              </div>
              <Foreign as="p" text={reason} limit={400} />
              {difference !== undefined && (
                <p>
                  Expected <Foreign text={expectedText(difference)} limit={400} />, got{' '}
                  <Foreign text={actualText(difference)} limit={400} />
                </p>
              )}
              {isByModel({ kind }) && <JudgeLabel run={run} checkId={id} />}
              {judged !== '' && (
                <Fold title="Question and verdicts of judges">
                  <CodeView text={judged} label={`Judges of ${id}`} maxHeight={240} />
                </Fold>
              )}
              {check !== undefined && (
                <Fold title="Definition">
                  <JsonText value={check} label={`Definition of ${id}`} maxHeight={240} />
                </Fold>
              )}
              {state !== undefined && (
                <Fold title="State that was read">
                  <CodeView text={state.text} label={`State for ${id}`} maxHeight={240} />
                </Fold>
              )}
            </li>
          );
        })}
      </ul>
    </TitledPanel>
  );
}

/** What a person says about a judge check of a run. The pressed answer is taken back with a click. */
function JudgeLabel(props: { run: Pick<TaskRunDetail, 'runId' | 'labels'>; checkId: string }) {
  const {
    run: { runId, labels },
    checkId,
  } = props;
  const { client, queries, reread } = useApi();
  const said = labels.find((one) => one.checkId === checkId)?.label ?? null;
  const save = useMutation({
    mutationFn: (label: boolean | null) =>
      client.evaluations.label({ labels: [{ runId, checkId, label }] }),
    onSuccess: () => reread(queries.evaluations),
  });
  return (
    <>
      <Group gap="xs" role="group" aria-label={`Your label for ${checkId}`} mt={6}>
        <span className={classes.muted}>Does the run meet the rubric?</span>
        {[true, false].map((answer) => (
          <Action
            key={String(answer)}
            label={answer ? 'Yes' : 'No'}
            size="compact-xs"
            variant={said === answer ? 'light' : 'default'}
            aria-pressed={said === answer}
            disabled={save.isPending}
            onClick={() => save.mutate(said === answer ? null : answer)}
          />
        ))}
      </Group>
      <ErrorNotice error={save.error} />
    </>
  );
}
