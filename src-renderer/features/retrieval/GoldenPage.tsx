import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { Action } from '../../ui/fields/controls.tsx';
import { isHardNegative, type GoldenQuery } from '../../../src-shared/domain/retrieval.ts';
import { describeWarning, type DatasetWarning } from '../../../src-shared/domain/datasetWarning.ts';
import { useApi, useRead } from '../../api/index.ts';
import { Cut } from '../../ui/text/Foreign.tsx';
import {
  codeColumn,
  column,
  type Column,
  textColumn,
  SearchTable,
} from '../../ui/table/DataTable.tsx';
import { ErrorNotice, Loaded } from '../../ui/notices/notices.tsx';
import { WarningList } from '../../ui/notices/WarningList.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { WithPanel } from '../../ui/panels/panels.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { GoldenQueryPanel } from './GoldenQueryPanel.tsx';
import { nextQueryId, isUnlabeled, withoutQuery, withQuery } from './goldenForm.ts';
import { useDatasetActions } from './useDatasetActions.ts';

const columns: Column<GoldenQuery>[] = [
  codeColumn('id', 'ID', 150, (row) => row.id),
  textColumn('query', 'Query', 'minmax(240px, 3fr)', (row) => row.query),
  column('primary', 'Relevant tools', 'minmax(180px, 2fr)', {}, (row) => (
    <Cut
      text={row.labels
        .filter(({ relevance }) => relevance > 0)
        .map(({ tool_id }) => tool_id)
        .join(', ')}
      mono
    />
  )),
  {
    id: 'state',
    header: 'Label',
    hint: 'Hard negative: the query also fits a wrong tool.',
    width: 140,
    cell: (row) =>
      isUnlabeled(row) ? (
        <StatusBadge tone="bad" label="no label" />
      ) : isHardNegative(row) ? (
        <StatusBadge tone="idle" label="hard negative" />
      ) : (
        ''
      ),
    sortValue: (row) => (isUnlabeled(row) ? 0 : isHardNegative(row) ? 1 : 2),
  },
];

/** The queries of a golden set, edited and saved as its next version. */
export function GoldenPage() {
  const { version = '' } = useParams();
  const golden = useRead((ask) => ask.retrieval.golden, { input: { version } });
  return (
    <Loaded query={golden} blocks={[32, 480]}>
      {(loaded) => (
        <GoldenEditor
          key={loaded.version}
          version={loaded.version}
          corpusVersion={loaded.corpusVersion}
          saved={loaded.queries}
          warnings={loaded.warnings}
        />
      )}
    </Loaded>
  );
}

function GoldenEditor(props: {
  version: string;
  corpusVersion: string;
  saved: GoldenQuery[];
  warnings: DatasetWarning[];
}) {
  const { version, corpusVersion, saved, warnings } = props;
  const { client, queries: api } = useApi();
  const navigate = useNavigate();
  const { refresh } = useDatasetActions();
  const corpus = useQuery(api.retrieval.corpus.queryOptions({ input: { version: corpusVersion } }));
  const [queries, setQueries] = useState(saved);
  const [open, setOpen] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [error, setError] = useState<unknown>(null);
  const changed = queries !== saved;
  const wanted = search.trim().toLowerCase();
  const shown = queries.filter((query) =>
    `${query.id} ${query.query} ${query.labels.map(({ tool_id }) => tool_id).join(' ')}`
      .toLowerCase()
      .includes(wanted),
  );
  const opened = queries.find(({ id }) => id === open);
  const add = (): void => {
    const id = nextQueryId(queries);
    setQueries([...queries, { id, query: '', labels: [] }]);
    setOpen(id);
  };
  const save = async (): Promise<void> => {
    try {
      const made = await client.retrieval.saveGolden({ basedOn: version, corpusVersion, queries });
      await refresh();
      setError(null);
      void navigate(`/labs/retrieval/golden/${encodeURIComponent(made.version)}`);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <>
      <PageHeader
        crumbs={[
          { label: 'Labs', to: '/labs/retrieval' },
          { label: 'Retrieval', to: '/labs/retrieval' },
          { label: version },
        ]}
        title={version}
        subtitle={
          `Queries for the tools of ${corpusVersion}. This version never changes. Your edits are ` +
          'saved as the next version.'
        }
        actions={
          <>
            <Action
              label="Measure on it"
              to={`/labs/retrieval?golden=${encodeURIComponent(version)}`}
            />
            <Action label="New query" icon={IconPlus} onClick={add} />
            <Action
              label="Save as next version"
              filled
              why={changed ? null : 'Change a query or add one first.'}
              onClick={() => void save()}
            />
          </>
        }
      />
      <ErrorNotice error={error} />
      <WarningList texts={warnings.map(describeWarning)} />
      <WithPanel
        panel={
          opened ? (
            <GoldenQueryPanel
              key={opened.id}
              query={opened}
              taken={queries.filter((query) => query !== opened).map(({ id }) => id)}
              tools={corpus.data?.tools ?? []}
              onChange={(next) => {
                setQueries(withQuery(queries, opened.id, next));
                setOpen(next.id);
              }}
              onRemove={() => {
                setQueries(withoutQuery(queries, opened.id));
                setOpen(null);
              }}
              onClose={() => setOpen(null)}
            />
          ) : null
        }
      >
        <SearchTable
          noun={['query', 'queries']}
          columns={columns}
          rows={shown}
          rowKey={(row) => row.id}
          selected={open}
          onOpen={(row) => setOpen(row.id)}
          search={search}
          onSearch={setSearch}
          count={`${counted(shown.length, 'query', 'queries')}${changed ? ' · not saved' : ''}`}
          onShowAll={() => setSearch('')}
        />
      </WithPanel>
    </>
  );
}
