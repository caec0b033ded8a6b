import type { ReactNode } from 'react';
import type { Evaluation } from '../../../../../src-shared/domain/evaluation.ts';
import { hasEnded } from '../../../../../src-shared/domain/evaluationState.ts';
import {
  counted,
  formatCount,
  formatDuration,
  formatPercent,
} from '../../../../../src-shared/display/numbers.ts';
import classes from '../../evaluations.module.css';
import { DerivedResults } from '../DerivedResults.tsx';
import { ConfidenceTab } from './ConfidenceTab.tsx';
import { ConfusionPanel, ConfusionsTab } from './ConfusionsTab.tsx';
import { CostFacts, SettingsPart } from './FactParts.tsx';
import { ModelTable } from './ModelTable.tsx';
import { PerToolTab } from './PerToolTab.tsx';
import { RepetitionsTab } from './RepetitionsTab.tsx';
import type { CaseTabProps, NumberSection, ShowCell } from './resultAddress.ts';
import { NumberSections } from '../ResultTabs.tsx';
import { ResultTiles } from './ResultTiles.tsx';
import type { CaseActs } from './useCaseActions.ts';
import type { ResultData } from './useResultNumbers.ts';
import { useRead } from '../../../../api/index.ts';
import { ChartFrame, HistogramChart } from '../../../../ui/charts/ChartFrame.tsx';
import { Loaded } from '../../../../ui/notices/notices.tsx';
import { nameModels } from '../../modelNames.ts';
import { latencyFinding, shownBins, argumentsFinding, mismatches } from './tabFindings.ts';
import type { ParameterTally } from '../../../../../src-shared/domain/analysis.ts';
import { Cut } from '../../../../ui/text/Foreign.tsx';
import { type Column, DataTable, numberColumn } from '../../../../ui/table/DataTable.tsx';
import { EstimateText } from '../../../../ui/estimate/EstimateTile.tsx';
import { Finding } from '../../../../ui/verdict/Finding.tsx';

interface NumbersTabProps extends CaseTabProps {
  result: ResultData;
  acts: CaseActs;
  onCell: ShowCell;
}

/** Every number of a result, in sections with links to each. */
export function NumbersTab(props: NumbersTabProps) {
  const { evaluation, result, verdict, address, acts, onCell, onChange } = props;
  const { numbers, snapshot, waiting } = result;
  const { id, settings, models, state } = evaluation;
  const { model, section } = address;
  const ended = hasEnded(state);
  const parts: Partial<Record<NumberSection, ReactNode>> = {
    ...(models.length > 1 && ended
      ? {
          models: (
            <>
              {verdict.casesPassedByAll !== null && (
                <p className={classes.quiet}>
                  {formatCount(verdict.casesPassedByAll)} of {counted(verdict.cases, 'case')} passed
                  in every run of every model.
                </p>
              )}
              <ModelTable evaluation={evaluation} />
            </>
          ),
        }
      : {}),
    matrix: (
      <>
        <div className={classes.result}>
          <ConfusionPanel
            confusion={numbers.confusion}
            waiting={waiting}
            address={address}
            onCell={(cell) => onCell(cell, model)}
            onChange={onChange}
          />
          <div className={classes.detailPart}>
            <ConfusionsTab
              evaluationId={id}
              model={model}
              confusion={numbers.confusion}
              ended={ended}
              onCell={(cell) => onCell(cell, model)}
            />
          </div>
        </div>
        <ResultTiles numbers={numbers} outcomes={verdict.counts} />
      </>
    ),
    tools: <PerToolTab rows={numbers.perTool} anyOf={numbers.anyOf} micro={numbers} />,
    arguments: <ParametersTab evaluationId={id} model={model} />,
    confidence: (
      <ConfidenceTab
        evaluationId={id}
        model={model}
        numbers={numbers}
        high={settings.highConfidence}
      />
    ),
    ...(settings.repetitions > 1 || section === 'repetitions'
      ? { repetitions: <RepetitionsTab evaluation={evaluation} model={model} acts={acts} /> }
      : {}),
    cost: (
      <>
        <CostFacts numbers={numbers} />
        {ended && <LatencyChart evaluation={evaluation} />}
      </>
    ),
    settings: (
      <SettingsPart
        evaluation={evaluation}
        numbers={numbers}
        outcomes={verdict.counts}
        snapshot={snapshot}
      />
    ),
    derived: <DerivedResults unit="case" id={id} />,
  };
  return <NumberSections parts={parts} wanted={section} onChange={onChange} />;
}

