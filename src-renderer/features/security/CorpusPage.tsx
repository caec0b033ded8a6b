import { Action, choosing, submitting, typed } from '../../ui/fields/controls.tsx';
import { ListFilter } from '../../ui/fields/ListFilter.tsx';
import { entryCategoryText, entryLabelText } from '../../../src-shared/display/detectorTexts.ts';
import { IconCopy, IconDownload, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { describeWarning } from '../../../src-shared/domain/datasetWarning.ts';
import {
  entryCategories,
  type CorpusOverview,
  attackCategories,
  entryLabels,
  type CorpusEntry,
} from '../../../src-shared/domain/security.ts';
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
import { WithPanel, SidePanel } from '../../ui/panels/panels.tsx';
import { showDone, showFailure, showUndo, useAct, ErrorNotice } from '../../ui/notices/notices.tsx';
import type { ShownEntry } from './shownEntry.ts';
import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { allowedLicenses } from '../../../src-shared/domain/licenses.ts';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { EntryDetails } from './EntryList.tsx';
import { emptyEntryForm, entryOfForm, formOfEntry, type EntryForm } from './entryForm.ts';

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

interface EntryPanelProps {
  corpus: { id: string; builtIn: boolean };
  /** Null creates a new entry. */
  entry: ShownEntry | null;
  onClose: () => void;
  onSaved: (entry: CorpusEntry) => void;
}

function EntryPanel({ corpus, entry, onClose, onSaved }: EntryPanelProps) {
  if (entry !== null && corpus.builtIn) return <ReadEntry entry={entry} onClose={onClose} />;
  return <EditEntry corpusId={corpus.id} entry={entry} onClose={onClose} onSaved={onSaved} />;
}

function ReadEntry({ entry, onClose }: { entry: ShownEntry; onClose: () => void }) {
  const { id, label, category, half } = entry;
  return (
    <SidePanel
      title={<PlainText as="span" className="ts-mono" text={id} />}
      subtitle={`${entryLabelText(label)} · ${entryCategoryText(category)} · ${half}`}
      onClose={onClose}
      contentKey={id}
    >
      <EntryDetails entry={entry} />
    </SidePanel>
  );
}

const categoryOptions = (values: readonly string[]) =>
  values.map((value) => ({ value, label: entryCategoryText(value) }));

function EditEntry(props: {
  corpusId: string;
  entry: ShownEntry | null;
  onClose: () => void;
  onSaved: (entry: CorpusEntry) => void;
}) {
  const { corpusId, entry, onClose, onSaved } = props;
  const { client, queries, reread } = useApi();
  const start = entry === null ? emptyEntryForm : formOfEntry(withoutHalf(entry));
  const [form, setForm] = useState<EntryForm>(start);
  const [problem, setProblem] = useState<{ field: keyof EntryForm; problem: string } | null>(null);
  const edited = JSON.stringify(form) !== JSON.stringify(start);
  const refresh = (): Promise<void> => reread(queries.security);
  const save = useMutation({
    mutationFn: (value: CorpusEntry) =>
      client.security.saveEntry({ corpusId, entry: value, isNew: entry === null }),
    onSuccess: async (saved) => {
      await refresh();
      showDone(`Saved entry ${saved.id}.`);
      onSaved(saved);
    },
  });
  const submit = (): void => {
    const result = entryOfForm(form);
    setProblem('entry' in result ? null : result);
    if ('entry' in result) save.mutate(result.entry);
  };
  const remove = async (id: string): Promise<void> => {
    try {
      const removed = await client.security.deleteEntry({ corpusId, id });
      onClose();
      await refresh();
      showUndo(`Deleted entry ${id}.`, async () => {
        await client.security.saveEntry({ corpusId, entry: removed, isNew: true });
        await refresh();
      });
    } catch (error) {
      showFailure(error);
    }
  };
  const set = (part: Partial<EntryForm>): void => setForm({ ...form, ...part });
  const error = (field: keyof EntryForm): string | undefined =>
    problem?.field === field ? problem.problem : undefined;
  return (
    <SidePanel
      title={`${edited ? '● ' : ''}${entry === null ? 'New entry' : entry.id}`}
      onClose={onClose}
      contentKey={entry?.id ?? 'new'}
      footer={
        <>
          <Action
            label="Save entry"
            filled
            type="submit"
            form="entry-form"
            loading={save.isPending}
            disabled={!edited}
          />
          <Action label={edited ? 'Discard changes' : 'Close'} onClick={onClose} />
          {entry !== null && (
            <Action
              label="Delete entry"
              ml="auto"
              variant="subtle"
              color="vermilion"
              onClick={() => void remove(entry.id)}
            />
          )}
        </>
      }
    >
      <form id="entry-form" noValidate {...submitting(submit)}>
        <Stack gap="md">
          <ErrorNotice error={save.error} />
          <TextInput
            label="ID"
            required
            disabled={entry !== null}
            {...typed(form.id, (id) => set({ id }), error('id'))}
          />
          <Textarea
            label="Description"
            description="The text as the tool would publish it."
            minRows={3}
            maxRows={16}
            {...typed(form.description, (description) => set({ description }))}
          />
          <Select
            label="Label"
            data={entryLabels.map((value) => ({ value, label: entryLabelText(value) }))}
            {...choosing(form.label, (label) => set({ label }), error('label'))}
          />
          <Select
            label="Category"
            data={categoryOptions(entryCategories)}
            {...choosing(form.category, (category) => set({ category }), error('category'))}
          />
          {form.category === 'hard_negative' && (
            <Select
              label="Resembles"
              clearable
              data={categoryOptions(attackCategories)}
              value={form.resembles === '' ? null : form.resembles}
              onChange={(value) => set({ resembles: value ?? '' })}
            />
          )}
          <TextInput
            label="Source"
            required
            {...typed(form.source, (source) => set({ source }), error('source'))}
          />
          <Select
            label="License"
            description="Only texts that you may redistribute are accepted."
            required
            data={[...allowedLicenses]}
            value={form.license}
            error={error('license')}
            onChange={(value) => set({ license: value ?? '' })}
          />
          <Textarea
            label="Context"
            description="JSON: server, tool, schema, peers, previous, instructions, technique."
            classNames={{ input: 'ts-mono' }}
            minRows={3}
            maxRows={20}
            {...typed(form.rest, (rest) => set({ rest }), error('rest'))}
          />
          {entry !== null && <p className="ts-quiet">Half: {entry.half}</p>}
        </Stack>
      </form>
    </SidePanel>
  );
}

function withoutHalf({ half: _half, ...entry }: ShownEntry): CorpusEntry {
  return entry;
}
