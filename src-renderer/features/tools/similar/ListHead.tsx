import { SegmentedControl, Select, Slider } from '@mantine/core';
import { pairScopes, type PairScope } from '../../../../src-shared/contract/similarity.ts';
import type { SimilarityMeasure } from '../../../../src-shared/domain/similarity.ts';
import { measureNouns } from '../../../../src-shared/display/similarityTexts.ts';
import { formatDecimal } from '../../../../src-shared/display/numbers.ts';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import classes from './similarity.module.css';

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
export function ListHead(props: ListHeadProps) {
  const { view, setView, scope, setScope, search, setSearch, measure, threshold, setThreshold } =
    props;
  return (
    <div className={classes.listHead}>
      <div className={classes.listRow}>
        <SegmentedControl
          aria-label="What the list shows"
          data={[
            { value: 'pairs', label: 'Pairs' },
            { value: 'groups', label: 'Groups' },
          ]}
          value={view}
          onChange={(value) => setView(value === 'groups' ? 'groups' : 'pairs')}
        />
        {view === 'pairs' && (
          <Select
            size="xs"
            w={136}
            aria-label="Which pairs"
            data={[
              { value: 'all', label: 'All servers' },
              { value: 'across', label: 'Across servers' },
              { value: 'within', label: 'Same server' },
            ]}
            value={scope}
            onChange={(value) => setScope(pairScopes.find((one) => one === value) ?? 'all')}
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