/** How long the answers of each model took: most are fast, a few are many times slower. */
function LatencyChart({ evaluation }: { evaluation: Evaluation }) {
  const latencies = useRead((ask) => ask.results.latencies, { input: { id: evaluation.id } });
  const names = nameModels(evaluation.models);
  return (
    <Loaded query={latencies} blocks={[300]} label="Loading latencies">
      {(models) => {
        const timed = models.filter(({ n }) => n > 0);
        const bins = shownBins(timed);
        if (timed.length === 0) return null;
        const nameOf = (id: string): string => names.get(id) ?? id;
        return (
          <div className={classes.chart}>
            <ChartFrame
              title={latencyFinding(timed, nameOf)}
              note={`Share of ${counted(
                timed.reduce((sum, { n }) => sum + n, 0),
                'scored run',
              )} by time to answer, without waits and retries. Bins grow with the time.`}
              fileName="latency"
              height={280}
              table={{
                heads: [
                  'Time to answer',
                  ...timed.map(({ modelSettingsId }) => nameOf(modelSettingsId)),
                ],
                numeric: timed.map((_, at) => at + 1),
                rows: [
                  ...bins.map(({ label, at }) => [
                    label,
                    ...timed.map(({ counts }) => formatCount(counts[at] ?? 0)),
                  ]),
                  ['p50', ...timed.map(({ p50 }) => formatDuration(p50))],
                  ['p95', ...timed.map(({ p95 }) => formatDuration(p95))],
                ],
              }}
            >
              <HistogramChart
                bins={bins.map(({ label }) => label)}
                series={timed.map(({ modelSettingsId, counts, n }) => ({
                  name: nameOf(modelSettingsId),
                  counts: bins.map(({ at }) => counts[at] ?? 0),
                  shares: bins.map(({ at }) => (counts[at] ?? 0) / n),
                }))}
                xLabel="time to answer"
                yLabel="share of runs"
                format={formatPercent}
              />
            </ChartFrame>
          </div>
        );
      }}
    </Loaded>
  );
}

const count = (
  id: Exclude<keyof ParameterTally, 'toolId' | 'name' | 'accuracy'>,
  header: string,
  hint: string,
  width = 88,
): Column<ParameterTally> => numberColumn(id, header, width, (row) => row[id], { hint });

const columns: Column<ParameterTally>[] = [
  {
    id: 'name',
    header: 'Parameter',
    width: 'minmax(150px, 1fr)',
    sortValue: (row) => `${row.name} ${row.toolId}`,
    cell: (row) => (
      <span className={classes.caseCell}>
        <Cut text={row.name} mono />
        <small>
          <Cut text={row.toolId} mono />
        </small>
      </span>
    ),
  },
  numberColumn('accuracy', 'Matched', 104, (row) => row.accuracy.value, {
    hint: 'Of the calls that should send a certain value, the share that did.',
    text: (_value, row) => <EstimateText estimate={row.accuracy} />,
  }),
  count('n', 'Expected', 'Calls that should send a certain value.', 92),
  count('wrongValue', 'Wrong', 'A value other than the expected one.'),
  count('missing', 'Missing', 'Expected but not sent.'),
  count('unexpected', 'Unexpected', 'Sent although it should be absent.', 108),
  count('unreadable', 'Unreadable', 'The arguments of the call are not a JSON object.', 108),
  count('hallucinated', 'Invented', "Sent, but not in the tool's schema."),
];

/** What is wrong with a parameter; the rows with the most of it come first. */
const problems = (row: ParameterTally): number =>
  mismatches(row) + row.unexpected + row.hallucinated;

/**
 * How each parameter was filled in correct calls: shows where a schema or a description misleads.
 */
function ParametersTab(props: { evaluationId: string; model: string | null }) {
  const { evaluationId, model } = props;
  const analysis = useRead((ask) => ask.results.analysis, {
    input: { id: evaluationId, modelSettingsId: model },
  });
  return (
    <Loaded query={analysis} blocks={[320]} label="Loading the parameters">
      {({ parameters }) => (
        <>
          {parameters.some(({ n, hallucinated }) => n + hallucinated > 0) && (
            <Finding {...argumentsFinding(parameters)} />
          )}
          <DataTable
            label="Parameters"
            rowHeight={46}
            columns={columns}
            rows={parameters.toSorted((a, b) => problems(b) - problems(a))}
            rowKey={(row) => `${row.toolId} ${row.name}`}
            maxHeight="max(300px, calc(100vh - 520px))"
            empty="No arguments to show: no correct call has expected arguments."
          />
        </>
      )}
    </Loaded>
  );
}
