import { useDeferredValue, useState, useMemo } from 'react';
import {
  type ListedPair,
  maxHeatMapTools,
  type PairScope,
} from '../../../../src-shared/contract/similarity.ts';
import {
  type SimilarityAnalysis,
  type SimilarityMeasure,
  isFlagged,
} from '../../../../src-shared/domain/similarity.ts';
import { formatCount, counted, formatDecimal } from '../../../../src-shared/display/numbers.ts';
import { EmptyState, Loaded } from '../../../ui/notices/notices.tsx';
import { WithPanel } from '../../../ui/panels/panels.tsx';
import { useChosenPair, type ChosenPair } from './chosenPair.ts';
import { PairList } from './PairList.tsx';
import { PairPanel } from './PairPanel.tsx';
import { chooseThreshold, useSimilarityWork } from './similarityWork.ts';
import { usePairs, useMatrix } from './useSimilarity.ts';
import classes from './similarity.module.css';
import { IconAlertTriangle, IconArchive } from '@tabler/icons-react';
import { Action, choosing, options } from '../../../ui/fields/controls.tsx';
import { SearchField } from '../../../ui/fields/choices.tsx';
import {
  findingTexts,
  measureNouns,
  measureTitles,
  pairScoreText,
} from '../../../../src-shared/display/similarityTexts.ts';
import { PlainText } from '../../../ui/text/Foreign.tsx';
import { Slider, Text, SegmentedControl, Select, useComputedColorScheme } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useRead } from '../../../api/index.ts';
import { ChartFrame } from '../../../ui/charts/ChartFrame.tsx';
import { HeatMap } from '../../../ui/heat/HeatMap.tsx';
import { belowDiagonal } from '../../../ui/heat/heatPicture.ts';
import { mapTitle } from './mapTitle.ts';

interface ResultProps {
  analysis: SimilarityAnalysis;
  /** All pairs that are listed, the most similar first. */
  ranked: readonly ListedPair[];
}

/** Findings, the list of pairs next to the map, and the pair that is open. */
export function Result({ analysis, ranked }: ResultProps) {
  const { threshold: chosen } = useSimilarityWork();
  const threshold = chosen ?? analysis.threshold;
  const painted = useDeferredValue(threshold);
  const [scope, setScope] = useState<PairScope>('all');
  const [search, setSearch] = useState('');
  const [view, setView] = useState<'pairs' | 'groups'>('pairs');
  const [selected, select] = useChosenPair(analysis);
  const filtered = usePairs(analysis.id, { scope, search });
  const rankOf = ({ a, b }: ChosenPair): number | null =>
    ranked.find((pair) => pair.a === a && pair.b === b)?.rank ?? null;
  return (
    <WithPanel
      narrow
      panel={
        selected && (
          <PairPanel
            analysis={analysis}
            {...selected}
            rank={rankOf(selected)}
            threshold={threshold}
            onClose={() => select(null)}
          />
        )
      }
    >
      <FindingCards analysis={analysis} selected={selected} onOpen={select} />
      <div className={classes.board}>
        <section className={classes.list} aria-label="Similar pairs">
          <ListHead
            {...{ view, setView, scope, setScope, search, setSearch, threshold }}
            measure={analysis.measure}
            setThreshold={chooseThreshold}
          />
          {view === 'groups' ? (
            <GroupsPanel analysis={analysis} />
          ) : (
            <Loaded query={filtered} blocks={[360]}>
              {({ rows, total }) => (
                <PairList
                  analysis={analysis}
                  rows={rows}
                  total={total}
                  threshold={threshold}
                  selected={selected}
                  onOpen={select}
                />
              )}
            </Loaded>
          )}
        </section>
        {analysis.tools.length <= maxHeatMapTools ? (
          <HeatPanel
            analysis={analysis}
            ranked={ranked}
            threshold={painted}
            selected={selected}
            onSelect={select}
          />
        ) : (
          <p className={classes.quiet}>
            The map shows at most {formatCount(maxHeatMapTools)} tools. Choose fewer servers above,
            or use the list.
          </p>
        )}
      </div>
    </WithPanel>
  );
}

interface FindingCardsProps {
  analysis: SimilarityAnalysis;
  selected: ChosenPair | null;
  onOpen: (pair: ChosenPair) => void;
}

