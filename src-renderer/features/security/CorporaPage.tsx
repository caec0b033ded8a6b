import { IconFileUpload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { Action } from '../../ui/fields/controls.tsx';
import type { CorpusOverview } from '../../../src-shared/domain/security.ts';
import { useApi, useRead } from '../../api/index.ts';
import { ChooseFile } from '../../ui/files/ChooseFile.tsx';
import { readText } from '../../ui/files/readText.ts';
import {
  column,
  type Column,
  DataTable,
  numberColumn,
  textColumn,
} from '../../ui/table/DataTable.tsx';
import { errorOfField } from '../../ui/notices/describeError.ts';
import { ErrorNotice, Loaded, showDone } from '../../ui/notices/notices.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { SecurityHeader } from './SecurityHeader.tsx';

const columns: Column<CorpusOverview>[] = [
  textColumn('name', 'Corpus', 'minmax(180px, 2fr)', ({ name }) => name),
  textColumn('version', 'Version', 76, ({ version }) => version, { sorts: false }),
  numberColumn('entries', 'Entries', 90, ({ entries }) => entries),
  numberColumn('malicious', 'Attacks', 110, ({ malicious }) => malicious),
  numberColumn('hard', 'Resemble attacks', 150, ({ hardNegatives }) => hardNegatives, {
    hint: 'Honest texts that resemble attacks: a detector must not flag them.',
  }),
  column('kind', 'Kind', 124, {}, ({ builtIn, private: isPrivate }) => (
    <p className="ts-quiet">{builtIn ? 'built in' : isPrivate ? 'private' : 'your own'}</p>
  )),
];

export function CorporaPage() {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const corpora = useRead((ask) => ask.security.corpora);
  const importFile = useMutation({
    mutationFn: async ({ file, asPrivate }: { file: File; asPrivate: boolean }) =>
      client.security.importCorpus({
        name: file.name.replace(/\.json$/i, '').slice(0, 100) || 'corpus',
        content: await readText(file),
        private: asPrivate,
      }),
    onSuccess: async ({ id, name, entries }) => {
      await reread(queries.security);
      showDone(`Imported corpus “${name}” with ${counted(entries, 'entry', 'entries')}.`);
      await navigate(`/labs/detectors/corpora/${encodeURIComponent(id)}`);
    },
  });
  return (
    <>
      <SecurityHeader
        part="corpora"
        actions={
          <ChooseFile
            accept=".json"
            onFiles={([file]) => importFile.mutate({ file, asPrivate: false })}
          >
            {(props) => (
              <Action
                label="Import corpus"
                filled
                {...props}
                icon={IconFileUpload}
                loading={importFile.isPending}
              />
            )}
          </ChooseFile>
        }
      />
      {importFile.isError && (
        <div style={{ marginBottom: 16 }}>
          <ErrorNotice title="Couldn't import the corpus." error={importFile.error} />
          {errorOfField(importFile.error, 'license') !== undefined && (
            <Action
              label="Import as private corpus"
              mt="xs"
              onClick={() =>
                importFile.mutate({ file: importFile.variables.file, asPrivate: true })
              }
            />
          )}
        </div>
      )}
      <Loaded query={corpora} blocks={[160]}>
        {(list) => (
          <DataTable
            label="Corpora"
            columns={columns}
            rows={list}
            rowKey={({ id }) => id}
            onOpen={({ id }) => void navigate(`/labs/detectors/corpora/${encodeURIComponent(id)}`)}
            rowHeight={40}
          />
        )}
      </Loaded>
    </>
  );
}
