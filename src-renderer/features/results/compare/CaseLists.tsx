import { useMemo } from 'react';
import type {
  CandidateComparison,
  ComparedCase,
} from '../../../../src-shared/domain/comparison.ts';
import type { EvaluationUnit } from '../../../../src-shared/domain/gate.ts';
import { Cut } from '../../../ui/text/Foreign.tsx';
import { type Column, SearchTable } from '../../../ui/table/DataTable.tsx';
import { PageTabs } from '../../../ui/frame/PageTabs.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import classes from '../evaluations.module.css';
import { type CaseList, caseLists, type CompareAddress } from './compareAddress.ts';

type Words = Record<CaseList, { label: string; meaning: string; none: string }>;

function wordsOf(unit: EvaluationUnit): Words {
  const isTask = unit === 'task';
  const [passed, fails, passes] = isTask
    ? ['Succeeded', 'fails', 'succeeds']
    : ['Passed', 'fails', 'passes'];
  return {
    regressed: {
      label: 'Broken',
      meaning: `${passed} before, ${fails} now.`,
      none: `No ${unit} broke.`,
    },
    fixed: {
      label: 'Fixed',
      meaning: `Failed before, ${passes} now.`,
      none: `No ${unit} was fixed.`,
    },
    stillFailing: {
      label: 'Still failing',
      meaning: 'Fails in both evaluations.',
      none: `No ${unit} fails in both evaluations.`,
    },
    tied: {
      label: 'Tied',
      meaning: `${passed} and failed equally often in one evaluation.`,
      none: `No ${unit} is tied.`,
    },
    notScored: {
      label: 'Not scored',
      meaning: 'Not scored in one evaluation, so not compared.',
      none: `Every ${unit} was scored in both evaluations.`,
    },
    changed: {
      label: 'Changed',
      meaning: isTask
        ? 'The turns, the checks or the settings changed, so not compared.'
        : 'The query or the expected calls changed, so not compared.',
      none: `No ${unit} changed.`,
    },
    added: {
      label: 'New',
      meaning: 'Not in the baseline, so not compared.',
      none: `No ${unit} is new.`,
    },
    removed: {
      label: 'Removed',
      meaning: 'Only in the baseline, so not compared.',
      none: `No ${unit} was removed.`,
    },
  };
}

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
  const { unit } = one;
  const columns = useMemo(() => columnsOf(unit), [unit]);
  const words = useMemo(() => wordsOf(unit), [unit]);
  const things = unit === 'task' ? 'Tasks' : 'Cases';
  const always: readonly CaseList[] = ['regressed', 'fixed', 'stillFailing'];
  return (
    <PageTabs
      label={`${things} by change`}
      tabs={caseLists
        .filter((each) => always.includes(each) || one[each].length > 0 || each === list)
        .map((each) => ({
          value: each,
          name: words[each].label,
          count: one[each].length,
          hint: words[each].meaning,
          panel: each === list && (
            <SearchTable
              noun={[unit, `${unit}s`]}
              label={`${things}: ${words[list].label}`}
              columns={columns}
              rows={rows}
              rowKey={(row) => row.caseKey}
              rowHeight={52}
              selected={address.open}
              returnTo={address.open}
              onOpen={(row) => onChange({ open: row.caseKey })}
              maxHeight="320px"
              search={address.search}
              onSearch={(search) => onChange({ search })}
              count={`${words[list].meaning} ${counted(rows.length, unit)}.`}
              {...(wanted === '' && { empty: words[list].none })}
              onShowAll={() => onChange({ search: '' })}
            />
          ),
        }))}
      shown={list}
      onShow={(next) => onChange({ list: next, open: null })}
    />
  );
}

const selected = (labels: readonly string[]): string =>
  labels.length === 0
    ? '–'
    : labels
        .join(', ')
        .replaceAll('(no tool)', 'no tool')
        .replaceAll('(phantom)', 'tool not offered');

function columnsOf(unit: EvaluationUnit): Column<ComparedCase>[] {
  const isTask = unit === 'task';
  return [
    {
      id: 'case',
      header: isTask ? 'Task' : 'Case',
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
      header: isTask ? 'Before' : 'Called before',
      width: 'minmax(140px, 1fr)',
      sortValue: (row) => selected(row.before),
      cell: (row) => <Cut text={selected(row.before)} mono={!isTask} />,
    },
    {
      id: 'after',
      header: isTask ? 'Now' : 'Called now',
      width: 'minmax(140px, 1fr)',
      sortValue: (row) => selected(row.after),
      cell: (row) => <Cut text={selected(row.after)} mono={!isTask} />,
    },
  ];
}