const maxShown = 4;

/** Tools that share a name or a purpose: no wording can separate them. */
function FindingCards({ analysis, selected, onOpen }: FindingCardsProps) {
  const [all, setAll] = useState(false);
  const { findings, tools } = analysis;
  if (findings.length === 0) return null;
  const shown = all ? findings : findings.slice(0, maxShown);
  return (
    <section aria-label="Findings" className={classes.findings}>
      {shown.map((finding) => {
        const { name, title, detail } = findingTexts(finding, tools);
        const [a = 0, b = 0] = finding.tools.slice(0, 2).sort((x, y) => x - y);
        const isOpen = selected?.a === a && selected.b === b;
        const Icon = finding.kind === 'same_name' ? IconAlertTriangle : IconArchive;
        return (
          <article key={`${finding.kind} ${finding.tools.join(' ')}`} className={classes.finding}>
            <Icon size={18} stroke={1.6} aria-hidden />
            <div>
              <h3>
                <PlainText as="code" text={name} /> {title}
              </h3>
              <PlainText as="p" text={detail} />
            </div>
            <Action
              label="Show fix"
              size="xs"
              aria-pressed={isOpen}
              onClick={() => onOpen({ a, b })}
            />
          </article>
        );
      })}
      {findings.length > maxShown && (
        <Action
          label={all ? 'Show fewer findings' : `Show all ${counted(findings.length, 'finding')}`}
          className={classes.moreFindings}
          variant="subtle"
          small
          onClick={() => setAll(!all)}
        />
      )}
    </section>
  );
}

