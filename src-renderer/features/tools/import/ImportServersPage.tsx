import { Box, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import { useApi, useRead } from '../../../api/index.ts';
import { ErrorNotice, Loaded, Notice, showDone, EmptyState } from '../../../ui/notices/notices.tsx';
import { FileDrop } from '../../../ui/files/FileDrop.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { PasteField } from '../../../ui/fields/PasteField.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { counted, formatCount } from '../../../../src-shared/display/numbers.ts';
import { takeSource } from './droppedSource.ts';
import { type ImportOrder, firstChoice, orderOf } from './importChoice.ts';
import {
  type ImportSource,
  pastedSource,
  type ReadSource,
  readSource,
  sourceName,
} from './readSource.ts';
import { Section } from '../../../ui/panels/panels.tsx';
import classes from './import.module.css';
import {
  type ServerImportPreview,
  serverFileFormats,
} from '../../../../src-shared/domain/serverImport.ts';
import { EntryCard } from './EntryCard.tsx';

/** Drop, choose or paste a file, preview the result, then confirm. Nothing is started. */
export function ImportServersPage() {
  const { client, queries, reread } = useApi();
  const navigate = useNavigate();
  const [pasted, setPasted] = useState('');
  const [unread, setUnread] = useState<string | null>(null);
  const preview = useMutation({
    mutationFn: (source: ImportSource) => client.servers.previewImport(source),
  });
  const write = useMutation({
    mutationFn: ({ source, order }: { source: ImportSource; order: ImportOrder }) =>
      client.servers.import({ ...source, ...order }),
    onSuccess: async ({ imported }) => {
      await reread(queries.servers);
      showDone(`Imported ${counted(imported.length, 'server')}. No server was started.`);
      await navigate('/tools');
    },
  });
  const look = (source: ImportSource): void => {
    setUnread(null);
    preview.mutate(source);
  };
  const show = (read: ReadSource): void => {
    if (read.ok) {
      look(read.source);
      return;
    }
    preview.reset();
    setUnread(read.problem);
  };
  const { search } = useLocation();
  const showDropped = useEffectEvent(() => void takeSource()?.then(show));
  useEffect(() => {
    showDropped();
  }, [search]);

  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools' }, { label: 'Import servers' }]}
        title="Import servers"
        subtitle="Import from another app's configuration, a bundle, or an install link. You review every command first, and nothing is started."
      />
      <Stack gap="lg" maw={860}>
        <FileDrop
          what="a configuration or a bundle (.mcpb)"
          label="Server configuration"
          accept=".json,.jsonc,.toml,.yaml,.yml,.mcpb,.dxt,.zip,application/json"
          onFile={(file) => void readSource(file).then(show)}
        />
        <PasteField
          label="Or paste it"
          description="A configuration, or a link that begins with cursor:, lmstudio:, or vscode:."
          minRows={3}
          value={pasted}
          onChange={setPasted}
        />
        <Group>
          <Action
            label="Preview the pasted text"
            disabled={pasted.trim() === ''}
            onClick={() => look(pastedSource(pasted))}
          />
        </Group>
        {!preview.isSuccess && <KnownFiles onChoose={(path) => look({ path })} />}
        <div aria-live="polite">
          {unread !== null && (
            <Text c="var(--ts-danger-ink)" className="ts-foreign">
              <PlainText text={unread} />
            </Text>
          )}
          {preview.isPending && (
            <Text c="dimmed">
              Reading <PlainText text={sourceName(preview.variables)} /> …
            </Text>
          )}
          {preview.isError && (
            <ErrorNotice error={preview.error} onRetry={() => preview.mutate(preview.variables)} />
          )}
          {preview.isSuccess && preview.data.skills !== null && (
            <Box mb="md">
              <FoundSkills {...preview.data.skills} />
            </Box>
          )}
          {preview.isSuccess && (
            <ServersReport
              key={preview.submittedAt}
              name={sourceName(preview.variables)}
              preview={preview.data}
              writing={write.isPending}
              onConfirm={(order) => write.mutate({ source: preview.variables, order })}
              onCancel={() => preview.reset()}
            />
          )}
          <ErrorNotice error={write.error} />
        </div>
      </Stack>
    </>
  );
}

/** Proposes the folder of skills next to a configuration as a server of its own. */
function FoundSkills({ folder, skills }: { folder: string; skills: number }) {
  const { client, queries, reread } = useApi();
  const add = useMutation({
    mutationFn: () =>
      client.servers.create({
        name: 'skills',
        config: { transport: 'skills', folder },
        listTools: true,
      }),
    onSettled: () => reread(queries.servers),
  });
  if (add.isSuccess)
    return (
      <Notice tone="good">
        Added {counted(skills, 'skill')} as the server <Foreign text={add.data.name} />.
      </Notice>
    );
  return (
    <>
      <Notice>
        <Text>
          <Foreign text={folder} limit={300} /> has {counted(skills, 'skill')}. Add the folder as a
          server to see whether models pick the right skill. Nothing in it is run.
        </Text>
        <Action label="Add skills folder" small mt="xs" run={add} />
      </Notice>
      <ErrorNotice error={add.error} />
    </>
  );
}

