import { Action, submitting, typed } from '../../ui/fields/controls.tsx';
import { ListFilter } from '../../ui/fields/ListFilter.tsx';
import { Menu, Group, Stack, Text, NumberInput, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { IconBroadcast, IconPlus, IconTool } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAddress } from '../../ui/frame/useAddress.ts';
import {
  toolStatuses,
  type ToolRow,
  type WorkshopSettings,
} from '../../../src-shared/domain/workshop.ts';
import {
  byPages,
  type ToolSignal,
  useApi,
  usePages,
  useRead,
  useToolSignals,
  worstSignal,
} from '../../api/index.ts';
import { useSaveFiles } from '../../saving/useSaveFiles.ts';
import { column, type Column, textColumn, SearchTable } from '../../ui/table/DataTable.tsx';
import {
  EmptyState,
  ErrorNotice,
  Loaded,
  showDone,
  useAct,
  Notice,
} from '../../ui/notices/notices.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { WithPanel, SidePanel } from '../../ui/panels/panels.tsx';
import { useShortcut } from '../../ui/keyboard/useShortcut.ts';
import { CategoryPanel } from './CategoryPanel.tsx';
import { categoryTree } from './categoryTree.ts';
import { ImportTools } from './ImportTools.tsx';
import { ServePanel } from './ServePanel.tsx';
import { statusWords } from './workshopWords.ts';
import { Cut, PlainText } from '../../ui/text/Foreign.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { SeverityBadge } from '../../ui/badges/SeverityBadge.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { Tags } from '../../ui/badges/Tags.tsx';
import { executorWords } from './toolDraft.ts';
import { errorOfField } from '../../ui/notices/describeError.ts';

const pageSize = 100;

