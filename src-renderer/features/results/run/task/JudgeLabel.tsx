import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { TaskRunDetail } from '../../../../../src-shared/domain/taskEvaluation.ts';
import { useApi } from '../../../../api/index.ts';
import { ErrorNotice } from '../../../../ui/notices/ErrorNotice.tsx';
import classes from '../../tasks.module.css';

interface JudgeLabelProps {
  run: Pick<TaskRunDetail, 'runId' | 'labels'>;
  checkId: string;
}

/** What a person says about a judge check of a run. The pressed answer is taken back with a click. */
export function JudgeLabel({ run: { runId, labels }, checkId }: JudgeLabelProps) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const said = labels.find((one) => one.checkId === checkId)?.label ?? null;
  const save = useMutation({
    mutationFn: (label: boolean | null) =>
      client.evaluations.label({ labels: [{ runId, checkId, label }] }),
    onSuccess: () => cache.invalidateQueries({ queryKey: queries.evaluations.key() }),
  });
  return (
    <>
      <Group gap="xs" role="group" aria-label={`Your label for ${checkId}`} mt={6}>
        <span className={classes.muted}>Does the run meet the rubric?</span>
        {[true, false].map((answer) => (
          <Button
            key={String(answer)}
            size="compact-xs"
            variant={said === answer ? 'light' : 'default'}
            aria-pressed={said === answer}
            disabled={save.isPending}
            onClick={() => {
              save.mutate(said === answer ? null : answer);
            }}
          >
            {answer ? 'Yes' : 'No'}
          </Button>
        ))}
      </Group>
      {save.error !== null && <ErrorNotice error={save.error} />}
    </>
  );
}
