import { useParams, useNavigate, useSearchParams } from 'react-router';
import { useRead, useApi } from '../../api/index.ts';
import { LoadedPage, PageHeader } from '../../ui/frame/PageHeader.tsx';
import { type TrendOfSuite, SuiteTop } from './SuiteTop.tsx';
import { useMemo, useState } from 'react';
import type { SuiteTask } from '../../../src-shared/domain/task.ts';
import type { Suite, TestCase } from '../../../src-shared/domain/testCase.ts';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import { useShortcut } from '../../ui/keyboard/useShortcut.ts';
import { Loaded } from '../../ui/notices/notices.tsx';
import { WithPanel, Section } from '../../ui/panels/panels.tsx';
import { counted } from '../../../src-shared/display/numbers.ts';
import { AddCases } from './AddCases.tsx';
import { EntryEditor } from './EntryEditor.tsx';
import { caseKind, taskKind } from './entryKinds.tsx';
import { SuitePanel } from './SuitePanel.tsx';
import { type RowChoice, rowChoices, suiteRows, tagsOf } from './suiteRows.ts';
import { type RowIds, SuiteTable } from './SuiteTable.tsx';
import { useSuiteActions } from './useSuiteActions.ts';
import { Group, Text, Menu } from '@mantine/core';
import { Action } from '../../ui/fields/controls.tsx';
import { MoreAction, MoreActions } from '../../ui/fields/choices.tsx';
import { ImportCases } from './ImportCases.tsx';
import { ProposeCases } from './ProposeCases.tsx';
import {
  IconDownload,
  IconPlayerPlay,
  IconPlus,
  IconSettings,
  IconTablePlus,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react';
import { type ExportFormat, exportFormat } from '../../../src-shared/contract/suites.ts';
import { foreignFormatTable } from '../../../src-shared/domain/foreignFormat.ts';
import { ExportDialog } from '../../ui/files/ExportDialog.tsx';
import { PlainText } from '../../ui/text/Foreign.tsx';

export function SuitePage({ Trend }: { Trend: TrendOfSuite }) {
  const { id = '' } = useParams();
  const suite = useRead((ask) => ask.suites.get, { input: { id } });
  return (
    <LoadedPage
      crumbs={[{ label: 'Suites', to: '/suites' }, { label: 'Suite' }]}
      query={suite}
      blocks={[64, 32, 400]}
    >
      {(found) => <SuiteView key={found.id} suite={found} Trend={Trend} />}
    </LoadedPage>
  );
}

/**
 * A suite: how it came out last, and its cases and tasks in one table, with one of them or the
 * settings in the side panel. The address decides which.
 */
function SuiteView({ suite, Trend }: { suite: Suite; Trend: TrendOfSuite }) {
  const { client } = useApi();
  const acts = useSuiteActions();
  const [params, setParams] = useSearchParams();
  const [exporting, setExporting] = useState(false);
  const input = { suiteId: suite.id };
  const cases = useRead((ask) => ask.suites.cases, { input });
  const tasks = useRead((ask) => ask.suites.tasks, { input });
  const last = useRead((ask) => ask.results.lastOutcomes, { input, staleTime: 0 });
  const oddities = useRead((ask) => ask.suites.problems, { input });
  const problems = useMemo(
    () => new Map(oddities.data?.map((each) => [each.caseId, each.problems])),
    [oddities.data],
  );
  const rows = useMemo(
    () => suiteRows(cases.data ?? [], tasks.data ?? [], last.data),
    [cases.data, tasks.data, last.data],
  );
  const open = params.get('case') ?? params.get('task');
  const choice = choiceOf(params);
  const adding = params.get('add');

  /** Shows something else, and keeps which rows are shown. */
  const show = (query: Record<string, string>, replace = false): void =>
    setParams({ ...(choice === 'all' ? {} : { show: choice }), ...query }, { replace });
  const close = (): void => show({}, true);
  const remove = (marked: RowIds): void => {
    if (marked.some(({ id }) => id === open)) close();
    acts.remove(marked);
  };
  const onlyTasks =
    choice === 'tasks' || params.has('task') || (suite.caseCount === 0 && suite.taskCount > 0);
  useShortcut('n', () => show(onlyTasks ? added.task : added.case), newLabel(onlyTasks));

  const shared = {
    suite,
    rows,
    problems,
    knownTags: tagsOf(rows),
    onClose: close,
    onDelete: remove,
  };
  const panel = params.has('settings') ? (
    <SuitePanel suite={suite} onClose={close} />
  ) : isOpen(params.get('case'), cases.data) ? (
    <EntryEditor
      {...shared}
      kind={caseKind}
      entries={cases.data ?? []}
      save={(given, id) =>
        id === null
          ? client.suites.createCase({ ...given, ...input })
          : client.suites.updateCase({ ...given, id })
      }
    />
  ) : isOpen(params.get('task'), tasks.data) ? (
    <EntryEditor
      {...shared}
      kind={taskKind}
      entries={tasks.data ?? []}
      save={(given, id) =>
        id === null
          ? client.suites.createTask({ ...given, ...input })
          : client.suites.updateTask({ ...given, id })
      }
    />
  ) : null;
  const hasTop = (last.data?.models.length ?? 0) > 0 || adding !== null;

  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Suites', to: '/suites' }, { label: suite.name }]}
        title={suite.name}
        subtitle={suiteFacts(suite)}
        actions={
          <SuiteActions
            suite={suite}
            onlyTasks={onlyTasks}
            onShow={show}
            onExport={() => setExporting(true)}
            onDelete={() => acts.removeSuite(suite)}
          />
        }
      />
      {exporting && <ExportSuite suiteId={suite.id} onClose={() => setExporting(false)} />}
      <WithPanel panel={panel}>
        {last.data !== undefined && panel === null && adding === null && (
          <SuiteTop suite={suite} last={last.data} Trend={Trend} />
        )}
        {adding !== null && (
          <AddCases
            key={adding}
            suite={suite}
            cases={cases.data ?? []}
            tool={adding}
            back={params.get('return')}
            onTool={(tool) =>
              setParams({ ...Object.fromEntries(params), add: tool }, { replace: true })
            }
            onClose={close}
          />
        )}
        <Loaded query={cases} blocks={[32, 400]}>
          {() => (
            <Loaded query={tasks} blocks={[32, 400]}>
              {() =>
                rows.length === 0 ? (
                  adding === null && panel === null && <EmptySuite suite={suite} onShow={show} />
                ) : (
                  <SuiteTable
                    rows={rows}
                    models={[...new Set(last.data?.models.map(({ model }) => model))]}
                    choice={choice}
                    onChoice={(chosen) =>
                      setParams(chosen === 'all' ? {} : { show: chosen }, { replace: true })
                    }
                    selected={open}
                    onOpen={({ unit, id }) => show({ [unit]: id })}
                    onDelete={remove}
                    onEdit={(ids, change) => acts.editCases({ ids, change })}
                    onDuplicate={(marked) => acts.duplicate(marked)}
                    problems={problems}
                    knownServers={[...new Set(cases.data?.flatMap(({ servers }) => servers))]}
                    maxHeight={
                      hasTop && panel === null
                        ? 'max(360px, calc(100vh - 508px))'
                        : 'calc(100vh - 254px)'
                    }
                  />
                )
              }
            </Loaded>
          )}
        </Loaded>
      </WithPanel>
    </>
  );
}

