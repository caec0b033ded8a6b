import { Box, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import { useApi, useRead } from '../../../api/index.ts';
import { ErrorNotice, Loaded, Notice, showDone } from '../../../ui/notices/notices.tsx';
import { FileDrop } from '../../../ui/files/FileDrop.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { PasteField } from '../../../ui/fields/PasteField.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { takeSource } from './droppedSource.ts';
import type { ImportOrder } from './importChoice.ts';
import {
  type ImportSource,
  pastedSource,
  type ReadSource,
  readSource,
  sourceName,
} from './readSource.ts';
import { ServersReport } from './ServersReport.tsx';
import { Section } from '../../../ui/panels/panels.tsx';
import classes from './import.module.css';

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
