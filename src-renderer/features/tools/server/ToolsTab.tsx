import { Text } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../../ui/fields/controls.tsx';
import { EmptyState, Loaded, Notice } from '../../../ui/notices/notices.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { Chip } from '../table/toolFilters.ts';
import { ToolTable } from '../table/ToolTable.tsx';
import { useToolsOf } from '../table/useTools.ts';
import type { ServerDetail } from './serverDetail.ts';

interface ToolsTabProps {
  detail: ServerDetail;
  /** What the server offers. */
  noun: 'skill' | 'tool';
  onCheck: () => void;
  checking: boolean;
}

/** The tools of a server as in the table of all, and those that can't be offered. */
export function ToolsTab({ detail: { server, listing }, noun, onCheck, checking }: ToolsTabProps) {
  const tools = useToolsOf(server.id);
  const [only, setOnly] = useState<Chip | null>(null);
  if (listing === null)
    return (
      <EmptyState
        message={`The ${noun}s appear here once the server has listed them.`}
        action={<Action label="Connect" loading={checking} onClick={onCheck} />}
      />
    );
  const { rejected } = listing.listing;
  return (
    <>
      <Loaded query={tools} blocks={[320]}>
        {(list) => (
          <ToolTable
            list={list}
            servers={[server.name]}
            only={only}
            onOnly={setOnly}
            ofServer={noun}
          />
        )}
      </Loaded>
      {rejected.length > 0 && (
        <Section title={`Rejected: ${counted(rejected.length, noun)}`}>
          <Notice tone="warning">
            <Text>
              These {noun}s can’t be offered to a model. The other {noun}s are not affected.
            </Text>
            <ul style={{ margin: '8px 0 0', paddingLeft: 20 }}>
              {rejected.map((tool, index) => (
                <li key={index}>
                  <span className="ts-mono">
                    <Foreign text={tool.name === '' ? '(no name)' : tool.name} limit={200} />
                  </span>
                  {': '}
                  <Foreign text={tool.reason} limit={400} />
                </li>
              ))}
            </ul>
          </Notice>
        </Section>
      )}
    </>
  );
}
