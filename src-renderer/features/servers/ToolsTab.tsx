import { Button, Text } from '@mantine/core';
import type { ToolSignal } from '../../api/index.ts';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { Notice } from '../../ui/notices/Notice.tsx';
import { Section } from '../../ui/panels/Section.tsx';
import { counted } from '../../ui/text/words.ts';
import type { ServerDetail } from './serverDetail.ts';
import { ToolTable } from './ToolTable.tsx';

interface ToolsTabProps {
  /** What the server offers. */
  noun: 'skill' | 'tool';
  listing: ServerDetail['listing'];
  selectedTool: string | null;
  narrow: boolean;
  signals: ReadonlyMap<string, ToolSignal[]>;
  onTool: (name: string) => void;
  onCheck: () => void;
  checking: boolean;
}

/** The stored tools of a server, and those that can't be offered. */
export function ToolsTab(props: ToolsTabProps) {
  const { noun, listing, selectedTool, narrow, signals, onTool, onCheck, checking } = props;
  if (listing === null)
    return (
      <EmptyState
        message={`The ${noun}s appear here once the server has listed them.`}
        action={
          <Button variant="default" loading={checking} onClick={onCheck}>
            Connect
          </Button>
        }
      />
    );
  const { rejected } = listing.listing;
  return (
    <>
      <ToolTable
        noun={noun}
        tools={listing.tools}
        selected={selectedTool}
        narrow={narrow}
        signals={signals}
        onOpen={(tool) => {
          onTool(tool.name);
        }}
      />
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