/** Whether the address opens an entry that exists, or a new one. */
const isOpen = (
  id: string | null,
  entries: readonly (TestCase | SuiteTask)[] | undefined,
): boolean => id === 'new' || (id !== null && entries?.some((entry) => entry.id === id) === true);

/** Which rows the address shows. */
function choiceOf(params: URLSearchParams): RowChoice {
  const wanted = params.get('show');
  return rowChoices.find((one) => one === wanted) ?? 'all';
}

function suiteFacts(suite: Suite): string {
  const servers =
    suite.servers.length === 0 ? 'no servers set' : `servers: ${suite.servers.join(', ')}`;
  const prompt = suite.system === null ? [] : ['system prompt'];
  const before =
    suite.messages.length === 0 ? [] : [counted(suite.messages.length, 'prior message')];
  return [suiteSize(suite), servers, ...prompt, ...before].join(' · ');
}

/** What the address says of an entry that is being added. */
const added = { case: { case: 'new' }, task: { task: 'new' }, grid: { add: '' } };
const newLabel = (isTask: boolean): string => (isTask ? 'New task' : 'New case');

interface EmptySuiteProps {
  suite: Suite;
  onShow: (query: Record<string, string>) => void;
}

/** Every way to the first cases of a suite. */
function EmptySuite({ suite, onShow }: EmptySuiteProps) {
  return (
    <>
      <Section title="No cases yet">
        <Text size="sm" c="dimmed" mb="sm">
          A case is a request and the tool call that should answer it. A task is what a user asks
          for, and checks that decide whether it got done.
        </Text>
        <Group gap="sm">
          <Action label="Add cases for a tool" onClick={() => onShow(added.grid)} />
          <Action label="New case" onClick={() => onShow(added.case)} />
          <Action label="New task" onClick={() => onShow(added.task)} />
        </Group>
      </Section>
      <Section title="Propose cases">
        <ProposeCases suite={suite} quiet />
      </Section>
      <Section title="Import cases">
        <ImportCases into={suite.id} />
      </Section>
    </>
  );
}

