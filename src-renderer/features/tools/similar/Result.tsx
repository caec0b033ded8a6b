import { useDeferredValue, useState } from 'react';
import {
  type ListedPair,
  maxHeatMapTools,
  type PairScope,
} from '../../../../src-shared/contract/similarity.ts';
import type { SimilarityAnalysis } from '../../../../src-shared/domain/similarity.ts';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { WithPanel } from '../../../ui/panels/SidePanel.tsx';
import { useChosenPair, type ChosenPair } from './chosenPair.ts';
import { FindingCards } from './FindingCards.tsx';
import { GroupsPanel } from './GroupsPanel.tsx';
import { HeatPanel } from './HeatPanel.tsx';
import { ListHead } from './ListHead.tsx';
import { PairList } from './PairList.tsx';
import { PairPanel } from './PairPanel.tsx';
import { chooseThreshold, useSimilarityWork } from './similarityWork.ts';
import { usePairs } from './useSimilarity.ts';
import classes from './similarity.module.css';

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
