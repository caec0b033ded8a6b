import { Button, Group, Menu, Modal, Text } from '@mantine/core';
import {
  IconArrowsDiff,
  IconChartLine,
  IconDots,
  IconCalculator,
  IconPlayerStop,
  IconRefresh,
  IconRepeat,
  IconTools,
  IconTrash,
  IconWand,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { RescoreDialog } from './RescoreDialog.tsx';
import {
  mayCostMoney,
  RunAgainDialog,
  suggestedRepetitions,
  whyNoRerun,
} from './RunAgainDialog.tsx';
import type { EvaluationActions } from './useEvaluationActions.ts';

interface ResultActionsProps {
  evaluation: Evaluation;
  /** The selected model; null means all. */
  model: string | null;
  acts: EvaluationActions;
}

/** The default comparison partner: the evaluation that this one is a what-if of. */
function compareLink({ id, models, settings }: Evaluation, model: string | null): string {
  const own = models.length > 1 && model !== null ? `${id}/${model}` : id;
  const { whatIf } = settings;
  return `/evaluations/compare?${new URLSearchParams(whatIf === null ? { base: own } : { base: whatIf.baseId, with: own }).toString()}`;
}

export function ResultActions({ evaluation, model, acts }: ResultActionsProps) {
  const [rescoring, setRescoring] = useState(false);
  const [asking, setAsking] = useState(false);
  const [rerunning, setRerunning] = useState<number | null>(null);
  const ended = hasEnded(evaluation.state);
  const { suiteId, repetitions } = evaluation.settings;
  const noRerun = whyNoRerun(evaluation);
  return (
    <>
      {!ended && (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          loading={acts.cancel.isPending}
          onClick={() => {
            acts.cancel.mutate();
          }}
        >
          Cancel
        </Button>
      )}
      {ended && (
        <Button
          component={Link}
          to={`/improve?evaluation=${evaluation.id}`}
          variant="default"
          leftSection={<IconWand size={16} aria-hidden />}
        >
          Fix failures
        </Button>
      )}
      {ended && (
        <Button
          component={Link}
          to={compareLink(evaluation, model)}
          variant="default"
          leftSection={<IconArrowsDiff size={16} aria-hidden />}
        >
          Compare
        </Button>
      )}
      {ended && <ExportMenu evaluation={evaluation} />}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px="xs" aria-label="More actions">
            <IconDots size={18} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            disabled={noRerun !== null || acts.rerun.isPending}
            {...(noRerun === null ? {} : { title: noRerun })}
            leftSection={<IconRefresh size={16} aria-hidden />}
            onClick={() => {
              if (mayCostMoney(evaluation)) setRerunning(repetitions);
              else acts.rerun.mutate(repetitions);
            }}
          >
            {mayCostMoney(evaluation) ? 'Run again…' : 'Run again'}
          </Menu.Item>
          <Menu.Item
            disabled={noRerun !== null}
            {...(noRerun === null ? {} : { title: noRerun })}
            leftSection={<IconRepeat size={16} aria-hidden />}
            onClick={() => {
              setRerunning(Math.max(repetitions, suggestedRepetitions));
            }}
          >
            Run again with repetitions…
          </Menu.Item>
          <Menu.Item
            disabled={!ended}
            leftSection={<IconCalculator size={16} aria-hidden />}
            onClick={() => {
              setRescoring(true);
            }}
          >
            Re-score…
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={`/improve/what-if/${evaluation.id}${model === null ? '' : `?model=${model}`}`}
            disabled={!ended}
            leftSection={<IconTools size={16} aria-hidden />}
          >
            What-if with other tools
          </Menu.Item>
          <Menu.Item
            component={Link}
            to={`/evaluations/trend?suite=${encodeURIComponent(suiteId ?? evaluation.suiteName)}`}
            leftSection={<IconChartLine size={16} aria-hidden />}
          >
            Trend of the suite
          </Menu.Item>
          <Menu.Item
            disabled={!ended}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              setAsking(true);
            }}
          >
            Delete raw traffic
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            color="vermilion"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => {
              acts.remove.mutate(evaluation.id);
            }}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {rerunning !== null && (
        <RunAgainDialog
          evaluation={evaluation}
          acts={acts}
          repetitions={rerunning}
          onClose={() => {
            setRerunning(null);
          }}
        />
      )}
      {rescoring && (
        <RescoreDialog
          evaluation={evaluation}
          opened
          onClose={() => {
            setRescoring(false);
          }}
          onRescore={(choice) => {
            setRescoring(false);
            acts.rescore.mutate(choice);
          }}
        />
      )}
      <Modal
        opened={asking}
        onClose={() => {
          setAsking(false);
        }}
        title="Delete raw traffic"
      >
        <Text>
          Deletes the raw requests and responses of evaluation #{evaluation.number}. Scores, calls,
          and reasons stay, and you can still re-score it. You can’t undo this.
        </Text>
        <Group gap="sm" mt="lg">
          <Button
            color="vermilion"
            onClick={() => {
              setAsking(false);
              acts.deleteRaw.mutate();
            }}
          >
            Delete raw traffic
          </Button>
          <Button
            variant="default"
            onClick={() => {
              setAsking(false);
            }}
          >
            Cancel
          </Button>
        </Group>
      </Modal>
    </>
  );
}
