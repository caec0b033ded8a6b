import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import { tooFewToCompare } from '../../../../src-shared/display/comparisonAnswer.ts';
import { countedUnit } from '../../../../src-shared/display/taskTexts.ts';
import { describePlanned } from '../../../../src-shared/display/whatIfTexts.ts';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import type { ExecutionMode } from '../../../../src-shared/domain/task.ts';
import {
  taskWhatIfChange,
  type TaskEvaluation,
  type TaskWhatIfRequest,
} from '../../../../src-shared/domain/taskEvaluation.ts';
import type { WhatIfChange } from '../../../../src-shared/domain/whatIf.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/notices.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { comparisonLink } from '../compare/compareAddress.ts';
import classes from '../evaluations.module.css';
import type { Listed } from '../list/listed.ts';
import { modelChoices } from '../modelNames.ts';
import { usePresetModel } from '../result/usePresetModel.ts';
import { ModeFields } from '../new/ModeFields.tsx';
import { PlanProblems } from '../new/PlanParts.tsx';
import { useConsent } from '../new/useConsent.tsx';

interface StartProps<Of> {
  evaluation: Of;
  changes: readonly WhatIfChange[];
}

/** The model that is asked again, and how to choose another. */
function useModel(props: Listed): [string | null, (id: string | null) => void] {
  const {
    unit,
    evaluation: { id: evaluationId, models },
  } = props;
  const [, setParams] = useSearchParams();
  const model = usePresetModel(unit, evaluationId, models);
  return [
    model,
    (id) =>
      setParams((before) => ({ ...Object.fromEntries(before), model: id ?? '' }), {
        replace: true,
      }),
  ];
}

export function CaseStart({ evaluation, changes }: StartProps<Evaluation>) {
  const { client } = useApi();
  const [model, setModel] = useModel({ unit: 'case', evaluation });
  const { id, counts, models, settings } = evaluation;
  const cases = Math.round(counts.total / (models.length * settings.repetitions));
  return (
    <Start
      one={{ unit: 'case', evaluation }}
      changes={changes}
      model={model}
      onModel={setModel}
      start={() => client.evaluations.whatIf({ id, modelSettingsId: model, changes: [...changes] })}
      isRefused={model === null}
      firstChange="leave out a tool or a server, change a name or description, or choose a client"
      runs={counted(counts.total / models.length, settings.repetitions === 1 ? 'case' : 'run')}
    >
      {tooFewToCompare('case', cases) !== null && (
        <Text size="sm" mt="xs">
          {tooFewToCompare('case', cases)}
        </Text>
      )}
    </Start>
  );
}

/** What changes of the tasks of an evaluation, what may be executed, and the start. */
export function TaskStart(props: StartProps<TaskEvaluation>) {
  const { client } = useApi();
  const { evaluation } = props;
  const [model, setModel] = useModel({ unit: 'task', evaluation });
  const [mode, setMode] = useState<ExecutionMode>('stub');
  const changes = useMemo(
    () =>
      props.changes.flatMap((change) => {
        const known = taskWhatIfChange.safeParse(change);
        return known.success ? [known.data] : [];
      }),
    [props.changes],
  );
  const request: TaskWhatIfRequest = {
    id: evaluation.id,
    changes,
    modelSettingsId: model,
    mode,
    agreedServers: [],
  };
  const [asked] = useDebouncedValue(JSON.stringify(request), 300);
  // Also before the first change: what would be executed and changed is known then.
  const plan = useRead((ask) => ask.evaluations.planWhatIf, {
    input: JSON.parse(asked) as TaskWhatIfRequest,
    enabled: model !== null,
    placeholderData: keepPreviousData,
  });
  const isCurrent = asked === JSON.stringify(request) && !plan.isPlaceholderData;
  const current = isCurrent ? plan.data : undefined;
  const consent = useConsent(current);
  return (
    <Start
      one={{ unit: 'task', evaluation }}
      changes={changes}
      model={model}
      onModel={setModel}
      start={() =>
        client.evaluations.whatIf({
          unit: 'task',
          ...request,
          ...consent.agreed,
        })
      }
      isRefused={
        current === undefined ||
        current.problems.some(({ severity }) => severity === 'error') ||
        !consent.given
      }
      firstChange="leave out a tool, change a description, or choose a client"
      runs={counted(plan.data?.runs ?? 0, countedUnit(evaluation))}
    >
      <Section title="Execution mode">
        <ModeFields mode={mode} onChange={setMode} />
        {mode === 'stub' && evaluation.settings.mode !== 'stub' && (
          <Text size="sm" c="dimmed" mt="xs">
            What the evaluation recorded answers calls with the same arguments. Tasks with a state
            check are not scored.
          </Text>
        )}
      </Section>
      <ErrorNotice error={plan.error} />
      {current !== undefined && <PlanProblems problems={current.problems} />}
      <div style={{ marginTop: 16 }}>{consent.panel}</div>
    </Start>
  );
}

interface StartPanelProps {
  one: Listed;
  changes: readonly WhatIfChange[];
  model: string | null;
  onModel: (model: string | null) => void;
  start: () => Promise<{ id: string }>;
  isRefused: boolean;
  /** What can be changed, where nothing is yet. */
  firstChange: string;
  /** How much would run. */
  runs: string;
  children: ReactNode;
}

function Start(props: StartPanelProps) {
  const { one, changes, model, onModel, start, isRefused, firstChange, runs, children } = props;
  const { id, number, models } = one.evaluation;
  const { queries, reread } = useApi();
  const navigate = useNavigate();
  const run = useMutation({
    mutationFn: start,
    onSuccess: async (made) => {
      void reread(queries.evaluations);
      await navigate(
        comparisonLink(made.id, { id, modelSettingsId: models.length > 1 ? model : null }),
      );
    },
  });
  const none = changes.length === 0;
  return (
    <aside
      className={`ts-panel ${classes.box ?? ''} ${classes.aside ?? ''}`}
      aria-label="What changes"
    >
      <Section title={none ? 'No changes yet' : counted(changes.length, 'change')}>
        <ul className={classes.list}>
          {changes.map((change) => (
            <li key={JSON.stringify(change)}>{describePlanned(change)}</li>
          ))}
        </ul>
      </Section>
      {models.length > 1 && (
        <Select
          label="Model"
          mt="sm"
          data={modelChoices(models)}
          value={model}
          onChange={onModel}
        />
      )}
      {children}
      <ErrorNotice error={run.error} />
      <Action
        label={none ? `Run ${runs} again` : `Run ${runs} with ${counted(changes.length, 'change')}`}
        filled
        fullWidth
        mt="md"
        icon={IconPlayerPlay}
        disabled={none || isRefused}
        run={run}
      />
      <Text size="sm" c="dimmed" mt="xs">
        {none
          ? `Change something first: ${firstChange}.`
          : `The model plays them again, and the outcome is compared with #${number}.`}
      </Text>
    </aside>
  );
}