/**
 * Configuration files of other programs on this machine. Each is read in place, and only when it is
 * chosen.
 */
function KnownFiles({ onChoose }: { onChoose: (path: string) => void }) {
  const files = useRead((ask) => ask.servers.knownFiles, { staleTime: 0 });
  return (
    <Section title="Found on this computer">
      <Loaded query={files} blocks={[48]}>
        {(list) =>
          list.length === 0 ? (
            <p className="ts-quiet">
              No configuration of a client that Touchstone knows was found.
            </p>
          ) : (
            <ul className={`ts-panel ${classes.known ?? ''}`}>
              {list.map(({ client, path }) => (
                <li key={path}>
                  <span style={{ minWidth: 0 }}>
                    <Text fw={500}>{client}</Text>
                    <PlainText as="p" className="ts-quiet ts-mono ts-foreign" text={path} />
                  </span>
                  <Action
                    label="Preview"
                    small
                    style={{ flex: 'none' }}
                    aria-label={`Preview ${path}`}
                    onClick={() => onChoose(path)}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

interface ServersReportProps {
  name: string;
  preview: ServerImportPreview;
  writing: boolean;
  onConfirm: (order: ImportOrder) => void;
  onCancel: () => void;
}

/**
 * What an import would register, entry by entry. Nothing is written before the button is pressed,
 * and nothing is started after it.
 */
function ServersReport({ name, preview, writing, onConfirm, onCancel }: ServersReportProps) {
  const [choice, setChoice] = useState(() => firstChoice(preview));
  const report = useRef<HTMLElement>(null);
  useEffect(() => {
    report.current?.focus();
  }, [preview]);
  const order = orderOf(preview, choice);
  const count = order.names.length + order.replace.length;
  const states = (['new', 'conflict', 'same', 'skipped'] as const).flatMap((state) => {
    const found = preview.entries.filter((entry) => entry.state === state).length;
    return found === 0
      ? []
      : [
          `${formatCount(found)} ` +
            (state === 'same' ? 'already there' : state === 'conflict' ? 'in conflict' : state),
        ];
  });
  return (
    <section ref={report} tabIndex={-1} aria-label="Preview of the import">
      <Stack gap="md">
        <Group justify="space-between">
          <div>
            <Text fw={600} className="ts-foreign">
              <PlainText text={name} />
            </Text>
            <p className="ts-quiet">
              {preview.format === null
                ? 'Not read'
                : `Read as ${serverFileFormats[preview.format]}: ` +
                  `${states.length === 0 ? 'no servers' : states.join(', ')}.`}
            </p>
          </div>
        </Group>
        {preview.problems.length > 0 ? (
          <Notice tone="danger">
            <Text>Fix this before you import:</Text>
            <ul className={classes.notes}>
              {preview.problems.slice(0, 50).map((problem, index) => (
                <li key={index}>
                  Line {problem.line ?? 1}, column {problem.column ?? 1}:{' '}
                  <Foreign text={problem.message} limit={600} />
                </li>
              ))}
            </ul>
          </Notice>
        ) : preview.entries.length === 0 ? (
          <EmptyState message="The file contains no servers." />
        ) : (
          <>
            <div className={classes.entries}>
              {preview.entries.map((entry) => (
                <EntryCard
                  key={entry.name}
                  entry={entry}
                  act={choice.acts[entry.name] ?? 'leave'}
                  values={choice.values[entry.name] ?? {}}
                  notSecret={choice.notSecret[entry.name] ?? []}
                  onNotSecret={(names) =>
                    setChoice((before) => ({
                      ...before,
                      notSecret: { ...before.notSecret, [entry.name]: names },
                    }))
                  }
                  onAct={(act) =>
                    setChoice((before) => ({
                      ...before,
                      acts: { ...before.acts, [entry.name]: act },
                    }))
                  }
                  onValue={(reference, value) =>
                    setChoice((before) => ({
                      ...before,
                      values: {
                        ...before.values,
                        [entry.name]: { ...before.values[entry.name], [reference]: value },
                      },
                    }))
                  }
                />
              ))}
            </div>
            <p className="ts-quiet">
              Importing doesn’t start a server or change the file. Read every command: one without a
              warning can still do harm.
            </p>
          </>
        )}
        <Group className={classes.acts ?? ''}>
          <Action
            label={count === 0 ? 'Import servers' : `Import ${counted(count, 'server')}`}
            filled
            loading={writing}
            disabled={count === 0}
            onClick={() => onConfirm(order)}
          />
          <Action label="Cancel" onClick={onCancel} />
        </Group>
      </Stack>
    </section>
  );
}
