import { clientNames } from '../../../../src-shared/display/clientTexts.ts';
import { answerText } from '../../../../src-shared/display/comparisonAnswer.ts';
import { termTexts } from '../../../../src-shared/display/termTexts.ts';
import { Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import type { Frontier, FrontierPoint } from '../../../../src-shared/domain/tokenReport.ts';
import { useRead } from '../../../api/index.ts';
import type { ChartPoint, ChartSeries } from '../../../ui/charts/chartData.ts';
import { ChartFrame, type ChartTable, LinesChart } from '../../../ui/charts/ChartFrame.tsx';
import { column, type Column, DataTable, numberColumn } from '../../../ui/table/DataTable.tsx';
import { EstimateText } from '../../../ui/estimate/EstimateTile.tsx';
import {
  formatCount,
  formatInterval,
  formatPoints,
  formatRate,
  counted,
} from '../../../../src-shared/display/numbers.ts';
import { Loaded, Notice } from '../../../ui/notices/notices.tsx';
import { frontierFinding } from './tokenFindings.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';

const pollMs = 1200;
const isRunning = ({ points }: Frontier): boolean =>
  points.some(({ state }) => state === 'running' || state === 'planned');

const columns: Column<FrontierPoint>[] = [
  numberColumn('k', 'Tools shown', 110, (row) => row.k ?? Number.POSITIVE_INFINITY, {
    text: (_value, row) => row.k ?? 'all',
  }),
  column('retriever', 'Retriever', 110, { sortValue: (row) => row.retriever }, (row) =>
    row.k === null ? '–' : row.retriever,
  ),
  numberColumn('tokens', 'Tokens', 90, (row) => row.tokens, {
    hint: 'Mean tokens of the tool definitions shown per case.',
  }),
  numberColumn('accuracy', 'Accuracy', 150, (row) => row.accuracy.value, {
    hint: 'Share of scored runs with the right tools (TP or TN), with its 95% interval.',
    text: (_value, row) => <EstimateText estimate={row.accuracy} />,
  }),
  numberColumn('f1', 'F1', 150, (row) => row.selectionF1.value, {
    hint: termTexts.f1.meaning,
    text: (_value, row) => <EstimateText estimate={row.selectionF1} />,
  }),
  numberColumn('difference', 'vs. all tools', 250, (row) => row.difference?.value ?? null, {
    hint:
      'Percentage points of accuracy compared with showing all tools, over the same cases, with ' +
      'the 95% interval and the answer of the paired test, adjusted over all k of the retriever.',
    text: (_value, row) =>
      row.difference === null
        ? '–'
        : `${formatPoints(row.difference.value)} ` +
          `[${formatPoints(row.difference.low)} to ` +
          `${formatPoints(row.difference.high)}], ${answerText({ answer: row.difference.answer, difference: row.difference })}`,
  }),
  column('n', 'n', 60, { align: 'right' }, (row) => formatCount(row.accuracy.n)),
  column('state', 'Evaluation', 'minmax(150px, 1fr)', {}, (row) => (
    <StatusBadge
      tone={
        row.state === 'running' || row.state === 'planned'
          ? 'busy'
          : row.failed > 0
            ? 'warning'
            : 'good'
      }
      label={
        `#${row.evaluationNumber}, ${row.done} of ` +
        `${row.runs}${row.failed > 0 ? `, ${row.failed} not scored` : ''}`
      }
    />
  )),
];

export function FrontierView({ id }: { id: string }) {
  const navigate = useNavigate();
  const frontier = useRead((ask) => ask.tokens.frontier, {
    input: { id },
    refetchInterval: (query) => (query.state.data && isRunning(query.state.data) ? pollMs : false),
  });
  return (
    <Loaded query={frontier} blocks={[320, 240]}>
      {(loaded) => (
        <>
          {!isRunning(loaded) && (
            <Stack gap="xs" mb="md">
              {loaded.answers.map(({ retriever, sentence, k }) => (
                <Notice key={retriever} tone={k === null ? 'neutral' : 'warning'}>
                  <strong>{retriever}</strong>: {sentence}
                </Notice>
              ))}
            </Stack>
          )}
          <ChartFrame
            title={frontierFinding(loaded)}
            note={
              `${loaded.suiteName}${loaded.client === null ? '' : ` as ${clientNames[loaded.client]} shows tools`}, ${counted(loaded.points[0]?.accuracy.n ?? 0, 'scored run')} per ` +
              'point. Labels say how many tools were shown; bars are 95% intervals. ' +
              `Tokens in ${loaded.encoding}.`
            }
            fileName="accuracy-vs-tokens"
            height={340}
            table={tableOf(loaded)}
          >
            <LinesChart
              series={seriesOf(loaded)}
              xLabel="mean tokens of the tools shown"
              yLabel="accuracy"
              yRange={[0, 1]}
              formatX={formatCount}
              formatY={formatRate}
              onOpen={(id) => void navigate(`/results/${id}`)}
            />
          </ChartFrame>
          <DataTable
            label="Points"
            columns={columns}
            rows={loaded.points}
            rowKey={(row) => row.evaluationId}
            onOpen={(row) => void navigate(`/results/${row.evaluationId}`)}
            maxHeight="360px"
          />
        </>
      )}
    </Loaded>
  );
}

function tableOf({ points }: Frontier): ChartTable {
  return {
    heads: ['Tools shown', 'Retriever', 'Tokens', 'Accuracy', '95% interval', 'n'],
    numeric: [0, 2, 3, 4, 5],
    rows: points.map(({ k, retriever, tokens, accuracy }) => [
      k === null ? 'all' : String(k),
      k === null ? '–' : retriever,
      formatCount(tokens),
      formatRate(accuracy.value),
      formatInterval(accuracy.low, accuracy.high),
      formatCount(accuracy.n),
    ]),
  };
}

/** One line per retriever; the point with all tools is the common end. */
function seriesOf({ points }: Frontier): ChartSeries[] {
  const toPoint = ({ k, tokens, accuracy, evaluationId }: FrontierPoint) =>
    tokens === null || accuracy.value === null
      ? []
      : [
          {
            x: tokens,
            y: accuracy.value,
            low: accuracy.low,
            high: accuracy.high,
            label: k === null ? 'all' : String(k),
            to: evaluationId,
          },
        ];
  const names = [
    ...new Set(points.filter(({ k }) => k !== null).map(({ retriever }) => retriever)),
  ];
  const whole = points.filter(({ k }) => k === null).flatMap(toPoint);
  return names.map((name) => ({
    name,
    points: [
      ...points.filter(({ k, retriever }) => k !== null && retriever === name).flatMap(toPoint),
      ...whole,
    ]
      .sort((a, b) => a.x - b.x)
      .reduce(joinEqual, []),
  }));
}

/** Points at the same place share one label. */
function joinEqual(points: ChartPoint[], next: ChartPoint): ChartPoint[] {
  const last = points.at(-1);
  if (last?.x !== next.x || last.y !== next.y) return [...points, next];
  return [...points.slice(0, -1), { ...last, label: `${last.label}, ${next.label}` }];
}
