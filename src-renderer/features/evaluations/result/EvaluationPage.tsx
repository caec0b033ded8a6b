import { Select, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { useParams, useSearchParams } from 'react-router';
import type { Evaluation } from '../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../src-shared/domain/evaluationState.ts';
import { useApi } from '../../../api/index.ts';
import { ErrorNotice } from '../../../ui/notices/ErrorNotice.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { LoadingSkeleton } from '../../../ui/notices/LoadingSkeleton.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { visibleText } from '../../../ui/text/visibleText.ts';
import { useEscape } from '../../../ui/keyboard/useEscape.ts';
import classes from '../evaluations.module.css';
import { nameModels } from '../modelNames.ts';
import { CasesTab } from './CasesTab.tsx';
import { ConfusionPanel } from './ConfusionPanel.tsx';
import { ConfidenceTab } from './ConfidenceTab.tsx';
import { ConfusionsTab } from './ConfusionsTab.tsx';
import { LatencyTab, SettingsTab } from './FactTabs.tsx';
import { GateLine } from './GateLine.tsx';
import { ModelTable } from './ModelTable.tsx';
import { MostConfused } from './MostConfused.tsx';
import { ParametersTab } from './ParametersTab.tsx';
import { PerToolTab } from './PerToolTab.tsx';
import {
  readAddress,
  type ResultAddress,
  type ResultTab,
  resultTabs,
  writeAddress,
} from './resultAddress.ts';
import { RepetitionsTab } from './RepetitionsTab.tsx';
import { ResultActions } from './ResultActions.tsx';
import { ResultFacts } from './ResultFacts.tsx';
import { ResultState } from './ResultState.tsx';
import { ResultTiles } from './ResultTiles.tsx';
import { SnapshotTab } from './SnapshotTab.tsx';
import { ToolChangesNotice } from './ToolChangesNotice.tsx';
import { useEvaluationActions } from './useEvaluationActions.ts';
import { useResultNumbers } from './useResultNumbers.ts';

const tabWords: Record<ResultTab, string> = {
  cases: 'Cases',
  confusions: 'Confusions',
  tools: 'Per tool',
  confidence: 'Confidence',
  parameters: 'Parameters',
  repetitions: 'Repetitions',
  latency: 'Latency and tokens',
  snapshot: 'Snapshot',
  settings: 'Settings',
};

export function EvaluationPage() {
  const { id = '' } = useParams();
  const { queries } = useApi();
  const evaluation = useQuery(queries.evaluations.get.queryOptions({ input: { id } }));
  return (
    <>
      {evaluation.data === undefined && (
        <PageHeader
          crumbs={[{ label: 'Evaluations', to: '/evaluations' }, { label: 'Evaluation' }]}
          title="Evaluation"
        />
      )}
      <Loaded query={evaluation} blocks={[24, 92, 30, 360]} label="Loading the evaluation">
        {(data) => <Result key={data.id} evaluation={data} />}
      </Loaded>
    </>
  );
}

function Result({ evaluation }: { evaluation: Evaluation }) {
  const [params, setParams] = useSearchParams();
  const read = useMemo(() => readAddress(params), [params]);
  const known = evaluation.models.some(({ id }) => id === read.model);
  const address = useMemo(
    (): ResultAddress => (known ? read : { ...read, model: null }),
    [known, read],
  );
  const { numbers, live, snapshot, summary, loading, waiting, error } = useResultNumbers(
    evaluation,
    address.model,
  );
  const acts = useEvaluationActions(evaluation);
  const change = useCallback(
    (part: Partial<ResultAddress>) => {
      setParams((before) => writeAddress({ ...readAddress(before), ...part }), { replace: true });
    },
    [setParams],
  );
  const showCell = useCallback(
    (cell: { expected: string; selected: string }) => {
      setParams(
        (before) => {
          const now = readAddress(before);
          const same = now.cell?.expected === cell.expected && now.cell.selected === cell.selected;
          return writeAddress({
            ...now,
            tab: 'cases',
            classes: [],
            statuses: [],
            passed: null,
            search: '',
            cell: same ? null : cell,
          });
        },
        { replace: true },
      );
    },
    [setParams],
  );
  const matrix = useRef<HTMLElement>(null);
  useEscape(() => {
    change({ cell: null });
    // The list under the focus is about to change, so the focus returns to the cell. On a control
    // that stays, it stays.
    const now = document.activeElement;
    if (now === null || now === document.body || now.closest('[role="tabpanel"]') !== null)
      matrix.current
        ?.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')
        ?.focus({ preventScroll: true });
  }, address.cell !== null);
  const retry = (): void => {
    void summary.refetch();
  };
  const scored = numbers.counts.tp + numbers.counts.fp + numbers.counts.tn + numbers.counts.fn;
  const title = `#${evaluation.number} ${evaluation.suiteName}`;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Evaluations', to: '/evaluations' }, { label: title }]}
        title={title}
        subtitle={
          <ResultFacts
            evaluation={evaluation}
            numbers={numbers}
            snapshotId={live?.snapshotId ?? evaluation.snapshotId}
          />
        }
        actions={<ResultActions evaluation={evaluation} model={address.model} acts={acts} />}
      />
      {acts.failed !== null && <ErrorNotice error={acts.failed} />}
      <ResultState
        evaluation={evaluation}
        live={live}
        error={error}
        listings={snapshot.data?.servers ?? live?.servers ?? []}
      />
      <ToolChangesNotice
        id={evaluation.id}
        state={`${evaluation.state} ${live?.snapshotId ?? evaluation.snapshotId ?? ''}`}
      />
      {evaluation.models.length > 1 && (
        <Select
          size="xs"
          w={300}
          mt={8}
          aria-label="Model"
          data={[
            { value: '', label: 'All models together' },
            ...[...nameModels(evaluation.models)].map(([value, label]) => ({
              value,
              label: visibleText(label),
            })),
          ]}
          value={address.model ?? ''}
          onChange={(model) => {
            change({ model: model === null || model === '' ? null : model });
          }}
          allowDeselect={false}
        />
      )}
      {summary.error !== null && (
        <ErrorNotice error={summary.error} onRetry={retry} title="The numbers could not be read" />
      )}
      <div className={classes.wholeResult}>
        {loading && summary.error === null && (
          <div className={classes.whileReading}>
            <LoadingSkeleton blocks={[92, 30, 360]} label="Loading the numbers" />
          </div>
        )}
        <div aria-busy={loading} style={{ visibility: loading ? 'hidden' : 'visible' }}>
          <ResultTiles numbers={numbers} />
          <ModelTable evaluation={evaluation} />
          <GateLine evaluation={evaluation} />
          <MostConfused
            confusion={numbers.confusion}
            scored={scored}
            ended={hasEnded(evaluation.state)}
            limit={numbers.confusion.labels.length > 42 ? 8 : 4}
            cell={address.cell}
            onCell={showCell}
          />
          <div className={classes.result}>
            <ConfusionPanel
              place={matrix}
              confusion={numbers.confusion}
              waiting={waiting}
              address={address}
              onCell={showCell}
              onChange={change}
            />
            <div className={classes.detailPart}>
              <Tabs
                value={address.tab}
                onChange={(tab) => {
                  change({ tab: resultTabs.find((one) => one === tab) ?? 'cases' });
                }}
                keepMounted={false}
              >
                <Tabs.List aria-label="Details">
                  {resultTabs
                    .filter(
                      (tab) =>
                        tab !== 'repetitions' ||
                        evaluation.settings.repetitions > 1 ||
                        address.tab === tab,
                    )
                    .map((tab) => (
                      <Tabs.Tab key={tab} value={tab}>
                        {tabWords[tab]}
                      </Tabs.Tab>
                    ))}
                </Tabs.List>
                <div className={classes.panelBody}>
                  <Tabs.Panel value="cases">
                    <CasesTab
                      evaluation={evaluation}
                      numbers={numbers}
                      address={address}
                      onChange={change}
                    />
                  </Tabs.Panel>
                  <Tabs.Panel value="confusions">
                    <ConfusionsTab
                      evaluationId={evaluation.id}
                      model={address.model}
                      confusion={numbers.confusion}
                      ended={hasEnded(evaluation.state)}
                      onCell={showCell}
                    />
                  </Tabs.Panel>
                  <Tabs.Panel value="parameters">
                    <ParametersTab evaluationId={evaluation.id} model={address.model} />
                  </Tabs.Panel>
                  <Tabs.Panel value="repetitions">
                    <RepetitionsTab evaluation={evaluation} model={address.model} />
                  </Tabs.Panel>
                  <Tabs.Panel value="tools">
                    <PerToolTab rows={numbers.perTool} micro={numbers} />
                  </Tabs.Panel>
                  <Tabs.Panel value="confidence">
                    <ConfidenceTab
                      evaluationId={evaluation.id}
                      model={address.model}
                      numbers={numbers}
                      high={evaluation.settings.highConfidence}
                    />
                  </Tabs.Panel>
                  <Tabs.Panel value="latency">
                    <LatencyTab numbers={numbers} />
                  </Tabs.Panel>
                  <Tabs.Panel value="snapshot">
                    {snapshot.error === null ? (
                      <SnapshotTab evaluationId={evaluation.id} snapshot={snapshot.data ?? null} />
                    ) : (
                      <ErrorNotice
                        error={snapshot.error}
                        onRetry={() => {
                          void snapshot.refetch();
                        }}
                      />
                    )}
                  </Tabs.Panel>
                  <Tabs.Panel value="settings">
                    <SettingsTab evaluation={evaluation} />
                  </Tabs.Panel>
                </div>
              </Tabs>
            </div>
          </div>
        </div>
      </div>
    </>
  );
}
