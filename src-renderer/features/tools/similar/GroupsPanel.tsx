import { Slider, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SimilarityAnalysis } from '../../../../src-shared/domain/similarity.ts';
import { measureNouns } from '../../../../src-shared/display/similarityTexts.ts';
import { formatCount, formatDecimal, counted } from '../../../../src-shared/display/numbers.ts';
import { useApi } from '../../../api/index.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import classes from './similarity.module.css';

/** Groups of tools connected by pairs at or above a cut. */
export function GroupsPanel({ analysis }: { analysis: SimilarityAnalysis }) {
  const { queries } = useApi();
  const [cut, setCut] = useState(0.6);
  const [asked, setAsked] = useState(cut);
  const groups = useQuery(
    queries.similarity.groups.queryOptions({
      input: { id: analysis.id, cut: asked },
      placeholderData: keepPreviousData,
    }),
  );
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