/** Every tool written here: search, serve and open. */
export function WorkshopPage() {
  const { client, queries } = useApi();
  const navigate = useNavigate();
  const [params, change] = useAddress();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 120);
  const status = toolStatuses.find((each) => each === params.get('state'));
  const category = params.get('category');
  const tag = params.get('tag');
  const [opened, setOpened] = useState<ToolRow | null>(null);
  const deleted = params.get('state') === 'deleted';
  const panel = params.get('panel');
  const set = (name: string, value: string | null): void => change({ [name]: value });
  const categories = useRead((ask) => ask.workshop.categories);
  const drafts = useRead((ask) => ask.workshop.drafts);
  const tags = useRead((ask) => ask.workshop.tags);
  const tools = useInfiniteQuery(
    queries.workshop.list.infiniteOptions({
      input: (offset: number) => ({
        search,
        deleted,
        ...(status === undefined ? {} : { status: [status] }),
        ...(category === null ? {} : { categoryId: category }),
        ...(tag === null ? {} : { tag }),
        offset,
        limit: pageSize,
      }),
      ...byPages,
    }),
  );
  const { rows, total, onEndReached } = usePages(tools);
  // Keyed by version, so that tools saved since are scanned again.
  const signals = useToolSignals(
    rows.length === 0 ? null : { workshopIds: rows.map(({ id }) => id) },
    rows.map(({ version }) => version).join(' '),
  );
  const shownColumns = toolColumns(new Set(drafts.data), signals);
  const saveFiles = useSaveFiles();
  const download = useAct(() => client.workshop.export({ ids: null }), {
    onSuccess: async ({ files }) => {
      if (files.length === 0) showDone('No tools to export.');
      else await saveFiles('tools', files);
    },
  });
  const create = (): void => void navigate('/workshop/new');
  useShortcut('n', create, 'New tool');
  const filtered = search !== '' || params.has('state') || category !== null || tag !== null;
  const isEmpty = tools.data !== undefined && rows.length === 0 && !filtered;
  const newTool = <Action label="New tool" filled icon={IconPlus} onClick={create} />;
  const closePanel = (): void => set('panel', null);
  const panels: Record<string, React.ReactNode> = {
    serve: <ServePanel onClose={closePanel} />,
    categories: <CategoryPanel onClose={closePanel} />,
    settings: <WorkshopSettingsPanel onClose={closePanel} />,
  };
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Workshop' }]}
        title="Workshop"
        subtitle="Write, run, and serve your own MCP tools."
        actions={
          <>
            <ImportTools />
            <Action label="Serve" icon={IconBroadcast} onClick={() => set('panel', 'serve')} />
          </>
        }
        primary={!isEmpty && newTool}
        more={
          <>
            <Menu.Item onClick={() => void navigate('/workshop/executions')}>
              Execution log
            </Menu.Item>
            <Menu.Item onClick={() => set('panel', 'categories')}>Categories</Menu.Item>
            <Menu.Item onClick={() => download.mutate()}>Export all as files</Menu.Item>
            <Menu.Item onClick={() => set('panel', 'settings')}>Workshop settings</Menu.Item>
          </>
        }
      />
      <WithPanel
        panel={
          panel !== null ? (
            (panels[panel] ?? null)
          ) : opened !== null && deleted ? (
            <DeletedTool tool={opened} onClose={() => setOpened(null)} />
          ) : null
        }
      >
        <Loaded query={tools} blocks={[32, 240]}>
          {() =>
            isEmpty ? (
              <EmptyState
                icon={<IconTool size={32} stroke={1.5} />}
                message="No tools yet. Write one, run it here, and serve it to models and clients."
                action={newTool}
              />
            ) : (
              <SearchTable
                noun={['tool', 'tools']}
                columns={shownColumns}
                rows={rows}
                rowKey={(tool) => tool.id}
                selected={deleted ? (opened?.id ?? null) : null}
                onOpen={(tool) => {
                  if (deleted) setOpened(tool);
                  else void navigate(`/workshop/${tool.id}`);
                }}
                total={total}
                onEndReached={onEndReached}
                rowHeight={40}
                search={typed}
                onSearch={setTyped}
                onShowAll={() => {
                  setTyped('');
                  change({ state: null, category: null, tag: null });
                }}
                filters={
                  <>
                    <ListFilter
                      label="State"
                      data={[
                        ...toolStatuses.map((value) => ({
                          value,
                          label: statusWords[value].label,
                        })),
                        { value: 'deleted', label: 'Deleted' },
                      ]}
                      value={params.get('state')}
                      onChange={(next) => set('state', next)}
                    />
                    <ListFilter
                      w={180}
                      label="Category"
                      data={categoryTree(categories.data ?? []).map(
                        ({ category: each, depth }) => ({
                          value: each.id,
                          label: `${'– '.repeat(depth)}${each.name}`,
                        }),
                      )}
                      value={category}
                      onChange={(next) => set('category', next)}
                    />
                    {(tags.data ?? []).length > 0 && (
                      <ListFilter
                        w={140}
                        searchable
                        label="Tag"
                        data={tags.data ?? []}
                        value={tag}
                        onChange={(next) => set('tag', next)}
                      />
                    )}
                  </>
                }
              />
            )
          }
        </Loaded>
      </WithPanel>
    </>
  );
}

/** Actions on a deleted tool: restore it or remove it for good. */
function DeletedTool({ tool, onClose }: { tool: ToolRow; onClose: () => void }) {
  const { client, queries, reread } = useApi();
  const done = async (message: string): Promise<void> => {
    showDone(message);
    onClose();
    await reread(queries.workshop);
  };
  const bringBack = useMutation({
    mutationFn: () => client.workshop.undelete({ id: tool.id }),
    onSuccess: () => done(`The tool “${tool.name}” was restored.`),
  });
  const purge = useMutation({
    mutationFn: () => client.workshop.purge({ id: tool.id }),
    onSuccess: ({ what }) => done(`${what} was permanently deleted.`),
  });
  const failed = bringBack.error ?? purge.error;
  return (
    <SidePanel title={tool.name} subtitle="Deleted" contentKey={tool.id} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">
          <PlainText text={tool.description} />
        </Text>
        <span className="ts-quiet">
          Version {tool.version}
          {tool.deletedAt !== null && (
            <>
              , deleted <Time iso={tool.deletedAt} />
            </>
          )}
        </span>
        <ErrorNotice error={failed} />
        <Group>
          <Action label="Restore" filled run={bringBack} />
        </Group>
        <Text size="sm">
          Permanently deletes the tool with its versions, executions and secrets. You can’t undo
          this.
        </Text>
        <Group>
          <Action label="Delete permanently" color="vermilion" run={purge} />
        </Group>
      </Stack>
    </SidePanel>
  );
}

