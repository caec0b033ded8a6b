import { Box, Group, Stack, Text, Menu, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useParams, useSearchParams, useNavigate } from 'react-router';
import { Action } from '../../ui/fields/controls.tsx';
import { MoreActions } from '../../ui/fields/choices.tsx';
import {
  type ManagedTool,
  type ToolDraft,
  statusTransitions,
} from '../../../src-shared/domain/workshop.ts';
import { useApi, useToolSignals, useRead } from '../../api/index.ts';
import {
  EmptyState,
  Loaded,
  Notice,
  showDone,
  useAct,
  showUndo,
} from '../../ui/notices/notices.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { Section } from '../../ui/panels/panels.tsx';
import { SignalList } from '../../ui/badges/SignalList.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { visibleText } from '../../ui/text/Foreign.tsx';
import { EditorTabs } from './EditorTabs.tsx';
import { ExecutionTable } from './ExecutionTable.tsx';
import { OneModelForm } from './ModelForms.tsx';
import { RunTab } from './RunTab.tsx';
import { SaveTool } from './SaveTool.tsx';
import { draftOf } from './toolDraft.ts';
import { type RunState, useRunState } from './useRunState.ts';
import { useToolEditor, type ToolEditor } from './useToolEditor.ts';
import { VersionsTab } from './VersionsTab.tsx';
import classes from './workshop.module.css';
import { statusWords } from './workshopWords.ts';
import { useSaveFiles } from '../../saving/useSaveFiles.ts';

type Kept = { draft: ToolDraft; baseVersion: number | null } | null;

