import { Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { pairScoreText } from '../../../../src-shared/display/similarityTexts.ts';
import { needsWork as isPoor } from '../../../../src-shared/display/qualityTexts.ts';
import { toolAddress } from '../../../../src-shared/display/toolAddresses.ts';
import { isConfused, isTooSimilar } from '../../../../src-shared/display/toolWork.ts';
import { severityRank } from '../../../../src-shared/domain/severity.ts';
import type { ToolList, ToolRow } from '../../../../src-shared/domain/toolRow.ts';
import type { ToolQuality } from '../../../../src-shared/domain/toolQuality.ts';
import { SeverityBadge } from '../../../ui/badges/SeverityBadge.tsx';
import { FilterChips } from '../../../ui/fields/FilterChips.tsx';
import { SearchField } from '../../../ui/fields/choices.tsx';
import { Action } from '../../../ui/fields/controls.tsx';
import { EmptyState } from '../../../ui/notices/notices.tsx';
import { type Column, DataTable } from '../../../ui/table/DataTable.tsx';
import { Cut, visibleText } from '../../../ui/text/Foreign.tsx';
import {
  type Chip,
  chips,
  chipTests,
  chooseRows,
  isChanged,
  isOpen,
  modelsOf,
  nameBeside,
  ofModel,
} from './toolFilters.ts';
import { lowestScore, useRatingWork } from '../quality/ratingWork.ts';
import { ViewSwitch } from './ViewSwitch.tsx';
import classes from './table.module.css';

interface ToolTableProps {
  list: ToolList;
  /** Names; empty for all. */
  servers: readonly string[];
  only: Chip | null;
  onOnly: (only: Chip | null) => void;
  /** What one server offers: its page has no other views, and doesn't name it in each row. */
  ofServer?: 'skill' | 'tool' | undefined;
}

/** All tools of the chosen servers, what needs work first. */
export function ToolTable({ list, servers, only, onOnly, ofServer }: ToolTableProps) {
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [picked, setPicked] = useState<string | null>(null);
  const ofServers = { ...list, rows: chooseRows(list, { servers, only: null, search: '' }) };
  const { ratings } = useRatingWork();
  const models = modelsOf(ofServers.rows);
  const model = models.find(({ id }) => id === picked) ?? models[0] ?? null;
  const rows = chooseRows(ofServers, { servers: [], only, search });
  const tests = chipTests(ofServers);
  const counts = chips.map((chip) => ({
    ...chip,
    count: ofServers.rows.filter(tests[chip.value]).length,
  }));
  const offered = [
    { value: null, label: 'All', count: ofServers.rows.length },
    ...counts.filter(({ count, value }) => count > 0 || value === only),
  ];
  const noun = ofServer ?? 'tool';
  const isWithout = only === 'candidates' && search === '';
  const several = models.length > 1;
  const columns = columnsFor(ofServers, { model, several, ratings, ofServer });
  return (
    <DataTable
      label={noun === 'skill' ? 'Skills' : 'Tools'}
      columns={columns}
      rows={rows}
      rowKey={({ toolId }) => toolId}
      rowHeight={40}
      maxHeight="max(320px, calc(100vh - 356px))"
      onOpen={({ toolId }) => void navigate(toolAddress(toolId))}
      toolbar={
        <div className={classes.bar}>
          {ofServer === undefined && <ViewSwitch />}
          <FilterChips label="Show only" chips={offered} value={only} onChange={onOnly} />
          {several && model !== null && (
            <Select
              size="xs"
              w={190}
              aria-label="Model"
              data={models.map(({ id, label }) => ({ value: id, label }))}
              value={model.id}
              onChange={setPicked}
            />
          )}
          <SearchField label={`Search ${noun}s`} value={search} onChange={setSearch} />
        </div>
      }
      empty={
        ofServers.rows.length > 0 ? (
          <EmptyState
            message={
              isWithout
                ? 'No tool has a candidate yet. Open a tool that needs work, and choose Edit and prove.'
                : `No ${noun} matches.`
            }
            action={
              <Action
                label={isWithout ? 'Show what needs work' : `Show all ${noun}s`}
                onClick={() => {
                  setSearch('');
                  onOnly(isWithout ? 'needs-work' : null);
                }}
              />
            }
          />
        ) : ofServer !== undefined ? (
          `The server is reachable and offers no ${noun}s.`
        ) : servers.length > 0 ? (
          'The chosen servers have no tools. Choose others above.'
        ) : (
          'Tools appear here once a server has listed them. Choose Connect all above.'
        )
      }
    />
  );
}

interface ColumnOptions extends Pick<ToolTableProps, 'ofServer'> {
  model: { id: string; label: string } | null;
  several: boolean;
  ratings: readonly ToolQuality[];
}

/** Columns that would be empty for every tool are left out. */
function columnsFor(
  { rows, similarFrom }: Pick<ToolList, 'rows' | 'similarFrom'>,
  { model, several, ratings, ofServer }: ColumnOptions,
): Column<ToolRow>[] {
  const rated = new Map(ratings.map((rating) => [rating.toolId, rating]));
  const lowest = ({ toolId }: ToolRow): number | null => {
    const rating = rated.get(toolId);
    return rating === undefined ? null : lowestScore(rating);
  };
  const passed = (row: ToolRow) => ofModel(row, model?.id ?? null);
  const columns: (Column<ToolRow> & { has: (row: ToolRow) => boolean })[] = [
    {
      id: 'tool',
      header: `${ofServer === 'skill' ? 'Skill' : 'Tool'}, what needs work first`,
      width: 'minmax(240px, 1fr)',
      cell: (row) => <ToolCell row={row} withServer={ofServer === undefined} />,
      sortValue: ({ name }) => name,
      has: () => true,
    },
    {
      id: 'passed',
      header: several && model !== null ? `Passed, ${model.label}` : 'Passed',
      hint: 'Scored runs of the last result that expected the tool, and how many passed.',
      width: 170,
      cell: (row) => <PassedCell row={row} passed={passed(row)} />,
      sortValue: (row) => {
        const own = passed(row);
        return own === null ? null : own.passed / own.scored;
      },
      has: ({ result }) => result !== null,
    },
    {
      id: 'quality',
      header: 'Quality',
      hint: '10 minus the points that findings cost; at least 1.',
      width: 84,
      align: 'right',
      cell: ({ quality }) =>
        quality !== null && (
          <b data-poor={isPoor({ score: quality })} className={classes.quality}>
            {quality}
            <small>/10</small>
          </b>
        ),
      sortValue: ({ quality }) => quality,
      has: ({ quality }) => quality !== null,
    },
    {
      id: 'rated',
      spare: 1,
      header: 'Rated',
      hint: 'The lowest of clarity, completeness and conciseness, 1 to 10, as a model rates them.',
      width: 76,
      align: 'right',
      cell: lowest,
      sortValue: lowest,
      has: (row) => lowest(row) !== null,
    },
    {
      id: 'instead',
      spare: 2,
      header: 'Called instead of it',
      hint: 'The tool that was called most often where this one was expected, in its last result, and how often.',
      width: 'minmax(130px, 200px)',
      cell: (row) => {
        const instead = passed(row)?.instead[0];
        return instead && <OtherTool row={row} {...instead} number={`${instead.times}×`} bad />;
      },
      sortValue: (row) => -(passed(row)?.instead[0]?.times ?? 0),
      has: isConfused,
    },
    {
      id: 'similar',
      spare: 4,
      header: 'Most similar',
      hint: `The tool with the most similar description, and their score from 0 to 1. Models may confuse tools from ${pairScoreText(similarFrom)} on.`,
      width: 'minmax(130px, 200px)',
      cell: (row) =>
        row.mostSimilar && (
          <OtherTool
            row={row}
            {...row.mostSimilar}
            number={pairScoreText(row.mostSimilar.similarity)}
            bad={isTooSimilar(row, similarFrom)}
          />
        ),
      sortValue: ({ mostSimilar }) => -(mostSimilar?.similarity ?? 0),
      has: ({ mostSimilar }) => mostSimilar !== null,
    },
    {
      id: 'tokens',
      spare: 3,
      header: 'Tokens',
      width: 84,
      align: 'right',
      cell: ({ tokens }) => (tokens === null ? '' : formatCount(tokens)),
      sortValue: ({ tokens }) => tokens,
      has: ({ tokens }) => tokens !== null,
    },
    {
      id: 'signals',
      spare: 5,
      header: 'Signals',
      hint: 'Open security signals: the worst, and how many.',
      width: 110,
      cell: ({ signals }) =>
        signals?.worst != null && (
          <SeverityBadge
            severity={signals.worst}
            suffix={signals.open > 1 ? ` (${formatCount(signals.open)})` : ''}
          />
        ),
      sortValue: ({ signals }) =>
        signals?.worst == null ? null : -100 * severityRank[signals.worst] - signals.open,
      has: ({ signals }) => signals !== null && signals.open > 0,
    },
  ];
  return columns.filter(({ has }) => rows.some(has));
}

function ToolCell({ row, withServer }: { row: ToolRow; withServer: boolean }) {
  const { name, server, summary, candidate } = row;
  return (
    <span className={classes.two}>
      <span className={classes.tool}>
        <b>
          <Cut text={name} mono />
        </b>
        {withServer && (
          <span className={classes.server}>
            <Cut text={server} />
          </span>
        )}
        {isOpen(candidate) && (
          <Mark tone={candidate?.state === 'accepted' ? 'good' : 'quiet'}>
            {candidate?.state === 'accepted'
              ? 'Proven fix'
              : candidate?.state === 'out_of_date'
                ? 'Candidate out of date'
                : 'Candidate'}
          </Mark>
        )}
        {isChanged(row) && <Mark tone="warning">Changed</Mark>}
      </span>
      <span className={classes.sub}>
        <Cut text={summary === '' ? 'No description' : summary} />
      </span>
    </span>
  );
}

const Mark = ({ tone, children }: { tone: 'good' | 'warning' | 'quiet'; children: ReactNode }) => (
  <span className={classes.mark} data-tone={tone}>
    {children}
  </span>
);

function PassedCell({ row, passed }: { row: ToolRow; passed: ReturnType<typeof ofModel> }) {
  if (passed === null)
    return (
      <span className={classes.sub}>
        {row.cases === 0 ? 'no cases' : row.result === null ? 'not run yet' : 'not this model'}
      </span>
    );
  return (
    <span
      className={classes.rate}
      title={visibleText(`Result #${row.result?.number ?? ''}, ${passed.model}`)}
    >
      <span className={classes.meter} aria-hidden>
        <span style={{ width: `${(100 * passed.passed) / passed.scored}%` }} />
      </span>
      <span>
        <b>{formatCount(passed.passed)}</b> of {formatCount(passed.scored)}
      </span>
    </span>
  );
}

function OtherTool(props: { row: ToolRow; toolId: string; number: string; bad: boolean }) {
  const { row, toolId, number, bad } = props;
  return (
    <span className={classes.two}>
      <Cut text={nameBeside(toolId, row.server)} mono />
      <span className={classes.sub}>
        <b data-poor={bad}>{number}</b>
      </span>
    </span>
  );
}