const toolColumns = (
  drafts: ReadonlySet<string>,
  signals: ReadonlyMap<string, ToolSignal[]>,
): Column<ToolRow>[] => [
  column('name', 'Tool', 'minmax(180px, 1.4fr)', {}, (tool) => (
    <Text size="sm" fw={500} component="span" miw={0}>
      <Cut text={drafts.has(tool.id) ? `${tool.name} ●` : tool.name} mono />
    </Text>
  )),
  textColumn('description', 'Description', 'minmax(200px, 3fr)', (tool) => tool.description, {
    sorts: false,
  }),
  column('status', 'State', 120, {}, (tool) => (
    <StatusBadge tone={statusWords[tool.status].tone} label={statusWords[tool.status].label} />
  )),
  column(
    'signals',
    'Signals',
    110,
    { spare: 1, hint: 'Security signals in its texts and schemas.' },
    (tool) => {
      const worst = worstSignal(signals.get(`workshop:${tool.name}`));
      return worst === null ? <span className="ts-quiet">–</span> : <SeverityBadge {...worst} />;
    },
  ),
  {
    id: 'executor',
    spare: 3,
    header: 'Executor',
    cell: (tool) => executorWords[tool.executorType].label,
    width: 90,
  },
  column('version', 'Version', 80, { spare: 4, align: 'right' }, (tool) => tool.version),
  column('tags', 'Tags', 'minmax(80px, 1fr)', { spare: 5 }, (tool) => <Tags values={tool.tags} />),
  column('updated', 'Changed', 130, { spare: 2 }, (tool) => (
    <Time iso={tool.updatedAt} focusable={false} />
  )),
];

function WorkshopSettingsPanel({ onClose }: { onClose: () => void }) {
  const settings = useRead((ask) => ask.workshop.settings);
  return (
    <SidePanel title="Workshop settings" onClose={onClose}>
      <Loaded query={settings} blocks={[200]}>
        {(saved) => <Fields saved={saved} onSaved={onClose} />}
      </Loaded>
    </SidePanel>
  );
}

function Fields({ saved, onSaved }: { saved: WorkshopSettings; onSaved: () => void }) {
  const { client, queries, reread } = useApi();
  const [form, setForm] = useState(saved);
  const interpreter = useRead((ask) => ask.workshop.interpreter);
  const limits = useRead((ask) => ask.workshop.limits);
  const save = useMutation({
    mutationFn: () => client.workshop.updateSettings(form),
    onSuccess: async () => {
      await reread(queries.workshop);
      showDone('Saved.');
      onSaved();
    },
  });
  const number = (
    name: 'retentionDays' | 'concurrency' | 'memoryMb',
    min: number,
    max: number,
  ) => ({
    ...{ min, max },
    value: form[name],
    error: errorOfField(save.error, name),
    onChange: (value: number | string): void => setForm({ ...form, [name]: Number(value) }),
  });
  return (
    <form {...submitting(() => save.mutate())}>
      <Stack gap="md">
        <TextInput
          label="Python interpreter"
          description="A command or path. If empty, python3 or python."
          placeholder="python3"
          {...typed(form.python, (python) => setForm({ ...form, python }))}
          error={errorOfField(save.error, 'python')}
          styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
        />
        {interpreter.data !== undefined && (
          <Notice tone={interpreter.data.found ? 'good' : 'warning'}>
            {interpreter.data.found
              ? `Python ${interpreter.data.version ?? ''} at ${interpreter.data.command ?? ''} ` +
                'is used.'
              : `${interpreter.data.reason ?? ''} You can write Python tools but not run them.`}
          </Notice>
        )}
        <NumberInput
          label="Keep executions for"
          suffix=" days"
          {...number('retentionDays', 1, 3650)}
        />
        <NumberInput
          label="Executions at a time"
          description="More than that wait."
          {...number('concurrency', 1, 128)}
        />
        <NumberInput
          label="Memory per script process"
          description={
            limits.data?.memory === false ? 'This system can’t enforce a limit.' : '0: no limit.'
          }
          suffix=" MB"
          {...number('memoryMb', 0, 1_048_576)}
        />
        <Action
          label="Save settings"
          filled
          type="submit"
          style={{ alignSelf: 'flex-start' }}
          loading={save.isPending}
        />
      </Stack>
    </form>
  );
}
