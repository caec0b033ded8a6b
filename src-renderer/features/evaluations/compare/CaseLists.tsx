import { Tabs } from '@mantine/core';
import { useMemo } from 'react';
import type {
  CandidateComparison,
  ComparedCase,
} from '../../../../src-shared/domain/comparison.ts';
import { Cut } from '../../../ui/text/Cut.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { formatCount } from '../../../ui/estimate/format.ts';
import { SearchField } from '../../../ui/fields/SearchField.tsx';
import { counted } from '../../../ui/text/words.ts';
import classes from '../evaluations.module.css';
import { type CaseList, caseLists, type CompareAddress } from './compareAddress.ts';

const words: Record<CaseList, { label: string; meaning: string; none: string }> = {
  regressed: {
    label: 'Regressed',
    meaning: 'Passed in the baseline, fails now.',
    none: 'No case regressed.',
  },
  fixed: {
    label: 'Fixed',
    meaning: 'Failed in the baseline, passes now.',
    none: 'No case was fixed.',
  },
  stillFailing: {
    label: 'Still failing',
    meaning: 'Fails in both evaluations.',
    none: 'No case fails in both evaluations.',
  },
  tied: {
    label: 'Tied',
    meaning: 'Passed and failed equally often in one evaluation.',
    none: 'No case is tied.',
  },
  notScored: {
    label: 'Not scored',
    meaning: 'Not scored in one evaluation, so not compared.',
    none: 'Every case was scored in both evaluations.',
  },
  changed: {
    label: 'Changed',
    meaning: 'The query or the expected calls changed, so not compared.',
    none: 'No case changed.',
  },
  added: {
    label: 'New',
    meaning: 'Not in the baseline, so not compared.',
    none: 'No case is new.',
  },
  removed: {
    label: 'Removed',
    meaning: 'Only in the baseline, so not compared.',
    none: 'No case was removed.',
  },
};

interface CaseListsProps {
  one: CandidateComparison;
  address: CompareAddress;
  onChange: (change: Partial<CompareAddress>) => void;
}

/** The chosen list, or the first one that isn't empty. */
function shownList(one: CandidateComparison, chosen: CaseList | null): CaseList {
  return chosen ?? caseLists.find((list) => one[list].length > 0) ?? 'regressed';
}

export function CaseLists({ one, address, onChange }: CaseListsProps) {
  const list = shownList(one, address.list);
  const wanted = address.search.trim().toLowerCase();
  const rows = one[list].filter(({ name, query, caseKey, before, after }) =>
    `${name} ${query} ${caseKey} ${before.join(' ')} ${after.join(' ')}`
      .toLowerCase()
      .includes(wanted),
  );
  const columns = useMemo(() => columnsOf(), []);
  const always: readonly CaseList[] = ['regressed', 'fixed', 'stillFailing'];
  return (
    <Tabs
      value={list}
      onChange={(next) => {
        onChange({ list: caseLists.find((each) => each === next) ?? null, open: null });
      }}
      keepMounted={false}
    >
      <Tabs.List aria-label="Cases by change">
        {caseLists
          .filter((each) => always.includes(each) || one[each].length > 0 || each === list)
          .map((each) => (
            <Tabs.Tab key={each} value={each} title={words[each].meaning}>
              {words[each].label} {formatCount(one[each].length)}
            </Tabs.Tab>
          ))}
      </Tabs.List>
      <Tabs.Panel value={list} className={classes.panelBody}>
        <DataTable
          label={`Cases: ${words[list].label}`}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.caseKey}
          rowHeight={52}
          selected={address.open}
          returnTo={address.open}
          onOpen={(row) => {
            onChange({ open: row.caseKey });
          }}
          maxHeight="max(320px, calc(100vh - 470px))"
          toolbar={
            <>
              <SearchField
                label="Search cases"
                value={address.search}
                onChange={(search) => {
                  onChange({ search });
                }}
              />
              <span className={classes.total}>
                {words[list].meaning} {counted(rows.length, 'case')}.
              </span>
            </>
          }
          empty={
            <EmptyState
              message={
                wanted === '' ? words[list].none : 'No case in this list matches the search.'
              }
            />
          }
        />
      </Tabs.Panel>
    </Tabs>
  );
}

const selected = (labels: readonly string[]): string =>
  labels.length === 0
    ? '–'
    : labels.join(', ').replaceAll('(no tool)', 'no tool').replaceAll('(phantom)', 'made-up tool');

function columnsOf(): Column<ComparedCase>[] {
  return [
    {
      id: 'case',
      header: 'Case',
      width: 'minmax(240px, 1.6fr)',
      sortValue: (row) => row.name,
      cell: (row) => (
        <span className={classes.caseCell}>
          <Cut text={row.query} />
          <small>
            <Cut text={`${row.caseKey} · ${row.name}`} />
          </small>
        </span>
      ),
    },
    {
      id: 'before',
      header: 'Called before',
      width: 'minmax(140px, 1fr)',
      sortValue: (row) => selected(row.before),
      cell: (row) => <Cut text={selected(row.before)} mono />,
    },
    {
      id: 'after',
      header: 'Called now',
      width: 'minmax(140px, 1fr)',
      sortValue: (row) => selected(row.after),
      cell: (row) => <Cut text={selected(row.after)} mono />,
    },
  ];
}
