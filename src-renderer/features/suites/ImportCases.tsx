import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Action } from '../../ui/fields/Action.tsx';
import {
  type CaseFormat,
  caseFormats,
  type ColumnMap,
  maxSuiteFileBytes,
} from '../../../src-shared/contract/suites.ts';
import { useApi } from '../../api/index.ts';
import { ErrorNotice } from '../../ui/notices/ErrorNotice.tsx';
import { FileDrop } from '../../ui/files/FileDrop.tsx';
import { PasteField } from '../../ui/fields/PasteField.tsx';
import { PlainText } from '../../ui/text/PlainText.tsx';
import { showDone } from '../../ui/notices/UndoNotice.tsx';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import { decodeText } from '../../../src-shared/display/decodeText.ts';
import { EncodingChoice, type UndecodedFile } from './EncodingChoice.tsx';
import { ColumnMapper } from './ColumnMapper.tsx';
import { formatLabel, guessFormat } from '../../../src-shared/display/guessFormat.ts';
import { ImportReport } from './ImportReport.tsx';

interface Chosen {
  fileName: string;
  text: string;
  format: CaseFormat;
  map: ColumnMap;
  server: string;
  serverNames: Record<string, string>;
  into: string | null;
}

/** The choice in the form that the contract takes. */
function inputOf({ fileName, text, format, map, server, serverNames, into }: Chosen) {
  return {
    fileName,
    text,
    format,
    ...(Object.keys(map).length > 0 ? { map } : {}),
    ...(server.trim() === '' ? {} : { server: server.trim() }),
    ...(Object.keys(serverNames).length > 0 ? { serverNames } : {}),
    ...(into === null ? {} : { into }),
  };
}

/**
 * Choose a file, preview the import, then confirm. Nothing is written before that.
 *
 * @param into the suite to add the cases to, unless another one is chosen; null for a new one
 */
