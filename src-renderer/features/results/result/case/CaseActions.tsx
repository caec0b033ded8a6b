import { Button, Group, Menu, Modal, Text } from '@mantine/core';
import {
  IconCalculator,
  IconRefresh,
  IconRepeat,
  IconTools,
  IconTrash,
  IconWand,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import { formatsBySubject, reportFileName } from '../../../../../src-shared/domain/report.ts';
import { ExportMenu } from '../../../../saving/ExportMenu.tsx';
import { useSaveReport } from '../../../../saving/useSaveReport.ts';
import { ResultActions } from '../ResultActions.tsx';
import { RescoreDialog } from './RescoreDialog.tsx';
import {
  mayCostMoney,
  RunAgainDialog,
  suggestedRepetitions,
  whyNoRerun,
} from './RunAgainDialog.tsx';
import type { CaseActs } from './useCaseActions.ts';

interface CaseActionsProps {
  evaluation: Evaluation;
  /** The selected model; null means all. */
  model: string | null;
  acts: CaseActs;
}

/** The default comparison partner: the evaluation that this one is a what-if of. */
function comparedSides({ id, models, settings }: Evaluation, model: string | null) {
  const own = models.length > 1 && model !== null ? `${id}/${model}` : id;
  const { whatIf } = settings;
  return whatIf === null ? { base: own } : { base: whatIf.baseId, with: own };
}

/** What only evaluations of cases offer: fixes, other tools, repetitions, scores and traffic. */
export function CaseActions({ evaluation, model, acts }: CaseActionsProps) {
  const [rescoring, setRescoring] = useState(false);
  const [asking, setAsking] = useState(false);
  const [rerunning, setRerunning] = useState<number | null>(null);
  const ended = hasEnded(evaluation.state);
  const { suiteId, repetitions } = evaluation.settings;
  const noRerun = whyNoRerun(evaluation);
  const save = useSaveReport();
  return (
    <>
      <ResultActions
        one={{ unit: 'case', evaluation }}
        first={
          <Button
            component={Link}
            to={`/improve?evaluation=${evaluation.id}`}
            variant="default"
            leftSection={<IconWand size={16} aria-hidden />}
          >
            Fix failures
          </Button>
        }
        compared={comparedSides(evaluation, model)}
        exports={
          <ExportMenu
            formats={formatsBySubject.evaluation}
            pending={save.isPending}
            onChoose={({ format, short }) => {
              save.mutate({
                fileName: reportFileName(evaluation.number, evaluation.suiteName, format),
                content: {
                  from: 'evaluation',
                  report: { id: evaluation.id, format, short, stamp: null },
                },
              });
            }}
          />
        }
        suite={suiteId ?? evaluation.suiteName}
        before={
          <>
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
              to={`/results/${evaluation.id}/estimate${model === null ? '' : `?model=${model}`}`}
              disabled={!ended}
              leftSection={<IconTools size={16} aria-hidden />}
            >
              What-if with other tools
            </Menu.Item>
          </>
        }
        after={
          <>
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
          </>
        }
      />
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
