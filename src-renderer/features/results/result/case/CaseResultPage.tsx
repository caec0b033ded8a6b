import { Select } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useParams } from 'react-router';
import {
  counted,
  formatDuration,
  NOT_DEFINED,
  formatCount,
  formatExact,
} from '../../../../../src-shared/display/numbers.ts';
import { offeredMeaning, offeredText } from '../../../../../src-shared/display/sentToolsTexts.ts';
import { Term } from '../../../../ui/text/Term.tsx';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import type { FailureCause } from '../../../../../src-shared/domain/outcome.ts';
import type { ModelSettings } from '../../../../../src-shared/domain/model.ts';
import { failedOf } from '../../../../../src-shared/display/verdictTexts.ts';
import { useEscape } from '../../../../ui/keyboard/useEscape.ts';
import { modelChoices } from '../../modelNames.ts';
import type { SentTools } from '../../../../../src-shared/domain/sentTools.ts';
import type { ToolSnapshot } from '../../../../../src-shared/domain/tool.ts';
import { useApi, useRead } from '../../../../api/index.ts';
import { ErrorNotice, LoadingSkeleton } from '../../../../ui/notices/notices.tsx';
import classes from '../../evaluations.module.css';
import type { Listed } from '../../list/listed.ts';
import { LoadedResult, ResultFacts, ResultPage, RunProgress } from '../ResultPage.tsx';
import { CaseActions } from './CaseActions.tsx';
import { CasesTab } from './CasesTab.tsx';
import { NumbersTab } from './NumbersTab.tsx';
import { presetModel } from './chosenModel.ts';
import type { CaseTabProps } from './resultAddress.ts';
import { ResultTabs, useResultAddress } from '../ResultTabs.tsx';
import { ResultVerdict } from './ResultVerdict.tsx';
import { FailuresTab, useFailures } from './FailuresTab.tsx';
import { SentToolsNotice, useSentTools } from '../../SentToolsList.tsx';
import { type CaseActs, useCaseActions } from './useCaseActions.ts';
import { type ResultData, useResultNumbers, useVerdict } from './useResultNumbers.ts';
import type { GateOutcome } from '../../../../../src-shared/domain/gate.ts';
import { modelLabel } from '../../../../../src-shared/domain/provider.ts';
import { gateNumbers } from '../../../../../src-shared/metrics/gateNumbers.ts';
import { checkThresholds, describeThreshold } from '../../../../../src-shared/metrics/gates.ts';
import { StatusBadge, type StatusTone } from '../../../../ui/badges/StatusBadge.tsx';

export function CaseResultPage() {
  const { id = '' } = useParams();
  const evaluation = useRead((ask) => ask.evaluations.get, { input: { id } });
  return (
    <LoadedResult unit="case" query={evaluation}>
      {(data) => <Result key={data.id} evaluation={data} />}
    </LoadedResult>
  );
}

/** The verdict first, then the failures; everything else is one tab away. */
function Result({ evaluation }: { evaluation: Evaluation }) {
  const [address, change] = useResultAddress(evaluation.models);
  const result = useResultNumbers(evaluation, address.model);
  const { numbers, live, snapshot, summary, loading, error } = result;
  const verdict = useVerdict(evaluation, address.model, live);
  const failures = useFailures(evaluation, verdict, address.model);
  const acts = useCaseActions(evaluation);
  const { id, state, models, settings, counts, startedAt, completedAt } = evaluation;
  const one: Listed = { unit: 'case', evaluation };
  const ended = hasEnded(state);
  const snapshotId = live?.snapshotId ?? evaluation.snapshotId ?? null;
  const sent = useSentTools(id, snapshotId) ?? [];
  const ready = !loading && verdict !== null;
  const took =
    startedAt !== null && completedAt !== null
      ? Date.parse(completedAt) - Date.parse(startedAt)
      : null;
  const progress = <RunProgress one={one} live={live} runs={counts} />;
  return (
    <ResultPage
      one={one}
      facts={
        <ResultFacts
          one={one}
          entries={Math.round(counts.total / (Math.max(1, models.length) * settings.repetitions))}
        >
          {ended && <span className="ts-number">{formatDuration(numbers.durationMs ?? took)}</span>}
          {snapshot.data && <Term meaning={offeredMeaning}>{toolsText(snapshot.data, sent)}</Term>}
        </ResultFacts>
      }
      actions={
        <CaseActions
          evaluation={evaluation}
          model={verdict === null ? address.model : presetModel(verdict, address.model)}
          address={address}
          acts={acts}
        />
      }
      error={error}
      listings={snapshot.data?.servers ?? live?.servers ?? []}
      sent={sent}
      snapshotId={snapshotId}
    >
      <ErrorNotice error={acts.failed} />
      <SentToolsNotice accounts={sent} models={models} />
      <ErrorNotice
        error={summary.error}
        onRetry={() => void summary.refetch()}
        title="Couldn't load the numbers"
      />
      <div className={classes.wholeResult}>
        {!ready && progress}
        {!ready && ended && summary.error === null && (
          <div className={classes.whileReading}>
            <LoadingSkeleton blocks={[160, 30, 360]} label="Loading the numbers" />
          </div>
        )}
        {ready && (
          <>
            <ResultVerdict
              evaluation={evaluation}
              verdict={verdict}
              failures={failures.data ?? null}
              address={address}
              onOutcome={(outcome) =>
                change({ tab: 'runs', outcomes: [outcome], cause: null, cell: null })
              }
              onCompare={(compared) => change({ compared })}
            />
            {progress}
            <GateLine evaluation={evaluation} />
            <CaseTabs
              evaluation={evaluation}
              result={result}
              verdict={verdict}
              address={address}
              acts={acts}
              onChange={change}
            />
          </>
        )}
      </div>
    </ResultPage>
  );
}

