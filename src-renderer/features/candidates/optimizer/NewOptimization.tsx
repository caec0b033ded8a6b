import { Group, MultiSelect, NumberInput, SegmentedControl, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Action, options, wholeNumber } from '../../../ui/fields/controls.tsx';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import {
  objectives,
  optimizationSettings,
  type OptimizationPlan,
} from '../../../../src-shared/domain/optimization.ts';
import type { ModelSettings } from '../../../../src-shared/domain/model.ts';
import { modelLabel } from '../../../../src-shared/domain/provider.ts';
import { textModelConfiguration } from '../../../../src-shared/domain/textModel.ts';
import { passWords, spendText } from '../../../../src-shared/display/optimizationTexts.ts';
import { useApi, useRead } from '../../../api/index.ts';
import { useTextModel } from '../../../models/useTextModel.tsx';
import { ErrorNotice } from '../../../ui/notices/notices.tsx';
import { Fold } from '../../../ui/panels/panels.tsx';
import { useConsent } from '../../results/new/useConsent.tsx';
import { usePresetModel } from '../../results/result/usePresetModel.ts';
import { objectiveLabel } from '../../results/result/optimizationStates.ts';
import classes from './optimizer.module.css';
import { PlanPanel } from './PlanPanel.tsx';
import { ConfirmDialog } from '../../../ui/panels/ConfirmDialog.tsx';

const planDelayMs = 300;
const noLimits = { calls: null, usd: null, minutes: null };
const budgetFields = [
  { key: 'calls', label: 'Max. calls', decimals: 0 },
  { key: 'usd', label: 'Max. cost ($)', decimals: 2 },
  { key: 'minutes', label: 'Max. minutes', decimals: 1 },
] as const;

interface NewOptimizationProps {
  unit: EvaluationUnit;
  /** Whose cases or tasks, tools and model are what the search works with. */
  evaluationId: string;
  models: readonly ModelSettings[];
}

