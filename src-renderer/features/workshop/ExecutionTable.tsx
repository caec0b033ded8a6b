import { Action, typed } from '../../ui/fields/controls.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { ListFilter } from '../../ui/fields/ListFilter.tsx';
import { formatDuration, counted } from '../../../src-shared/display/numbers.ts';
import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { IconRefresh } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import {
  executionStatuses,
  isFinal,
  type ToolExecution,
} from '../../../src-shared/domain/toolExecution.ts';
import { byPages, useApi, usePages, useRead } from '../../api/index.ts';
import {
  codeColumn,
  column,
  type Column,
  DataTable,
  textColumn,
} from '../../ui/table/DataTable.tsx';
import { EmptyState, Loaded, showDone, useAct } from '../../ui/notices/notices.tsx';
import { SidePanel, WithPanel } from '../../ui/panels/panels.tsx';
import { StatusBadge } from '../../ui/badges/StatusBadge.tsx';
import { Time } from '../../ui/text/Time.tsx';
import { ConfirmRun } from './ConfirmRun.tsx';
import { ExecutionView } from './ExecutionView.tsx';
import { executionWords } from './workshopWords.ts';

const pageSize = 100;

const columns = (withTool: boolean): Column<ToolExecution>[] => [
  column('status', 'Status', 120, {}, (row) => <StatusBadge {...executionWords[row.status]} />),
  ...(withTool
    ? [
        codeColumn('tool', 'Tool', 'minmax(140px, 1fr)', (row: ToolExecution) => row.toolName, {
          sorts: false,
        }),
      ]
    : []),
  column('version', 'Version', 80, { align: 'right' }, (row) => row.version ?? 'Draft'),
  codeColumn(
    'input',
    'Input',
    'minmax(160px, 2fr)',
    (row) => JSON.stringify(row.inputData).slice(0, 300),
    { sorts: false },
  ),
  column('duration', 'Time', 90, { align: 'right' }, (row) => formatDuration(row.durationMs)),
  textColumn('caller', 'Caller', 140, (row) => row.callerId ?? '–', { sorts: false }),
  column('made', 'Started', 130, {}, (row) => <Time iso={row.createdAt} focusable={false} />),
];

/** An execution of a version, which can be repeated. The content of a draft isn't kept. */
type SavedExecution = ToolExecution & { toolId: string; version: number };

function isSaved(execution: ToolExecution): execution is SavedExecution {
  return execution.toolId !== null && execution.version !== null;
}

/** The execution log of one tool or of all. An execution opens next to it. */
export function ExecutionTable({ toolId }: { toolId?: string }) {
  const { client, queries, reread } = useApi();
  const [status, setStatus] = useState<string | null>(null);
  const [caller, setCaller] = useState<string | null>(null);
  const [trace, setTrace] = useState('');
  const [traceId] = useDebouncedValue(trace.trim(), 200);
  const [open, setOpen] = useState<string | null>(null);
  const [asking, setAsking] = useState<SavedExecution | null>(null);
  const wanted = executionStatuses.find((each) => each === status);
  const filter = {
    ...(toolId === undefined ? {} : { toolId }),
    ...(wanted === undefined ? {} : { status: [wanted] }),
    ...(caller === null ? {} : { callerId: caller }),
    ...(traceId === '' ? {} : { traceId }),
  };
  const callers = useRead((ask) => ask.workshop.callers);
  const log = useInfiniteQuery(
    queries.workshop.executions.infiniteOptions({
      input: (offset: number) => ({ filter, offset, limit: pageSize }),
      ...byPages,
      refetchInterval: 2000,
    }),
  );
  const { rows, total, onEndReached } = usePages(log);
  const shown = rows.find(({ id }) => id === open) ?? null;
  const again = useAct(
    (execution: SavedExecution) =>
      client.workshop.start({
        tool: execution.toolId,
        arguments: execution.inputData,
        version: execution.version,
        callerId: 'window',
        ...(execution.traceId === null ? {} : { traceId: execution.traceId }),
      }),
    {
      onSuccess: async ({ id }) => {
        showDone('Runs again with the same arguments and version.');
        await reread(queries.workshop.executions);
        setOpen(id);
      },
    },
  );
  const repeat = useAct(
    // The version that ran decides whether to ask, not what the tool has become since.
    ({ toolId: id, version }: SavedExecution) => client.workshop.version({ id, version }),
    {
      onSuccess: ({ content }, execution) => {
        if (content.executorConfig.annotations.destructiveHint === true) setAsking(execution);
        else again.mutate(execution);
      },
    },
  );
  const cancel = useAct((id: string) => client.workshop.cancel({ id }), {
    onSettled: () => reread(queries.workshop.executions),
  });
  const filtered = status !== null || caller !== null || traceId !== '';
  const shownColumns = useMemo(() => columns(toolId === undefined), [toolId]);

  return (
    <WithPanel
      panel={
        shown === null ? null : (
          <SidePanel
            title={shown.toolName}
            contentKey={shown.id}
            onClose={() => setOpen(null)}
            footer={
              isFinal(shown.status) ? (
                isSaved(shown) && (
                  <Action
                    label="Run again"
                    filled
                    icon={IconRefresh}
                    loading={repeat.isPending || again.isPending}
                    onClick={() => repeat.mutate(shown)}
                  />
                )
              ) : (
                <Action
                  label="Cancel"
                  loading={cancel.isPending}
                  onClick={() => cancel.mutate(shown.id)}
                />
              )
            }
          >
            <ExecutionView execution={shown} withInput />
          </SidePanel>
        )
      }
    >
      <Loaded query={log} blocks={[32, 240]}>
        {() => (
          <DataTable
            label="Executions"
            columns={shownColumns}
            rows={rows}
            rowKey={(row) => row.id}
            selected={open}
            onOpen={(row) => setOpen(row.id)}
            totalRows={total}
            onEndReached={onEndReached}
            toolbar={
              <>
                <ListFilter
                  w={160}
                  label="Status"
                  data={executionStatuses.map((value) => ({
                    value,
                    label: executionWords[value].label,
                  }))}
                  value={status}
                  onChange={setStatus}
                />
                <ListFilter
                  w={180}
                  label="Caller"
                  data={callers.data ?? []}
                  value={caller}
                  onChange={setCaller}
                />
                <TextInput
                  size="xs"
                  w={200}
                  aria-label="Trace ID"
                  placeholder="Trace ID"
                  {...typed(trace, setTrace)}
                />
                <p className="ts-quiet">{counted(total, 'execution')}</p>
              </>
            }
            empty={
              filtered ? (
                'No executions match the filters.'
              ) : (
                <EmptyState
                  message="No executions yet. Every run of a tool, here or by a client, is recorded here."
                  {...(toolId === undefined && {
                    action: <Action label="Choose a tool to run" to="/workshop" />,
                  })}
                />
              )
            }
          />
        )}
      </Loaded>
      {asking !== null && (
        <ConfirmRun
          name={asking.toolName}
          given={asking.inputData}
          onRun={() => {
            again.mutate(asking);
            setAsking(null);
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </WithPanel>
  );
}

export function ExecutionsPage() {
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Workshop', to: '/workshop' }, { label: 'Executions' }]}
        title="Executions"
        subtitle="Every run of a tool, from here, the command line, and clients."
      />
      <ExecutionTable />
    </>
  );
}
