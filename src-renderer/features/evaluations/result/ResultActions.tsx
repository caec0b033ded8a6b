import { Button, Group, Menu, Modal, Text } from '@mantine/core';
import {
  IconArrowsDiff,
  IconChartLine,
  IconDots,
  IconCalculator,
  IconPlayerStop,
  IconRefresh,
  IconTrash,
  IconWand,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { RescoreDialog } from './RescoreDialog.tsx';
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
  const ended = hasEnded(evaluation.state);
  const { suiteId, whatIf } = evaluation.settings;
  const noRerun =
    whatIf !== null
      ? 'This is a what-if. Run the original evaluation or start another what-if.'
      : suiteId === null
        ? 'Its suite is a file. Run it from the command line again.'
        : null;
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
          to={`/improve/what-if/${evaluation.id}${model === null ? '' : `?model=${model}`}`}
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
              acts.rerun.mutate();
            }}
          >
            Run again
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
          and reasons stay, and you can still score it again. You can’t undo this.
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