export function ImportCases({ into: first }: { into: string | null }) {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const [pasted, setPasted] = useState('');
  const [server, setServer] = useState('');
  const [into, setInto] = useState<string | null>(first);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [unread, setUnread] = useState<string | null>(null);
  const [undecoded, setUndecoded] = useState<UndecodedFile | null>(null);
  const suites = useQuery(queries.suites.list.queryOptions());
  const servers = useQuery(queries.servers.list.queryOptions());
  const preview = useMutation({
    mutationFn: (given: Chosen) => client.suites.previewImport(inputOf(given)),
  });
  const write = useMutation({
    mutationFn: ({ given, replace }: { given: Chosen; replace: boolean }) =>
      client.suites.import({ ...inputOf(given), replace }),
    onSuccess: async (suite, { given }) => {
      await reread(queries.suites);
      showDone(
        given.into === null
          ? `Imported suite “${suite.name}” with ${suiteSize(suite)}.`
          : `Added cases to suite “${suite.name}”. It has ${suiteSize(suite)} now.`,
      );
      await navigate(`/suites/${suite.id}`);
    },
  });

  const look = (next: Chosen): void => {
    write.reset();
    setChosen(next);
    preview.mutate(next);
  };
  const lookAt = (fileName: string, text: string): void => {
    setUnread(null);
    look({
      fileName,
      text,
      format: guessFormat(fileName, text),
      map: {},
      serverNames: {},
      server,
      into,
    });
  };
  const take = async (file: File): Promise<void> => {
    preview.reset();
    const limit = maxSuiteFileBytes / 1024 / 1024;
    setUndecoded(null);
    setChosen(null);
    const read = file.size > maxSuiteFileBytes ? null : await file.arrayBuffer().catch(() => null);
    const bytes = new Uint8Array(read ?? []);
    const { text, problem } = decodeText(bytes);
    if (read !== null && problem?.suggestion === null)
      setUnread(`“${file.name}” can’t be imported. ${problem.cause} ${problem.remedy}`);
    else if (read !== null && problem !== null) {
      setUnread(null);
      setUndecoded({ fileName: file.name, bytes, problem });
    } else if (read !== null) lookAt(file.name, text ?? '');
    else
      setUnread(
        file.size > maxSuiteFileBytes
          ? `“${file.name}” is larger than ${limit} MB. Split it into several files.`
          : `“${file.name}” can’t be read. It may be a folder, or it was removed.`,
      );
  };
  const again = (part: Partial<Chosen>): void => {
    if (chosen !== null) look({ ...chosen, ...part });
  };

  return (
    <Stack gap="lg" maw={860}>
      <FileDrop
        what="a file of cases"
        label="File of cases"
        accept=".yaml,.yml,.json,.jsonl,.ndjson,.csv,.tsv,application/json,application/yaml,text/csv"
        onFile={(file) => void take(file)}
      />
      <PasteField label="Or paste its text" minRows={4} value={pasted} onChange={setPasted} />
      <Group align="flex-end">
        <Select
          w={260}
          label="Import into"
          data={[
            { value: '', label: 'A new suite' },
            ...(suites.data ?? []).map(({ id, name }) => ({ value: id, label: `Add to ${name}` })),
          ]}
          value={into ?? ''}
          onChange={(value) => {
            const next = value === null || value === '' ? null : value;
            setInto(next);
            again({ into: next });
          }}
        />
        <Action
          label="Preview the pasted text"
          disabled={pasted.trim() === ''}
          onClick={() => {
            setUndecoded(null);
            lookAt('pasted', pasted);
          }}
        />
      </Group>
      {undecoded !== null && (
        <EncodingChoice
          file={undecoded}
          previewed={chosen !== null}
          onChange={() => {
            preview.reset();
            setChosen(null);
          }}
          onDecoded={(text) => lookAt(undecoded.fileName, text)}
        />
      )}
      {chosen !== null && (
        <Group align="flex-end">
          <Select
            w={300}
            label="Format"
            description="Detected from the text."
            data={caseFormats.map((format) => ({ value: format, label: formatLabel(format) }))}
            value={chosen.format}
            onChange={(value) =>
              again({
                format: caseFormats.find((format) => format === value) ?? 'touchstone',
                map: {},
              })
            }
          />
          {chosen.format !== 'touchstone' && (
            <TextInput
              w={260}
              label="Server of the tools"
              description="For tools without a server in the file."
              list="known-servers"
              value={server}
              onChange={(event) => setServer(event.currentTarget.value)}
              onBlur={() => {
                if (server !== chosen.server) again({ server });
              }}
            />
          )}
          <datalist id="known-servers">
            {servers.data?.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </Group>
      )}
      <div aria-live="polite">
        {unread !== null && (
          <Text c="var(--ts-danger-ink)" className="ts-foreign">
            <PlainText text={unread} />
          </Text>
        )}
        {preview.isPending && (
          <Text c="dimmed">
            Reading <PlainText text={preview.variables.fileName} /> …
          </Text>
        )}
        {preview.isError && (
          <ErrorNotice error={preview.error} onRetry={() => preview.mutate(preview.variables)} />
        )}
        {preview.isSuccess && (
          <ImportReport
            fileName={preview.variables.fileName}
            preview={preview.data}
            writing={write.isPending}
            into={preview.variables.into !== null}
            knownServers={(servers.data ?? []).map(({ name }) => name)}
            onRename={(names) =>
              again({ serverNames: { ...preview.variables.serverNames, ...names } })
            }
            onConfirm={() =>
              write.mutate({ given: preview.variables, replace: preview.data.replaces !== null })
            }
            onCancel={() => {
              preview.reset();
              setChosen(null);
            }}
          >
            {preview.data.columns !== null && (
              <ColumnMapper
                columns={preview.data.columns}
                map={preview.variables.map}
                onMap={(map) => again({ map })}
              />
            )}
          </ImportReport>
        )}
        {write.isError && <ErrorNotice error={write.error} />}
      </div>
    </Stack>
  );
}
