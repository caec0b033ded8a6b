import { ListFilter, Action } from '../../ui/fields/controls.tsx';
import { entryCategoryText, entryLabelText } from '../../../src-shared/display/detectorTexts.ts';
import { IconCopy, IconDownload, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { describeWarning } from '../../../src-shared/domain/datasetWarning.ts';
import { entryCategories, type CorpusOverview } from '../../../src-shared/domain/security.ts';
import { useApi, useRead } from '../../api/index.ts';
import {
  codeColumn,
  column,
  type Column,
  textColumn,
  SearchTable,
} from '../../ui/table/DataTable.tsx';
import { WarningList } from '../../ui/notices/WarningList.tsx';
import { type Crumb, LoadedPage, PageHeader } from '../../ui/frame/PageHeader.tsx';
import { saveTextFile } from '../../ui/files/saveTextFile.ts';
import { WithPanel } from '../../ui/panels/panels.tsx';
import { showDone, showFailure, showUndo, useAct } from '../../ui/notices/notices.tsx';
import { EntryPanel } from './EntryPanel.tsx';
import type { ShownEntry } from './shownEntry.ts';

interface Corpus extends CorpusOverview {
  content: ShownEntry[];
}

const columns: Column<ShownEntry>[] = [
  codeColumn('id', 'Entry', 130, ({ id }) => id),
  column('label', 'Label', 100, { spare: 1, sortValue: ({ label }) => label }, ({ label }) =>
    entryLabelText(label),
  ),
  column('category', 'Category', 200, { sortValue: ({ category }) => category }, ({ category }) =>
    entryCategoryText(category),
  ),
  textColumn('description', 'Description', 'minmax(240px, 3fr)', ({ description }) => description, {
    sorts: false,
  }),
  {
    id: 'half',
    spare: 2,
    header: 'Half',
    hint: 'By hash of the ID: rules are written on one half and verified on the other.',
    width: 130,
    sortValue: ({ half }) => half,
    cell: ({ half }) => half,
  },
];

const crumbsOf = (label: string): Crumb[] => [
  { label: 'Labs', to: '/labs/retrieval' },
  { label: 'Detectors', to: '/labs/detectors' },
  { label: 'Corpora', to: '/labs/detectors/corpora' },
  { label },
];

export function CorpusPage() {
  const { id = '' } = useParams();
  const corpus = useRead((ask) => ask.security.corpus, { input: { id } });
  return (
    <LoadedPage crumbs={crumbsOf('Corpus')} query={corpus} blocks={[32, 320]}>
      {(found) => <CorpusView key={id} corpus={found} />}
    </LoadedPage>
  );
}

function CorpusView({ corpus }: { corpus: Corpus }) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useState('');
  const [category, setCategory] = useState<string | null>(null);
  const refresh = (): Promise<void> => reread(queries.security);
  const copy = useAct(
    () =>
      client.security.copyCorpus({
        id: corpus.id,
        name:
          `${corpus.name.slice(0, 80)} (copy ` +
          `${new Date().toISOString().slice(0, 19).replace('T', ' ')})`,
      }),
    {
      onSuccess: async ({ id, name }) => {
        await refresh();
        showDone(`Created “${name}”. You can edit it.`);
        await navigate(`/labs/detectors/corpora/${encodeURIComponent(id)}`);
      },
    },
  );
  const save = async (): Promise<void> => {
    try {
      const file = await client.security.exportCorpus({ id: corpus.id });
      saveTextFile(file.fileName, file.content, 'application/json');
    } catch (error) {
      showFailure(error);
    }
  };
  const remove = async (): Promise<void> => {
    try {
      const removed = await client.security.removeCorpus({ id: corpus.id });
      await navigate('/labs/detectors/corpora');
      await refresh();
      showUndo(`Deleted corpus “${removed.name}”.`, async () => {
        await client.security.importCorpus(removed);
        await refresh();
      });
    } catch (error) {
      showFailure(error);
    }
  };
  const wanted = search.trim().toLowerCase();
  const rows = corpus.content.filter(
    (entry) =>
      (category === null || entry.category === category) &&
      `${entry.id} ${entry.description} ${entry.technique ?? ''} ${entry.server ?? ''}`
        .toLowerCase()
        .includes(wanted),
  );
  const entryId = params.get('entry');
  const open = corpus.content.find(({ id }) => id === entryId) ?? null;
  const close = (): void => setParams({}, { replace: true });
  const panel =
    open !== null || (entryId === '' && !corpus.builtIn) ? (
      <EntryPanel
        key={open?.id ?? ''}
        corpus={corpus}
        entry={open}
        onClose={close}
        onSaved={(saved) => setParams({ entry: saved.id })}
      />
    ) : null;
  return (
    <>
      <PageHeader
        crumbs={crumbsOf(corpus.name)}
        title={corpus.name}
        subtitle={
          corpus.builtIn
            ? 'Ships with Touchstone and never changes, so that numbers stay comparable. ' +
              'To edit it, make a copy.'
            : `Version ${corpus.version}.` +
              (corpus.private ? ' Private: its texts are used here and never exported.' : '')
        }
        actions={
          <>
            {!corpus.private && (
              <Action label="Export" icon={IconDownload} onClick={() => void save()} />
            )}
            <Action label="Copy" filled={corpus.builtIn} icon={IconCopy} run={copy} />
            {!corpus.builtIn && (
              <Action label="Delete corpus" icon={IconTrash} onClick={() => void remove()} />
            )}
            {!corpus.builtIn && (
              <Action
                label="New entry"
                filled
                icon={IconPlus}
                onClick={() => setParams({ entry: '' })}
              />
            )}
          </>
        }
      />
      <WarningList texts={corpus.warnings.map(describeWarning)} />
      <WithPanel panel={panel}>
        <SearchTable
          noun={['entry', 'entries']}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          selected={entryId}
          onOpen={({ id }) => setParams({ entry: id })}
          returnTo={entryId}
          search={search}
          onSearch={setSearch}
          onShowAll={() => {
            setSearch('');
            setCategory(null);
          }}
          filters={
            <ListFilter
              label="Category"
              placeholder="All categories"
              w={180}
              data={entryCategories.map((value) => ({ value, label: entryCategoryText(value) }))}
              value={category}
              onChange={setCategory}
            />
          }
        />
      </WithPanel>
    </>
  );
}
