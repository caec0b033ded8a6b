import { Button, Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { counted, formatCount } from '../../../src-shared/display/numbers.ts';
import { modeTexts } from '../../../src-shared/display/executionTexts.ts';
import { checksText, leastMode } from '../../../src-shared/display/taskTexts.ts';
import type { SuiteTask } from '../../../src-shared/domain/task.ts';
import { Tags } from '../../ui/badges/Tags.tsx';
import { SearchField } from '../../ui/fields/SearchField.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { Cut } from '../../ui/text/Cut.tsx';

interface TaskTableProps {
  tasks: readonly SuiteTask[];
  selected: string | null;
  /** True while a panel takes half of the width. */
  narrow: boolean;
  onOpen: (task: SuiteTask) => void;
  onDuplicate: (ids: string[]) => void;
  onDelete: (ids: string[]) => void;
  /** Shown instead of the table if the suite has no tasks. */
  empty: ReactNode;
}

/** The tasks of a suite: what the user says, the servers, the checks, and the mode they need. */
export function TaskTable({
  tasks,
  selected,
  narrow,
  onOpen,
  onDuplicate,
  onDelete,
  empty,
}: TaskTableProps) {
  const [search, setSearch] = useState('');
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  if (tasks.length === 0) return <>{empty}</>;
  const wanted = search.trim().toLowerCase();
  const found = tasks.filter(({ key, content }) =>
    `${key} ${content.name} ${content.turns.join(' ')}`.toLowerCase().includes(wanted),
  );
  // Only visible tasks stay selected, so that everything that would be deleted is in view.
  const inView = found.filter(({ id }) => marked.has(id)).map(({ id }) => id);
  return (
    <DataTable
      label="Tasks"
      columns={narrow ? columns.filter(({ id }) => !wideOnly.includes(id)) : columns}
      rows={found}
      rowKey={({ id }) => id}
      selected={selected}
      onOpen={onOpen}
      marked={new Set(inView)}
      onMark={setMarked}
      rowHeight={40}
      toolbar={
        <>
          <SearchField label="Search tasks" value={search} onChange={setSearch} />
          <span className="ts-number">{counted(found.length, 'task')}</span>
          {inView.length > 0 && (
            <Group ml="auto" gap="sm">
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  onDuplicate(inView);
                }}
              >
                Duplicate
              </Button>
              <Button
                size="compact-sm"
                variant="light"
                color="vermilion"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={() => {
                  onDelete(inView);
                }}
              >
                Delete {counted(inView.length, 'task')}
              </Button>
            </Group>
          )}
        </>
      }
      empty={<EmptyState message={`No task matches “${search}”.`} />}
    />
  );
}

const wideOnly = ['turn', 'servers'];

const columns: Column<SuiteTask>[] = [
  {
    id: 'name',
    header: 'Task',
    width: 'minmax(160px, 1.3fr)',
    cell: ({ content }) => <Cut text={content.name} />,
    sortValue: ({ content }) => content.name,
  },
  {
    id: 'turn',
    header: 'First turn',
    width: 'minmax(160px, 1.6fr)',
    cell: ({ content }) => <Cut text={content.turns[0] ?? ''} />,
  },
  {
    id: 'turns',
    header: 'Turns',
    hint: 'A “+” marks tasks in which a simulated user goes on after them.',
    width: 76,
    align: 'right',
    cell: ({ content }) => `${formatCount(content.turns.length)}${content.user ? '+' : ''}`,
    sortValue: ({ content }) => content.turns.length,
  },
  {
    id: 'checks',
    header: 'Checks',
    width: 'minmax(120px, 1fr)',
    cell: ({ content }) => <Cut text={checksText(content.checks)} />,
    sortValue: ({ content }) => content.checks.length,
  },
  {
    id: 'mode',
    header: 'Execution mode',
    hint: 'The least that can score the task. State checks need executed tools, and setup calls are taken to change something.',
    width: 140,
    cell: ({ content }) => modeTexts[leastMode(content)].label,
    sortValue: ({ content }) => leastMode(content),
  },
  {
    id: 'servers',
    header: 'Servers',
    width: 'minmax(100px, 0.8fr)',
    cell: ({ content }) => <Tags values={content.servers} />,
    sortValue: ({ content }) => content.servers.join(', '),
  },
];
