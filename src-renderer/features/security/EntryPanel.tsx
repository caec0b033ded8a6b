import { Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Action, choosing, submitting, typed } from '../../ui/fields/controls.tsx';
import { allowedLicenses } from '../../../src-shared/domain/licenses.ts';
import {
  attackCategories,
  entryCategories,
  entryLabels,
  type CorpusEntry,
} from '../../../src-shared/domain/security.ts';
import { useApi } from '../../api/index.ts';
import { ErrorNotice, showDone, showFailure, showUndo } from '../../ui/notices/notices.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { SidePanel } from '../../ui/panels/panels.tsx';
import { EntryDetails } from './EntryDetails.tsx';
import { emptyEntryForm, entryOfForm, formOfEntry, type EntryForm } from './entryForm.ts';
import { entryCategoryText, entryLabelText } from '../../../src-shared/display/detectorTexts.ts';
import type { ShownEntry } from './shownEntry.ts';

interface EntryPanelProps {
  corpus: { id: string; builtIn: boolean };
  /** Null creates a new entry. */
  entry: ShownEntry | null;
  onClose: () => void;
  onSaved: (entry: CorpusEntry) => void;
}

export function EntryPanel({ corpus, entry, onClose, onSaved }: EntryPanelProps) {
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
            {...typed(form.id, (id) => set({ id }))}
            error={error('id')}
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
            error={error('label')}
            {...choosing(form.label, (label) => set({ label }))}
          />
          <Select
            label="Category"
            data={categoryOptions(entryCategories)}
            error={error('category')}
            {...choosing(form.category, (category) => set({ category }))}
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
            {...typed(form.source, (source) => set({ source }))}
            error={error('source')}
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
            {...typed(form.rest, (rest) => set({ rest }))}
            error={error('rest')}
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