/** One tool: its definition, its runs and its versions. */
export function ToolPage() {
  const { id = '' } = useParams();
  const tool = useRead((ask) => ask.workshop.get, { input: { id } });
  const kept = useRead((ask) => ask.workshop.draft, {
    input: { id },
    staleTime: Infinity,
    gcTime: 0,
  });
  // Counts how often the editor restarts: after a save, a restore or a discard.
  const [round, setRound] = useState(0);
  const run = useRunState(id);
  return (
    <Loaded query={tool} blocks={[32, 320]}>
      {(found) => (
        <Loaded query={kept} blocks={[320]}>
          {(draft) => (
            <ToolEditorView
              key={`${found.id} ${round}`}
              tool={found}
              kept={round === 0 ? draft : null}
              run={run}
              onStartOver={() => setRound(round + 1)}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function ToolEditorView(props: {
  tool: ManagedTool;
  kept: Kept;
  run: RunState;
  onStartOver: () => void;
}) {
  const { tool, kept, run, onStartOver } = props;
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [params, setParams] = useSearchParams();
  const [saved] = useState(() => draftOf(tool.content));
  const editor = useToolEditor(tool.id, saved, kept, tool.version);
  const { name } = tool.content;
  const signals =
    useToolSignals({ workshopIds: [tool.id] }, String(tool.version)).get(`workshop:${name}`) ?? [];
  const refresh = () => cache.invalidateQueries({ queryKey: queries.workshop.key() });
  const startOver = (next: ManagedTool): void => {
    cache.setQueryData(queries.workshop.get.queryKey({ input: { id: tool.id } }), next);
    onStartOver();
  };
  const save = useMutation({
    mutationFn: async (changelog: string) => {
      const { content } = await client.workshop.check({ draft: editor.draft, id: tool.id });
      if (content === null) throw new Error('Fix the marked fields.');
      return client.workshop.save({
        id: tool.id,
        content,
        changelog,
        baseVersion: editor.baseVersion ?? tool.version,
      });
    },
    onSuccess: async (next) => {
      editor.release();
      showDone(`Saved version ${next.version} of ${next.content.name}.`);
      startOver(next);
      await refresh();
    },
    // Someone else may have saved in the meantime; then the page shows what.
    onError: refresh,
  });
  const discard = useAct(() => client.workshop.dropDraft({ id: tool.id }), {
    onMutate: () => editor.release(),
    onSuccess: () => startOver(tool),
  });
  const outdated = editor.baseVersion !== tool.version;
  const blocked = editor.faulty
    ? 'Fix the marked fields.'
    : !editor.dirty
      ? 'No changes to save.'
      : outdated
        ? 'Saved elsewhere in the meantime: see below.'
        : !editor.checked
          ? 'Checking the tool.'
          : null;
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Workshop', to: '/workshop' }, { label: name }]}
        title={
          <Group gap="sm" component="span">
            <span>{name}</span>
            {editor.dirty && (
              <span
                className={classes.dot}
                role="img"
                aria-label="Not saved"
                title="Not saved; kept as a draft"
              />
            )}
          </Group>
        }
        subtitle={
          <Group gap="md" component="span">
            <StatusBadge
              tone={statusWords[tool.status].tone}
              label={statusWords[tool.status].label}
            />
            <span>version {tool.version}</span>
          </Group>
        }
        actions={
          <>
            <CategoryChoice tool={tool} />
            {tool.status === 'ACTIVE' && (
              <Action label="Evaluate" to={`/suites/for-tool/${tool.id}`} />
            )}
            <StatusActions tool={tool} onChanged={refresh}>
              {editor.dirty && <Action label="Discard changes" onClick={() => discard.mutate()} />}
              <SaveTool
                isNew={false}
                blocked={blocked}
                saving={save.isPending}
                error={save.error}
                onSave={save.mutate}
              />
            </StatusActions>
          </>
        }
      />
      {signals.length > 0 && (
        <Box mb="lg">
          <Section title={`Signals in version ${tool.version} (${signals.length})`}>
            <SignalList signals={signals} />
          </Section>
        </Box>
      )}
      {outdated ? (
        <Box mb="md">
          <Outdated
            tool={tool}
            editor={editor}
            onTakeTheirs={() => {
              if (editor.dirty) discard.mutate();
              else startOver(tool);
            }}
            onCompare={() => setParams({ tab: 'versions' }, { replace: true })}
          />
        </Box>
      ) : (
        kept !== null && editor.dirty && <Notice>Your unsaved changes were restored.</Notice>
      )}
      <EditorTabs
        editor={editor}
        tool={tool}
        tab={params.get('tab') ?? 'details'}
        onTab={(tab) => setParams({ tab }, { replace: true })}
        more={[
          {
            value: 'run',
            name: 'Test run',
            panel: <RunTab tool={tool} editor={editor} state={run} />,
          },
          {
            value: 'versions',
            name: 'Versions',
            count: tool.version,
            panel: (
              <VersionsTab
                key={tool.version}
                tool={tool}
                written={editor.dirty ? editor.draft : null}
                onRestored={(restored) => {
                  editor.release();
                  startOver(restored);
                }}
              />
            ),
          },
          { value: 'executions', name: 'Executions', panel: <ExecutionTable toolId={tool.id} /> },
          {
            value: 'models',
            name: 'For models',
            panel:
              tool.status === 'ACTIVE' ? (
                <OneModelForm key={tool.version} name={name} />
              ) : (
                <EmptyState
                  message={`Models see active tools only. Activate ${visibleText(name)} to see what they get.`}
                />
              ),
          },
        ]}
      />
    </>
  );
}

interface OutdatedProps {
  tool: ManagedTool;
  editor: ToolEditor;
  onTakeTheirs: () => void;
  onCompare: () => void;
}

/**
 * Someone else has saved since this editor was opened. Nothing is lost on either side until the
 * user decides.
 */
function Outdated({ tool, editor, onTakeTheirs, onCompare }: OutdatedProps) {
  const { version } = tool;
  return (
    <Notice tone="warning">
      <Stack gap="sm">
        <Text size="sm">
          {editor.dirty
            ? `Version ${version} was saved elsewhere; your changes are based on version ` +
              `${editor.baseVersion ?? 1}.`
            : `Version ${version} was saved elsewhere; version ${editor.baseVersion ?? 1} is ` +
              'shown.'}
        </Text>
        <Group gap="sm">
          {editor.dirty && <Action label="Compare" size="xs" onClick={onCompare} />}
          {editor.dirty && (
            <Action
              label={`Keep mine as a version after ${version}`}
              size="xs"
              onClick={() => editor.rebase(version)}
            />
          )}
          <Action
            label={editor.dirty ? 'Discard mine' : `Show version ${version}`}
            size="xs"
            onClick={onTakeTheirs}
          />
        </Group>
      </Stack>
    </Notice>
  );
}

function CategoryChoice({ tool }: { tool: ManagedTool }) {
  const { client, queries, reread } = useApi();
  const categories = useRead((ask) => ask.workshop.categories);
  const move = useAct(
    (categoryId: string | null) => client.workshop.setCategory({ id: tool.id, categoryId }),
    { onSettled: () => reread(queries.workshop) },
  );
  if ((categories.data ?? []).length === 0) return null;
  return (
    <Select
      w={180}
      aria-label="Category"
      placeholder="No category"
      clearable
      data={(categories.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={tool.categoryId}
      onChange={(next) => move.mutate(next)}
    />
  );
}

function StatusActions(props: {
  tool: ManagedTool;
  onChanged: () => Promise<void>;
  /** Saves the tool: before the menu, which is last in every header. */
  children: ReactNode;
}) {
  const { tool, onChanged, children } = props;
  const { client } = useApi();
  const navigate = useNavigate();
  const { id } = tool;
  const saveFiles = useSaveFiles();
  const status = useAct(
    (next: ManagedTool['status']) => client.workshop.setStatus({ id, status: next }),
    { onSettled: onChanged },
  );
  const remove = useAct(() => client.workshop.remove({ id }), {
    onSuccess: async ({ what }) => {
      await onChanged();
      showUndo(`${what} was deleted.`, async () => {
        await client.workshop.undelete({ id });
        await onChanged();
      });
      await navigate('/workshop');
    },
  });
  const download = useAct(() => client.workshop.export({ ids: [id] }), {
    onSuccess: ({ files }) => saveFiles(tool.content.name, files),
  });
  return (
    <>
      {statusTransitions[tool.status].map((next) => (
        <Action
          key={next}
          label={statusWords[next].act}
          loading={status.isPending && status.variables === next}
          onClick={() => status.mutate(next)}
        />
      ))}
      {children}
      <MoreActions>
        <Menu.Item onClick={() => download.mutate()}>Export as files</Menu.Item>
        <Menu.Item color="vermilion" onClick={() => remove.mutate()}>
          Delete tool
        </Menu.Item>
      </MoreActions>
    </>
  );
}
