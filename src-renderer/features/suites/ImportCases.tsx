import { Group, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { Action, choosing } from '../../ui/fields/controls.tsx';
import {
  type CaseFormat,
  caseFormats,
  type ColumnMap,
  type ImportPreview,
  maxSuiteFileBytes,
} from '../../../src-shared/contract/suites.ts';
import { useApi, useRead } from '../../api/index.ts';
import { ErrorNotice, Notice, showDone } from '../../ui/notices/notices.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { FileDrop } from '../../ui/files/FileDrop.tsx';
import { PasteField } from '../../ui/fields/PasteField.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import { decodeText } from '../../../src-shared/display/decodeText.ts';
import { EncodingChoice, type UndecodedFile } from './EncodingChoice.tsx';
import { AnswersFile } from './AnswersFile.tsx';
import { ColumnMapper } from './ColumnMapper.tsx';
import { isWorkbook } from '../../../src-shared/display/fileKinds.ts';
import { readText, toBase64 } from '../../ui/files/readText.ts';
import { formatLabel, guessFormat } from '../../../src-shared/display/guessFormat.ts';
import { recognizeFile } from '../../../src-shared/display/knownFiles.ts';
import { ServerOfTools } from './ServerOfTools.tsx';
import { ReviewLog } from './ReviewLog.tsx';
import { ImportProgress } from './ImportProgress.tsx';
import { ImportReport } from './ImportReport.tsx';

interface Chosen {
  fileName: string;
  text: string;
  format: CaseFormat;
  /** Null: none is chosen, so that an earlier one or a guess holds. */
  map: ColumnMap | null;
  server: string;
  serverNames: Record<string, string>;
  into: string | null;
}

interface Workbook {
  fileName: string;
  /** Base64. */
  data: string;
  /** Null: the one that looks most like cases. */
  sheet: string | null;
  sheets: string[];
}

/** The choice in the form that the contract takes. */
function inputOf({ fileName, text, format, map, server, serverNames, into }: Chosen) {
  return {
    fileName,
    text,
    format,
    ...(map === null ? {} : { map }),
    ...(server.trim() === '' ? {} : { server: server.trim() }),
    ...(Object.keys(serverNames).length > 0 ? { serverNames } : {}),
    ...(into === null ? {} : { into }),
  };
}

/** Records whose right answers may be in a file of their own. */
const joinable: ReadonlySet<CaseFormat> = new Set(['jsonl', 'csv', 'bfcl']);

const isLogFile = async (file: File): Promise<boolean> =>
  recognizeFile(await file.slice(0, 256 * 1024).text(), file.name)?.role === 'log';

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
  const [log, setLog] = useState<{ fileName: string; text: string } | null>(null);
  const [undecoded, setUndecoded] = useState<UndecodedFile | null>(null);
  const suites = useRead((ask) => ask.suites.list);
  const servers = useRead((ask) => ask.servers.list);
  /** The last preview, which stays while another one is read. */
  const [seen, setSeen] = useState<{ given: Chosen; preview: ImportPreview } | null>(null);
  const [workbook, setWorkbook] = useState<Workbook | null>(null);
  /** The file of answers that the text was joined with, and the choice before. */
  const [joined, setJoined] = useState<{ name: string; before: Chosen; unused: string[] } | null>(
    null,
  );
  /** Stops what the core reads or writes. */
  const work = useRef<AbortController | null>(null);
  const begin = (): { signal: AbortSignal } => {
    work.current?.abort();
    work.current = new AbortController();
    return { signal: work.current.signal };
  };
  const preview = useMutation({
    mutationFn: (given: Chosen) => client.suites.previewImport(inputOf(given), begin()),
  });
  const sheet = useMutation({
    mutationFn: ({ fileName, data, sheet: name }: Workbook) =>
      client.suites.readWorkbook({ fileName, data, ...(name === null ? {} : { sheet: name }) }),
  });
  const join = useMutation({
    mutationFn: async ({ before, file }: { before: Chosen; file: File }) => {
      const { fileName, text, format } = before;
      const answers = { fileName: file.name, text: await readText(file) };
      return client.suites.joinAnswers({ fileName, text, format, answers });
    },
  });
  const write = useMutation({
    mutationFn: ({ given, replace }: { given: Chosen; replace: boolean }) =>
      client.suites.import({ ...inputOf(given), replace }, begin()),
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
    preview.mutate(next, { onSuccess: (data) => setSeen({ given: next, preview: data }) });
  };
  const forget = (): void => {
    work.current?.abort();
    preview.reset();
    sheet.reset();
    join.reset();
    write.reset();
    setSeen(null);
    setJoined(null);
    setChosen(null);
  };
  const open = (next: Workbook): void =>
    sheet.mutate(next, {
      onSuccess: ({ text, sheet: name, sheets }) => {
        setWorkbook({ ...next, sheet: name, sheets });
        lookAt(next.fileName, text);
      },
    });
  const review = ({ fileName, text }: { fileName: string; text: string }): void => {
    forget();
    setUnread(null);
    setLog({ fileName, text });
  };
  const lookAt = (fileName: string, text: string): void => {
    const found = recognizeFile(text, fileName);
    if (found?.role === 'log') {
      review({ fileName, text });
      return;
    }
    setLog(null);
    setUnread(null);
    setSeen(null);
    setJoined(null);
    join.reset();
    look({
      fileName,
      text,
      format: guessFormat(fileName, text),
      map: null,
      serverNames: {},
      server,
      into,
    });
  };
  const take = async (file: File): Promise<void> => {
    forget();
    setWorkbook(null);
    const limit = maxSuiteFileBytes / 1024 / 1024;
    setUndecoded(null);
    setLog(null);
    if (file.size > maxSuiteFileBytes && (await isLogFile(file))) {
      // Of a longer log, the window takes the beginning.
      const start = await file.slice(0, maxSuiteFileBytes / 2).text();
      setUnread(`“${file.name}” is larger than ${limit} MB. Its first ${limit / 2} MB are read.`);
      setLog({ fileName: file.name, text: start.slice(0, start.lastIndexOf('\n')) });
      return;
    }
    const read = file.size > maxSuiteFileBytes ? null : await file.arrayBuffer().catch(() => null);
    const bytes = new Uint8Array(read ?? []);
    if (isWorkbook(bytes, file.name)) {
      setUnread(null);
      open({ fileName: file.name, data: toBase64(bytes), sheet: null, sheets: [] });
      return;
    }
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
  const addAnswers = (before: Chosen, file: File): void =>
    join.mutate(
      { before, file },
      {
        onSuccess: ({ text, format, unused }) => {
          setJoined({ name: file.name, before, unused });
          look({ ...before, text, format, map: null });
        },
      },
    );
  const again = (part: Partial<Chosen>): void => {
    if (chosen !== null) look({ ...chosen, ...part });
  };

  return (
    <Stack gap="lg" maw={860}>
      <FileDrop
        what="a file of cases"
        label="File of cases"
        accept=".yaml,.yml,.json,.jsonl,.ndjson,.csv,.tsv,.xlsx,.xml,.toml,.md,.py,.ts,.js,.go,.rs,.java,.kt,.cs,.swift,.cpp,.rb,.php,.feature,.snap,.ambr,.ipynb,application/json,application/yaml,text/csv"
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
            setWorkbook(null);
            lookAt('pasted', pasted);
          }}
        />
      </Group>
      {undecoded !== null && (
        <EncodingChoice
          file={undecoded}
          previewed={chosen !== null}
          onChange={forget}
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
            {...choosing(chosen.format, (format) => again({ format, map: null }))}
          />
          {chosen.format !== 'touchstone' && (
            <ServerOfTools
              description="For tools without a server in the file."
              first={server}
              onServer={(name) => {
                setServer(name);
                if (name !== chosen.server) again({ server: name });
              }}
            />
          )}
          {workbook !== null && workbook.sheets.length > 1 && (
            <Select
              w={220}
              label="Sheet"
              description="The one that looks most like cases."
              allowDeselect={false}
              data={workbook.sheets}
              value={workbook.sheet}
              onChange={(name) => open({ ...workbook, sheet: name })}
            />
          )}
        </Group>
      )}
      {chosen !== null && (joined !== null || joinable.has(chosen.format)) && (
        <AnswersFile
          joined={joined}
          isReading={join.isPending}
          onFile={(file) => addAnswers(chosen, file)}
          onRemove={(before) => {
            setJoined(null);
            look(before);
          }}
        />
      )}
      <ErrorNotice error={join.error} />
      {chosen !== null && log === null && recognizeFile(chosen.text)?.mayBeLog === true && (
        <Text size="sm">
          Did a model say this, and nobody check it?{' '}
          <Action label="Review it as a log" small onClick={() => review(chosen)} />
        </Text>
      )}
      {log !== null && (
        <ReviewLog key={log.fileName} {...log} into={into} onCancel={() => setLog(null)} />
      )}
      <div aria-live="polite">
        {unread !== null && (
          <Notice tone="danger">
            <PlainText text={unread} />
          </Notice>
        )}
        {(sheet.isPending || (preview.isPending && seen === null)) && (
          <Text c="dimmed">
            Reading <PlainText text={(sheet.variables ?? preview.variables)?.fileName ?? ''} />{' '}
            <ImportProgress />
            <Action label="Cancel" small onClick={forget} />
          </Text>
        )}
        <ErrorNotice error={sheet.error} />
        {preview.isError && (
          <ErrorNotice error={preview.error} onRetry={() => preview.mutate(preview.variables)} />
        )}
        {seen !== null && (
          <ImportReport
            fileName={seen.given.fileName}
            preview={seen.preview}
            writing={write.isPending || preview.isPending}
            into={seen.given.into !== null}
            knownServers={(servers.data ?? []).map(({ name }) => name)}
            onRename={(names) => again({ serverNames: { ...seen.given.serverNames, ...names } })}
            onConfirm={() => {
              const { replaces } = seen.preview;
              if (replaces?.isSame === true) void navigate(`/suites/${replaces.id}`);
              else write.mutate({ given: seen.given, replace: replaces !== null });
            }}
            onCancel={forget}
          >
            {seen.preview.columns !== null && (
              <ColumnMapper columns={seen.preview.columns} onMap={(map) => again({ map })} />
            )}
          </ImportReport>
        )}
        <ErrorNotice error={write.error} />
      </div>
    </Stack>
  );
}

export function ImportPage() {
  const [params] = useSearchParams();
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Suites', to: '/suites' }, { label: 'Import cases' }]}
        title="Import cases"
        subtitle="Import a suite file, or cases from another tool. You see a preview first, and nothing in the file is run."
      />
      <ImportCases into={params.get('into')} />
    </>
  );
}