interface SuiteActionsProps extends EmptySuiteProps {
  /** True while tasks alone are shown. */
  onlyTasks: boolean;
  onExport: () => void;
  onDelete: () => void;
}

function SuiteActions({ suite, onShow, onlyTasks, onExport, onDelete }: SuiteActionsProps) {
  const navigate = useNavigate();
  const id = encodeURIComponent(suite.id);
  // An empty suite shows every way to its first cases below.
  const isEmpty = suite.caseCount + suite.taskCount === 0;
  return (
    <>
      {!isEmpty && (
        <>
          <Action
            label={newLabel(onlyTasks)}
            icon={IconPlus}
            onClick={() => onShow(onlyTasks ? added.task : added.case)}
          />
          <Action label="Propose cases" onClick={() => void navigate(`/suites/${id}/propose`)} />
          <Action
            label="Import cases"
            icon={IconUpload}
            onClick={() => void navigate(`/suites/import?into=${id}`)}
          />
        </>
      )}
      <Action
        label="Run evaluation"
        filled
        icon={IconPlayerPlay}
        onClick={() => void navigate(`/results/new?suite=${id}${onlyTasks ? '&run=tasks' : ''}`)}
        disabled={isEmpty}
      />
      <MoreActions>
        <MoreAction
          label={newLabel(!onlyTasks)}
          icon={IconPlus}
          onClick={() => onShow(onlyTasks ? added.case : added.task)}
        />
        <MoreAction
          label="Suite settings"
          icon={IconSettings}
          onClick={() => onShow({ settings: '' })}
        />
        <MoreAction
          label="Add cases for a tool"
          icon={IconTablePlus}
          onClick={() => onShow(added.grid)}
        />
        <MoreAction label="Export" icon={IconDownload} onClick={onExport} />
        <Menu.Divider />
        <MoreAction
          label="Delete suite"
          icon={IconTrash}
          c="var(--ts-danger-ink)"
          onClick={onDelete}
        />
      </MoreActions>
    </>
  );
}

const formats: Readonly<Record<ExportFormat, { exportLabel: string; mediaType: string }>> = {
  yaml: { exportLabel: 'Touchstone, as YAML', mediaType: 'application/yaml' },
  json: { exportLabel: 'Touchstone, as JSON', mediaType: 'application/json' },
  ...foreignFormatTable,
};

/** Exports a suite in this or another program's format, and lists losses before it is saved. */
function ExportSuite({ suiteId, onClose }: { suiteId: string; onClose: () => void }) {
  const [format, setFormat] = useState<ExportFormat>('yaml');
  const file = useRead((ask) => ask.suites.export, {
    input: { id: suiteId, format },
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <ExportDialog
      title="Export suite"
      label="Format"
      formats={exportFormat.options.map((value) => ({
        value,
        label: formats[value].exportLabel,
        mediaType: formats[value].mediaType,
      }))}
      format={format}
      onFormat={setFormat}
      file={file}
      lossesOf={({ losses }) =>
        losses.map(({ case: name, what }) => (name === null ? what : `${name}: ${what}`))
      }
      onClose={onClose}
    >
      {({ fileName }, losses) =>
        losses === 0 && (
          <Text size="sm">
            This format keeps everything. File name:{' '}
            <PlainText as="span" className="ts-mono" text={fileName} />.
          </Text>
        )
      }
    </ExportDialog>
  );
}
