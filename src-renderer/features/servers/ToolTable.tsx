import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { Listing } from '../../../src-shared/contract/servers.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import { type ToolSignal, worstSignal } from '../../api/index.ts';
import { Cut } from '../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { schemaParameters } from '../../../src-shared/domain/schemaExample.ts';
import { SearchField } from '../../ui/fields/SearchField.tsx';
import { SeverityBadge } from '../../ui/badges/SeverityBadge.tsx';
import { counted } from '../../ui/text/words.ts';
import { type Effect, effectOf } from '../../../src-shared/display/toolEffect.ts';

type ListedTool = Listing['tools'][number];

const effectShort: Record<Effect, string> = {
  reads: 'read-only',
  destroys: 'destructive',
  changes: 'changes',
  unknown: '–',
};

const columns: Column<ListedTool>[] = [
  {
    id: 'name',
    header: 'Tool',
    cell: (tool) => <Cut text={tool.name} mono />,
    sortValue: (tool) => tool.name,
    width: 'minmax(160px, 1fr)',
  },
  {
    id: 'description',
    header: 'Description',
    cell: (tool) =>
      tool.description === '' ? (
        <Text size="sm" c="dimmed">
          no description
        </Text>
      ) : (
        <Cut text={tool.description} />
      ),
    sortValue: (tool) => tool.description,
    width: 'minmax(200px, 3fr)',
  },
  {
    id: 'parameters',
    header: 'Parameters',
    hint: 'Top-level names in the input schema.',
    cell: (tool) => schemaParameters(tool.inputSchema).length,
    sortValue: (tool) => schemaParameters(tool.inputSchema).length,
    width: 116,
    align: 'right',
  },
  {
    id: 'effect',
    header: 'Effect',
    hint: 'Read-only or destructive, according to the server.',
    cell: (tool) => effectShort[effectOf(tool.annotations)],
    sortValue: (tool) => effectShort[effectOf(tool.annotations)],
    width: 110,
  },
];

const skillColumns: Column<ListedTool>[] = [
  ...columns
    .filter(({ id }) => id === 'name' || id === 'description')
    .map((column) => (column.id === 'name' ? { ...column, header: 'Skill' } : column)),
  {
    id: 'lines',
    header: 'Body lines',
    hint: 'Lines of SKILL.md after its frontmatter, which a model reads when it uses the skill.',
    cell: (tool) => bodyLines(tool),
    sortValue: (tool) => bodyLines(tool),
    width: 116,
    align: 'right',
  },
  {
    id: 'files',
    header: 'Files',
    hint: 'Other files in the folder of the skill.',
    cell: (tool) => tool.skill?.files.length ?? 0,
    sortValue: (tool) => tool.skill?.files.length ?? 0,
    width: 90,
    align: 'right',
  },
];

const bodyLines = ({ skill }: ListedTool): number =>
  skill === undefined ? 0 : skill.body.trim().split('\n').length;

const marksColumn = (signals: ReadonlyMap<string, ToolSignal[]>): Column<ListedTool> => ({
  id: 'signals',
  header: 'Signals',
  hint: 'Findings of the security detectors. No signal doesn’t mean safe.',
  cell: (tool) => {
    const worst = worstSignal(signals.get(toolId(tool.server, tool.name)));
    return worst === null ? (
      <Text size="sm" c="dimmed" component="span">
        –
      </Text>
    ) : (
      <SeverityBadge {...worst} />
    );
  },
  sortValue: (tool) =>
    signals.get(toolId(tool.server, tool.name))?.filter(({ accepted }) => accepted === null)
      .length ?? 0,
  width: 130,
});

const wideColumns = { tool: columns, skill: skillColumns };
const narrowColumns = { tool: columns.slice(0, 2), skill: skillColumns.slice(0, 2) };

interface ToolTableProps {
  /** What the server offers. */
  noun: 'skill' | 'tool';
  tools: readonly ListedTool[];
  selected: string | null;
  /** True next to an open panel. */
  narrow: boolean;
  signals: ReadonlyMap<string, ToolSignal[]>;
  onOpen: (tool: ListedTool) => void;
}

export function ToolTable({ noun, tools, selected, narrow, signals, onOpen }: ToolTableProps) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const shown = tools.filter((tool) =>
    `${tool.name} ${tool.title ?? ''} ${tool.description}`.toLowerCase().includes(wanted),
  );
  return (
    <DataTable
      label={noun === 'skill' ? 'Skills' : 'Tools'}
      columns={narrow ? narrowColumns[noun] : [...wideColumns[noun], marksColumn(signals)]}
      rows={shown}
      rowKey={(tool) => tool.name}
      onOpen={onOpen}
      selected={selected}
      maxHeight="60vh"
      toolbar={
        <>
          <SearchField label={`Search ${noun}s`} value={search} onChange={setSearch} />
          <Text size="sm" c="dimmed" className="ts-number">
            {shown.length === tools.length
              ? counted(tools.length, noun)
              : `${shown.length} of ${counted(tools.length, noun)}`}
          </Text>
        </>
      }
      empty={
        <EmptyState
          message={
            tools.length === 0
              ? `The server is reachable and offers no ${noun}s.`
              : `No ${noun} matches “${search}”.`
          }
          {...(tools.length === 0
            ? {}
            : {
                action: (
                  <Button
                    variant="default"
                    onClick={() => {
                      setSearch('');
                    }}
                  >
                    Show all
                  </Button>
                ),
              })}
        />
      }
    />
  );
}
