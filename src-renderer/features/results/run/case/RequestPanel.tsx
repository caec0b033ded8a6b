import type { RunDetail } from '../../../../../src-shared/domain/evaluation.ts';
import { splitToolId, toolId } from '../../../../../src-shared/domain/labels.ts';
import { Fold, TitledPanel } from '../../../../ui/panels/panels.tsx';
import { Foreign, PlainText, TextParts, firstCharacters } from '../../../../ui/text/Foreign.tsx';
import { counted } from '../../../../../src-shared/display/numbers.ts';
import classes from './case.module.css';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { alternatives } from '../../../../../src-shared/domain/testCase.ts';
import { useToolSignals, worstSignal, useRead } from '../../../../api/index.ts';
import { JsonText } from '../../../../ui/text/CodeView.tsx';
import { SeverityBadge } from '../../../../ui/badges/SeverityBadge.tsx';
import { SignalList } from '../../../../ui/badges/SignalList.tsx';
import styles from '../../evaluations.module.css';
import { actualName } from '../../../../../src-shared/display/callPairs.ts';
import { typed } from '../../../../ui/fields/controls.tsx';

/** As much of a text as one line can show. */
const previewLength = 200;

/** What the model was sent: the query, and folded below it everything else. */
export function RequestPanel(props: { evaluationId: string; detail: RunDetail }) {
  const { evaluationId, detail } = props;
  const { system, messages, offered } = detail;
  return (
    <TitledPanel label="Request">
      <div className={classes.request}>
        <h2 className={classes.label}>Request</h2>
        <Foreign as="blockquote" tabIndex={0} text={detail.case.query} />
      </div>
      {system !== null && system !== '' && (
        <Fold
          title="System prompt"
          hint={<TextParts text={firstCharacters(system, previewLength)} />}
        >
          <Foreign block text={system} />
        </Fold>
      )}
      {messages.length > 0 && (
        <Fold
          title="Prior messages"
          hint={
            <>
              {counted(messages.length, 'message')}:{' '}
              <TextParts text={firstCharacters(messages.at(-1)?.content ?? '', previewLength)} />
            </>
          }
        >
          <ol className={classes.messages}>
            {messages.map(({ role, content }, index) => (
              <li key={index}>
                <span className={classes.label}>{role === 'user' ? 'User' : 'Assistant'}</span>
                <Foreign block text={content} limit={2000} />
              </li>
            ))}
          </ol>
        </Fold>
      )}
      <Fold title="Tools offered" hint={<TextParts text={toolsText(offered)} />}>
        <OfferedTools evaluationId={evaluationId} detail={detail} />
      </Fold>
    </TitledPanel>
  );
}

/** How many tools from which servers: `5 tools from todo`. */
function toolsText(offered: readonly string[]): string {
  if (offered.length === 0) return 'None';
  const servers = [...new Set(offered.map((id) => splitToolId(id).server))];
  const from = servers.length > 3 ? counted(servers.length, 'server') : servers.join(', ');
  return `${counted(offered.length, 'tool')} from ${from}`;
}

/** Number of tools to list at once; a filter finds the others. */
const maxListed = 60;

/** The tools that were offered. Expected and called ones come first. */
function OfferedTools(props: { evaluationId: string; detail: RunDetail }) {
  const { evaluationId, detail } = props;
  const [filter, setFilter] = useState('');
  const snapshot = useRead((ask) => ask.evaluations.snapshot, {
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
      <ul className={styles.toolList}>
        {shown.map((id) => {
          const tool = snapshot.data?.tools.find(({ server, name }) => toolId(server, name) === id);
          const worst = worstSignal(signals.get(id));
          const words = [expected.has(id) ? 'expected' : '', called.has(id) ? 'called' : '']
            .filter((word) => word !== '')
            .join(', ');
          return (
            <li key={id}>
              <details>
                <summary className={words === '' ? undefined : styles.marked}>
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
                  <div className={styles.toolBody}>
                    <Foreign
                      block
                      text={tool.description === '' ? 'No description' : tool.description}
                    />
                    {worst !== null && <SignalList signals={signals.get(id) ?? []} />}
                    <JsonText label="Input schema" value={tool.inputSchema} maxHeight={240} />
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
    <details className={styles.fold} open>
      <summary>Changed for the provider ({excluded.length + relaxations.length})</summary>
      <ul className={styles.list}>
        {excluded.map(({ tool, reason }) => (
          <li key={tool}>
            <PlainText as="span" className="ts-mono" text={tool} /> was left out.{' '}
            <Foreign text={reason} limit={400} />
          </li>
        ))}
        {relaxations.map((one) => (
          <Foreign key={one} as="li" text={one} limit={400} />
        ))}
      </ul>
      <p className="ts-hint">Scores use the published schemas.</p>
    </details>
  );
}