/** Groups of tools connected by pairs at or above a cut. */
function GroupsPanel({ analysis }: { analysis: SimilarityAnalysis }) {
  const [cut, setCut] = useState(0.6);
  const [asked, setAsked] = useState(cut);
  const groups = useRead((ask) => ask.similarity.groups, {
    input: { id: analysis.id, cut: asked },
    placeholderData: keepPreviousData,
  });
  return (
    <div className={classes.groups}>
      <div className={classes.threshold}>
        <span>
          Cut at <strong className="ts-number">{formatDecimal(cut, 2)}</strong>
        </span>
        <Slider
          flex={1}
          min={0.1}
          max={1}
          step={0.01}
          value={cut}
          onChange={setCut}
          onChangeEnd={setAsked}
          label={null}
          thumbLabel="Cut"
        />
      </div>
      <Loaded query={groups} blocks={[120]}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState
              message={`No two tools have ${measureNouns[analysis.measure]} of ${formatDecimal(asked, 2)} or more.`}
            />
          ) : (
            <>
              <p className="ts-quiet">
                {counted(list.length, 'group')},{' '}
                {formatCount(list.reduce((sum, group) => sum + group.length, 0))} of{' '}
                {counted(analysis.tools.length, 'tool')}
              </p>
              {list.map((group) => (
                <div key={group.join('.')} className={`ts-panel ${classes.group ?? ''}`}>
                  <Text size="sm" fw={600}>
                    {counted(group.length, 'tool')}
                  </Text>
                  {group.map((tool) => (
                    <bdi key={tool} className={`ts-mono ${classes.member ?? ''}`}>
                      {analysis.toolIds[tool]}
                    </bdi>
                  ))}
                </div>
              ))}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

interface ListHeadProps {
  view: 'pairs' | 'groups';
  setView: (view: 'pairs' | 'groups') => void;
  scope: PairScope;
  setScope: (scope: PairScope) => void;
  search: string;
  setSearch: (search: string) => void;
  measure: SimilarityMeasure;
  threshold: number;
  setThreshold: (threshold: number) => void;
}

/** What the list shows, and by what and from which score pairs are flagged. */
function ListHead(props: ListHeadProps) {
  const { view, setView, scope, setScope, search, setSearch, measure, threshold, setThreshold } =
    props;
  return (
    <div className={classes.listHead}>
      <div className={classes.listRow}>
        <SegmentedControl
          aria-label="What the list shows"
          data={options({ pairs: 'Pairs', groups: 'Groups' })}
          value={view}
          onChange={setView}
        />
        {view === 'pairs' && (
          <Select
            size="xs"
            w={136}
            aria-label="Which pairs"
            data={options({
              all: 'All servers',
              across: 'Across servers',
              within: 'Same server',
              confused: 'Confused',
            })}
            {...choosing(scope, setScope)}
          />
        )}
      </div>
      {view === 'pairs' && (
        <>
          <SearchField label="Search tools" value={search} onChange={setSearch} />
          <div className={classes.threshold}>
            <span>
              Flag from {measureNouns[measure]} of{' '}
              <strong className="ts-number">{formatDecimal(threshold, 2)}</strong>
            </span>
            <Slider
              flex={1}
              size="sm"
              min={0}
              max={1}
              step={0.01}
              value={threshold}
              onChange={(value) => {
                // A step of a slider is not always a clean hundredth.
                setThreshold(Math.round(value * 100) / 100);
              }}
              label={null}
              thumbLabel="Threshold"
            />
          </div>
        </>
      )}
    </div>
  );
}

interface HeatPanelProps {
  analysis: SimilarityAnalysis;
  /** The first pairs of all, whatever the list shows. */
  ranked: readonly ListedPair[];
  threshold: number;
  selected: ChosenPair | null;
  onSelect: (pair: ChosenPair) => void;
}

function cellsOf(text: string): Uint16Array {
  const binary = atob(text);
  return Uint16Array.from(
    { length: binary.length / 2 },
    (_, at) => binary.charCodeAt(2 * at) | (binary.charCodeAt(2 * at + 1) << 8),
  );
}

/** Every tool against every other, by server. */
function HeatPanel(props: HeatPanelProps) {
  const matrix = useMatrix(props.analysis.id);
  return (
    <Loaded query={matrix} blocks={[520]}>
      {({ order, cells }) => <AnalysisMap {...props} order={order} cells={cells} />}
    </Loaded>
  );
}

function AnalysisMap(props: HeatPanelProps & { order: readonly number[]; cells: string }) {
  const { analysis, ranked, threshold, selected, onSelect, order, cells } = props;
  const theme = useComputedColorScheme('light');
  const numbers = useMemo(() => cellsOf(cells), [cells]);
  const placeOf = useMemo(() => new Map(order.map((tool, place) => [tool, place])), [order]);
  const rows = useMemo(
    () =>
      order.map((at) => ({
        name: analysis.tools[at]?.name ?? '',
        place: at,
        group: analysis.tools[at]?.server ?? '',
      })),
    [analysis, order],
  );
  const cellOf = ({ a, b }: ChosenPair) =>
    belowDiagonal({ row: placeOf.get(a) ?? 0, column: placeOf.get(b) ?? 0 }, order.length);
  const marks = ranked
    .filter((pair) => isFlagged(pair, threshold))
    .map((pair) => ({ ...cellOf(pair), number: pair.rank ?? 0 }));
  return (
    <ChartFrame
      title={mapTitle(analysis, ranked, threshold)}
      note={`${measureTitles[analysis.measure]} of ${counted(analysis.pairs, 'pair')} of ${counted(order.length, 'tool')}, 0 to 1`}
      fileName="similar-tools"
      height="auto"
      table={{
        heads: ['No.', 'Tool', 'Similar tool', measureTitles[analysis.measure], 'Flagged'],
        numeric: [0, 3],
        rows: ranked.map((pair) => [
          String(pair.rank ?? '–'),
          analysis.toolIds[pair.a] ?? '',
          analysis.toolIds[pair.b] ?? '',
          pairScoreText(pair.score),
          isFlagged(pair, threshold) ? 'yes' : 'no',
        ]),
      }}
    >
      <HeatMap
        label={`${measureTitles[analysis.measure]} of all tools`}
        rows={rows}
        cells={numbers}
        threshold={threshold}
        marks={marks}
        histogram={analysis.histogram}
        legendTitle={`${measureTitles[analysis.measure]} of ${counted(analysis.pairs, 'pair')}`}
        format={(value) => `${analysis.measure} ${pairScoreText(value)}`}
        start={ranked[0] === undefined ? null : cellOf(ranked[0])}
        selected={selected && cellOf(selected)}
        onSelect={({ row, column }) => {
          const [one, two] = [order[column] ?? 0, order[row] ?? 0];
          onSelect({ a: Math.min(one, two), b: Math.max(one, two) });
        }}
        theme={theme}
      />
    </ChartFrame>
  );
}