/** How many tools were offered, of how many servers where there are several, and how many adapted. */
function toolsText({ tools }: ToolSnapshot, sent: readonly SentTools[]): string {
  const servers = new Set(tools.map(({ server }) => server)).size;
  const offered = offeredText(sent) ?? counted(tools.length, 'tool');
  return servers > 1 ? `${counted(servers, 'server')}, ${offered}` : offered;
}

interface CaseTabsProps extends CaseTabProps {
  result: ResultData;
  acts: CaseActs;
}

function CaseTabs(props: CaseTabsProps) {
  const { evaluation, result, verdict, address, acts, onChange } = props;
  const { numbers } = result;
  const showCell = useCallback(
    (cell: { expected: string; selected: string }, model: string | null) =>
      onChange({ tab: 'runs', outcomes: [], cause: null, search: '', cell, model }),
    [onChange],
  );
  const showCause = useCallback(
    (cause: FailureCause) => onChange({ tab: 'runs', outcomes: [], cell: null, search: '', cause }),
    [onChange],
  );
  useEscape(
    () => onChange({ cell: null, cause: null }),
    address.cell !== null || address.cause !== null,
  );
  const shared = { evaluation, verdict, address, onChange };
  const panels = {
    failures: <FailuresTab {...shared} result={result} onCause={showCause} onCell={showCell} />,
    runs: <CasesTab {...shared} numbers={numbers} />,
    numbers: <NumbersTab {...shared} result={result} acts={acts} onCell={showCell} />,
  };
  return (
    <ResultTabs
      failed={failedOf(verdict.counts)}
      runs={numbers.counts.total}
      panels={panels}
      shown={address.tab}
      onChange={onChange}
      aside={
        <ModelPicker
          models={evaluation.models}
          chosen={address.model}
          onChoose={(model) => onChange({ model })}
        />
      }
    />
  );
}

interface ModelPickerProps {
  models: readonly ModelSettings[];
  /** Null means all models. */
  chosen: string | null;
  onChoose: (model: string | null) => void;
}

/** Limits the page to one model. Nothing if there is only one. */
function ModelPicker({ models, chosen, onChoose }: ModelPickerProps) {
  if (models.length < 2) return null;
  return (
    <Select
      size="xs"
      w={200}
      aria-label="Model"
      data={[
        { value: '', label: models.length === 2 ? 'Both models' : 'All models' },
        ...modelChoices(models),
      ]}
      value={chosen ?? ''}
      onChange={(model) => onChoose(model === null || model === '' ? null : model)}
    />
  );
}

const tones: Record<GateOutcome, { tone: StatusTone; word: string }> = {
  passed: { tone: 'good', word: 'passed' },
  failed: { tone: 'bad', word: 'failed' },
  not_decided: { tone: 'idle', word: 'not decided' },
};

/** The thresholds of this evaluation with their values, for each of its models. */
function GateLine({ evaluation }: { evaluation: Evaluation }) {
  const { queries } = useApi();
  const { gates, pooledGates } = evaluation.settings;
  const ended = hasEnded(evaluation.state);
  const isOne = pooledGates || evaluation.models.length === 1;
  const models = isOne ? [null] : evaluation.models;
  const summaries = useQueries({
    queries: models.map((model) =>
      queries.evaluations.summary.queryOptions({
        input: { id: evaluation.id, modelSettingsId: model?.id ?? null },
        enabled: ended && gates.length > 0,
      }),
    ),
  });
  const judged = summaries.flatMap(({ data }, at) => {
    const model = models[at] ?? null;
    const name = model === null ? '' : `${modelLabel(model)}: `;
    return data === undefined
      ? []
      : checkThresholds(gateNumbers(data), gates).map((one) => ({
          ...one,
          label: `${name}${describeThreshold(one.threshold)}`,
        }));
  });
  if (judged.length === 0) return null;
  return (
    <div className={classes.confused} role="group" aria-label="Gates">
      <span className={classes.quiet}>Gates:</span>
      {judged.map(({ label, value, outcome }) => (
        <span
          key={label}
          className={classes.pair}
          title={
            outcome === 'not_decided'
              ? 'The metric is undefined, so this gate is undecided.'
              : undefined
          }
        >
          <StatusBadge tone={tones[outcome].tone} label={`${label}: ${tones[outcome].word}`} />{' '}
          <b>{shown(value)}</b>
        </span>
      ))}
    </div>
  );
}

function shown(value: number | null): string {
  if (value === null) return NOT_DEFINED;
  return Number.isInteger(value) && value > 1 ? formatCount(value) : formatExact(value);
}