/** What to improve, for what, by whom and within which limits; beside it what that would use. */
export function NewOptimization({ unit, evaluationId, models: all }: NewOptimizationProps) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const settings = useRead((ask) => ask.settings.get);
  const models = [...new Map(all.map((model) => [model.id, model])).values()];
  const preset = usePresetModel(unit, evaluationId, models);
  const [chosen, setModel] = useState<string | null>(null);
  const modelSettingsId = chosen ?? preset;
  const [objective, setObjective] = useState<(typeof objectives)[number]>('accuracy');
  const [byModel, setByModel] = useState(false);
  const writer = useTextModel(settings.data?.textModel ?? null, ' when the search starts');
  const [budget, setBudget] = useState<Record<keyof typeof noLimits, number | null>>(noLimits);
  const [maxSteps, setMaxSteps] = useState(optimizationSettings.parse({}).maxSteps);
  const [maxAddedTokens, setMaxAddedTokens] = useState(
    optimizationSettings.parse({}).maxAddedTokens,
  );
  const [toolIds, setToolIds] = useState<string[]>([]);
  const [seed, setSeed] = useState(optimizationSettings.parse({}).seed);
  const [asked, setAsked] = useState(false);

  const proposer = byModel ? writer.model : null;
  const request = {
    ...optimizationSettings.parse({
      objective,
      toolIds: toolIds.length === 0 ? null : toolIds,
      budget,
      maxSteps,
      maxAddedTokens,
      seed,
      ...(proposer === null
        ? {}
        : { proposer: { kind: 'model', model: textModelConfiguration(proposer) } }),
    }),
    evaluationId,
    modelSettingsId,
    tasks: unit === 'task' ? { agreedServers: [] } : null,
  };
  const [settled] = useDebouncedValue(JSON.stringify(request), planDelayMs);
  const plan = useRead((ask) => ask.optimizations.plan, {
    input: JSON.parse(settled) as typeof request,
    enabled: modelSettingsId !== null,
    placeholderData: keepPreviousData,
  });
  const consent = useConsent(plan.data?.execution);
  const start = useMutation({
    mutationFn: () =>
      client.optimizations.start({
        ...request,
        tasks: request.tasks && consent.agreed,
      }),
    onSuccess: async ({ id }) => {
      await reread(queries.optimizations);
      await navigate(`/results/searches/${id}`);
    },
  });
  const isPlanned = plan.data !== undefined && settled === JSON.stringify(request);
  const why = !consent.given
    ? 'Agree to what the runs change first.'
    : byModel && proposer === null
      ? 'Choose the model that writes candidates first.'
      : isPlanned
        ? null
        : 'Wait for the plan.';
  return (
    <>
      <div className={classes.start}>
        <section className={`ts-panel ${classes.form ?? ''}`} aria-label="New search">
          <h2>New search</h2>
          {models.length > 1 && (
            <Select
              label="Model"
              data={models.map((model) => ({ value: model.id, label: modelLabel(model) }))}
              value={modelSettingsId}
              onChange={setModel}
            />
          )}
          <div className={classes.choices}>
            <Choice
              label="Improve"
              data={objectives.map((value) => ({ value, label: objectiveLabel(value, unit) }))}
              value={objective}
              onChange={setObjective}
              note={objectiveNotes(unit)[objective]}
            />
            <Choice
              label="Candidates are written by"
              data={options({ rules: 'Rules', model: 'A model' })}
              value={byModel ? 'model' : 'rules'}
              onChange={(value) => setByModel(value === 'model')}
              note={
                byModel
                  ? 'A model reads failing requests of the search half and rewrites one tool at a time.'
                  : 'Offline and free: clearer boundaries, missing words, shorter texts.'
              }
            />
          </div>
          {byModel && writer.choice}
          {byModel && writer.additions}
          <Fold title="Budget and steps" hint="The first limit that is reached ends the search">
            <MultiSelect
              label="Tools to edit"
              description="The model is offered all tools; only these may change."
              placeholder={toolIds.length === 0 ? 'All tools' : ''}
              searchable
              clearable
              limit={100}
              nothingFoundMessage="No tool matches"
              data={plan.data?.toolIds ?? []}
              value={toolIds}
              onChange={setToolIds}
            />
            <Group align="flex-end" grow>
              {budgetFields.map(({ key, label, decimals }) => (
                <NumberInput
                  key={key}
                  label={label}
                  placeholder="No limit"
                  min={decimals === 0 ? 1 : 0.01}
                  decimalScale={decimals}
                  value={budget[key] ?? ''}
                  onChange={(value) =>
                    setBudget({ ...budget, [key]: Number(value) > 0 ? Number(value) : null })
                  }
                />
              ))}
              <NumberInput label="Max. steps" {...wholeNumber(maxSteps, [1, 1000], setMaxSteps)} />
              <NumberInput
                label="Max. added tokens per tool"
                {...wholeNumber(maxAddedTokens, [0, 10_000], setMaxAddedTokens)}
              />
              <NumberInput label="Seed" {...wholeNumber(seed, [0, 2_147_483_647], setSeed)} />
            </Group>
          </Fold>
        </section>
        <PlanPanel plan={plan}>
          <ErrorNotice error={start.error} />
          {consent.panel !== null && (
            <p>Each candidate runs its tasks in the execution mode of the evaluation.</p>
          )}
          {consent.panel}
          <Action
            label="Start search"
            filled
            fullWidth
            why={why}
            loading={start.isPending}
            icon={IconPlayerPlay}
            onClick={() => {
              if (plan.data && isFree(plan.data)) start.mutate();
              else setAsked(true);
            }}
          />
        </PlanPanel>
      </div>
      {asked && (
        <ConfirmDialog
          title="Start a paid search?"
          confirm="Start now"
          cancel="Not yet"
          onConfirm={() => {
            setAsked(false);
            start.mutate();
          }}
          onClose={() => setAsked(false)}
        >
          <p>
            It may use up to {plan.data === undefined ? '–' : spendText(plan.data.estimate)}. You
            can pause it at any time.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const isFree = ({ estimate }: OptimizationPlan): boolean => estimate.usd === 0;

function objectiveNotes(unit: EvaluationUnit): Record<(typeof objectives)[number], string> {
  const { plural, rate } = passWords[unit];
  return {
    accuracy: `More ${unit}s ${plural}.`,
    tokens: `Fewer tokens, with the ${rate} at most 2 points lower.`,
    both: `More ${unit}s ${plural}, or else fewer tokens.`,
  };
}

function Choice<Value extends string>(props: {
  label: string;
  data: { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
  note: string;
}) {
  const { label, data, value, onChange, note } = props;
  return (
    <div>
      <p className={classes.label}>{label}</p>
      <SegmentedControl
        size="sm"
        fullWidth
        aria-label={label}
        data={data}
        value={value}
        onChange={onChange}
      />
      <p className={classes.quiet}>{note}</p>
    </div>
  );
}
