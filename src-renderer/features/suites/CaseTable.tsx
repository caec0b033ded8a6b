import { formatCount } from '../../../src-shared/display/numbers.ts';
import { Button, Chip, Group, MultiSelect, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import type { TestCase } from '../../../src-shared/domain/testCase.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { SearchField } from '../../ui/fields/SearchField.tsx';
import { counted } from '../../ui/text/words.ts';
import { BulkEdit, type CaseChange } from './BulkEdit.tsx';
import { caseColumns, narrowCaseColumns, withProblems } from './caseColumns.tsx';
import { filterCases, searchTexts, tagsOf } from './filterCases.ts';

interface CaseTableProps {
  cases: readonly TestCase[];
  selected: string | null;
  narrow: boolean;
  onOpen: (testCase: TestCase) => void;
  onDelete: (ids: string[]) => void;
  onEdit: (ids: string[], change: CaseChange) => void;
  onDuplicate: (ids: string[]) => void;
  /** Keyed by case ID. */
  problems: ReadonlyMap<string, readonly CaseProblem[]>;
  /** Shown instead of the table if the suite has no cases. */
  empty: ReactNode;
}

export function CaseTable({
  cases,
  selected,
  narrow,
  onOpen,
  onDelete,
  onEdit,
  onDuplicate,
  problems,
  empty,
}: CaseTableProps) {
  const [search, setSearch] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const knownTags = useMemo(() => tagsOf(cases), [cases]);
  const [oddOnly, setOddOnly] = useState(false);
  const [editing, setEditing] = useState(false);
  // The table may lag behind the search field, so that typing never waits for the table.
  const wanted = useDeferredValue(search);
  const texts = useMemo(() => searchTexts(cases), [cases]);
  const filtered = useMemo(
    () => filterCases(cases, { search: wanted, tags }, texts),
    [cases, wanted, tags, texts],
  );
  const shown = useMemo(
    () => (oddOnly ? filtered.filter(({ id }) => problems.has(id)) : filtered),
    [filtered, oddOnly, problems],
  );
  const columns = useMemo(
    () => withProblems(narrow ? narrowCaseColumns : caseColumns, problems),
    [narrow, problems],
  );
  // Only visible cases stay selected, so that everything that would be deleted is in view.
  const inView = useMemo(
    () => shown.filter((testCase) => marked.has(testCase.id)).map((testCase) => testCase.id),
    [shown, marked],
  );
  const marks = useMemo(() => new Set(inView), [inView]);
  if (cases.length === 0) return <>{empty}</>;
  const clear = (): void => {
    setSearch('');
    setTags([]);
    setOddOnly(false);
  };
  return (
    <DataTable
      label="Cases"
      columns={columns}
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
            {shown.length === cases.length
              ? counted(cases.length, 'case')
              : `${formatCount(shown.length)} of ${counted(cases.length, 'case')}`}
          </Text>
          {problems.size > 0 && (
            <Chip size="xs" checked={oddOnly} onChange={setOddOnly}>
              {counted(problems.size, 'case')} with a problem
            </Chip>
          )}
          {inView.length > 0 && (
            <Group ml="auto" gap="sm">
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  setEditing(true);
                }}
              >
                Edit
              </Button>
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
                Delete {counted(inView.length, 'case')}
              </Button>
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                c="var(--ts-ink-muted)"
                onClick={() => {
                  setMarked(new Set());
                }}
              >
                Unmark
              </Button>
            </Group>
          )}
          {editing && (
            <BulkEdit
              count={inView.length}
              knownTags={knownTags}
              knownServers={[...new Set(cases.flatMap(({ servers }) => servers))]}
              onApply={(change) => {
                setEditing(false);
                onEdit(inView, change);
              }}
              onClose={() => {
                setEditing(false);
              }}
            />
          )}
        </>
      }
      empty={
        <EmptyState
          message="No case matches the search and the tags."
          action={
            <Button variant="default" onClick={clear}>
              Show all
            </Button>
          }
        />
      }
    />
  );
}
