import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { toolId } from '../../../../../src-shared/domain/labels.ts';
import { alternatives } from '../../../../../src-shared/domain/testCase.ts';
import { useApi, useToolSignals, worstSignal, useRead } from '../../../../api/index.ts';
import { CodeView } from '../../../../ui/text/CodeView.tsx';
import { Foreign } from '../../../../ui/text/Foreign.tsx';
import { PlainText } from '../../../../ui/text/PlainText.tsx';
import { SeverityBadge } from '../../../../ui/badges/SeverityBadge.tsx';
import { SignalList } from '../../../../ui/badges/SignalList.tsx';
import { counted } from '../../../../../src-shared/display/numbers.ts';
import classes from '../../evaluations.module.css';
import { actualName } from '../../../../../src-shared/display/callPairs.ts';
import { typed } from '../../../../ui/fields/typed.ts';

/** Number of tools to list at once; a filter finds the others. */
const maxListed = 60;

/** The tools that were offered. Expected and called ones come first. */
export function OfferedTools(props: { evaluationId: string; detail: RunDetail }) {
  const { evaluationId, detail } = props;
  const { queries } = useApi();
  const [filter, setFilter] = useState('');
  const snapshot = useRead(queries.evaluations.snapshot, {
    input: { id: evaluationId },
    staleTime: 60_000,
  });
  const signals = useToolSignals(snapshot.data ? { evaluationId } : null);
  const expected = new Set(
    detail.case.expectedCalls.flatMap((call) =>
      alternatives(call).map(({ server, tool }) => toolId(server, tool)),
    ),
  );
  const called = new Set(detail.calls.map((call) => actualName(call)));
  const notable = (id: string): number => Number(expected.has(id)) + Number(called.has(id));
  const found = detail.offered
    .filter((id) => id.toLowerCase().includes(filter.trim().toLowerCase()))
    .toSorted((a, b) => notable(b) - notable(a));
  const shown = found.slice(0, maxListed);
  return (
    <>
      {detail.offered.length > 8 && (
        <TextInput
          size="xs"
          mb="xs"
          type="search"
          aria-label="Filter the offered tools"
          placeholder="Filter tools"
          {...typed(filter, setFilter)}
        />
      )}
      {detail.offered.length === 0 && (
        <p className="ts-quiet">No tools were offered. The servers listed none.</p>
      )}
      <Adaptations detail={detail} />
      <ul className={classes.toolList}>
        {shown.map((id) => {
          const tool = snapshot.data?.tools.find(({ server, name }) => toolId(server, name) === id);
          const worst = worstSignal(signals.get(id));
          const words = [expected.has(id) ? 'expected' : '', called.has(id) ? 'called' : '']
            .filter((word) => word !== '')
            .join(', ');
          return (
            <li key={id}>
              <details>
                <summary className={words === '' ? undefined : classes.marked}>
                  <Foreign text={id} limit={200} />
                  {words !== '' && <span className="ts-hint"> {words}</span>}
                  {worst !== null && (
                    <>
                      {' '}
                      <SeverityBadge {...worst} />
                    </>
                  )}
                </summary>
                {tool !== undefined && (
                  <div className={classes.toolBody}>
                    <Foreign
                      block
                      text={tool.description === '' ? 'No description' : tool.description}
                    />
                    {worst !== null && <SignalList signals={signals.get(id) ?? []} />}
                    <CodeView
                      label="Input schema"
                      text={JSON.stringify(tool.inputSchema, null, 2)}
                      maxHeight={240}
                    />
                  </div>
                )}
              </details>
            </li>
          );
        })}
      </ul>
      {found.length > shown.length && (
        <p className="ts-hint">
          {counted(found.length - shown.length, 'more tool')}. Filter to see them.
        </p>
      )}
    </>
  );
}

/** What the provider could not accept as published. The tools below are shown as published. */
function Adaptations({ detail }: { detail: RunDetail }) {
  const { excluded, relaxations } = detail.adaptations;
  if (excluded.length + relaxations.length === 0) return null;
  return (
    <details className={classes.fold} open>
      <summary>Changed for the provider ({excluded.length + relaxations.length})</summary>
      <ul className={classes.list}>
        {excluded.map(({ tool, reason }) => (
          <li key={tool}>
            <span className="ts-mono">
              <PlainText text={tool} />
            </span>{' '}
            was left out. <Foreign text={reason} limit={400} />
          </li>
        ))}
        {relaxations.map((one) => (
          <li key={one}>
            <Foreign text={one} limit={400} />
          </li>
        ))}
      </ul>
      <p className="ts-hint">Scores use the published schemas.</p>
    </details>
  );
}
