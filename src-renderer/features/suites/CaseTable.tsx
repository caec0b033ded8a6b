import { Button, Group, MultiSelect, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { TestCase } from '../../../src-shared/domain/testCase.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { counted } from '../../ui/words.ts';
import { caseColumns, narrowCaseColumns } from './caseColumns.tsx';
import { filterCases, tagsOf } from './filterCases.ts';

interface CaseTableProps {
  cases: readonly TestCase[];
  selected: string | null;
  narrow: boolean;
  onOpen: (testCase: TestCase) => void;
  onDelete: (ids: string[]) => void;
  /** Shown instead of the table where the suite has no case. */
  empty: ReactNode;
}

export function CaseTable({ cases, selected, narrow, onOpen, onDelete, empty }: CaseTableProps) {
  const [search, setSearch] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const knownTags = useMemo(() => tagsOf(cases), [cases]);
  const shown = useMemo(() => filterCases(cases, { search, tags }), [cases, search, tags]);
  // A case that has gone, or that the filter hides, is not marked: what is deleted is always in view.
  const inView = useMemo(() => shown.filter((testCase) => marked.has(testCase.id)).map((testCase) => testCase.id), [shown, marked]);
  const marks = useMemo(() => new Set(inView), [inView]);
  if (cases.length === 0) return <>{empty}</>;
  const clear = (): void => {
    setSearch('');
    setTags([]);
  };
  return (
    <DataTable
      label="Cases"
      columns={narrow ? narrowCaseColumns : caseColumns}
      rows={shown}
      rowKey={(testCase) => testCase.id}
      onOpen={onOpen}
      selected={selected}
      marked={marks}
      onMark={setMarked}
      maxHeight="calc(100vh - 232px)"
      toolbar={
        <>
          <SearchField label="Search cases" value={search} onChange={setSearch} />
          {knownTags.length > 0 && (
            <MultiSelect
              size="xs"
              w={tags.length > 1 ? 320 : 200}
              aria-label="Filter by tag"
              placeholder={tags.length === 0 ? 'All tags' : ''}
              data={knownTags}
              value={tags}
              onChange={setTags}
              searchable
              clearable
            />
          )}
          <Text size="sm" c="dimmed" className="ts-number" aria-live="polite">
            {shown.length === cases.length ? counted(cases.length, 'case') : `${shown.length.toLocaleString('en')} of ${counted(cases.length, 'case')}`}
          </Text>
          {inView.length > 0 && (
            <Group ml="auto" gap="sm">
              <Button
                size="compact-sm"
                variant="light"
                color="vermilion"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={() => {
                  onDelete(inView);
                }}
              >
                Delete {counted(inView.length, 'case')}
              </Button>
              <Button size="compact-sm" variant="subtle" color="gray" c="var(--ts-ink-muted)" onClick={() => { setMarked(new Set()); }}>
                Unmark
              </Button>
            </Group>
          )}
        </>
      }
      empty={<EmptyState message="No case matches the search and the tags." action={<Button variant="default" onClick={clear}>Show all</Button>} />}
    />
  );
}
