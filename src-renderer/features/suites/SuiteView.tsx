import { Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { Suite, TestCase } from '../../../src-shared/domain/testCase.ts';
import { useApi } from '../../api/index.ts';
import { EmptyState } from '../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../ui/notices/Loaded.tsx';
import { PageHeader } from '../../ui/frame/PageHeader.tsx';
import { WithPanel } from '../../ui/panels/SidePanel.tsx';
import { counted } from '../../ui/text/words.ts';
import { formatCount } from '../../../src-shared/display/numbers.ts';
import { suiteSize } from '../../../src-shared/display/suiteTexts.ts';
import { useShortcut } from '../../ui/keyboard/useShortcut.ts';
import {
  type CaseForm,
  duplicateOfCase,
  emptyCaseForm,
  formOfCase,
  readDraft,
} from './caseForm.ts';
import { CasePanel } from './CasePanel.tsx';
import { CaseTable } from './CaseTable.tsx';
import { tagsOf } from './filterCases.ts';
import { ExportSuite } from './ExportSuite.tsx';
import { useDrafts } from './useDrafts.ts';
import { SuiteActions } from './SuiteActions.tsx';
import { SuitePanel } from './SuitePanel.tsx';
import { SuiteTasks } from './SuiteTasks.tsx';
import { useSuiteActions } from './useSuiteActions.ts';

/**
 * A suite: its cases in a table, with a case or the suite's settings in the side panel. The address
 * decides which.
 */
export function SuiteView({ suite }: { suite: Suite }) {
  const { queries } = useApi();
  const navigate = useNavigate();
  const acts = useSuiteActions();
  const [params, setParams] = useSearchParams();
  const [copied, setCopied] = useState<CaseForm | null>(null);
  const [exporting, setExporting] = useState(false);
  const drafts = useDrafts(suite.id, readDraft);
  const cases = useQuery(queries.suites.cases.queryOptions({ input: { suiteId: suite.id } }));
  const oddities = useQuery(queries.suites.problems.queryOptions({ input: { suiteId: suite.id } }));
  const problems = useMemo(
    () => new Map(oddities.data?.map((each) => [each.caseId, each.problems])),
    [oddities.data],
  );
  const caseId = params.get('case');
  const tab = shownTab(suite, params);
  const open = cases.data?.find((testCase) => testCase.id === caseId) ?? null;

  const close = (): void => {
    setParams({}, { replace: true });
  };
  const show = (id: string): void => {
    setParams({ case: id });
  };
  const newCase = (): void => {
    if (copied !== null) drafts.set('new', null);
    setCopied(null);
    show('new');
  };
  const deleteCases = (ids: string[]): void => {
    if (caseId !== null && ids.includes(caseId)) close();
    void acts.removeCases(ids);
  };
  const newTask = (): void => {
    setParams({ tab: 'tasks', task: 'new' });
  };
  const propose = (): void => {
    void navigate(`/suites/${suite.id}/propose`);
  };
  const onTasks = tab === 'tasks';
  useShortcut('n', onTasks ? newTask : newCase, onTasks ? 'New task' : 'New case');

  const settings = params.has('settings') ? <SuitePanel suite={suite} onClose={close} /> : null;

  const panel = ((): React.ReactNode => {
    if (settings !== null) return settings;
    if ((open === null && caseId !== 'new') || !drafts.ready) return null;
    const shared = {
      suiteId: suite.id,
      suiteServers: suite.servers,
      knownTags: tagsOf(cases.data ?? []),
      onClose: close,
    };
    return (
      <CasePanel
        key={open === null ? `new ${copied?.name ?? ''}` : `${open.id} ${open.updatedAt}`}
        {...shared}
        testCase={open}
        problems={problems.get(open?.id ?? '') ?? []}
        draft={drafts.get(open?.id ?? 'new')}
        onDraft={(draft) => {
          drafts.set(open?.id ?? 'new', draft);
        }}
        start={open === null ? (copied ?? emptyCaseForm) : formOfCase(open)}
        onSaved={(saved) => {
          show(saved.id);
        }}
        onDuplicate={() => {
          if (open === null) return;
          drafts.set('new', null);
          setCopied(duplicateOfCase(open));
          show('new');
        }}
        onDelete={() => {
          if (open !== null) deleteCases([open.id]);
        }}
      />
    );
  })();

  const tabs = (suite.taskCount > 0 || onTasks) && (
    <Tabs
      mb="sm"
      value={tab}
      onChange={(chosen) => {
        setParams(chosen === null ? {} : { tab: chosen }, { replace: true });
      }}
    >
      <Tabs.List aria-label="Content of the suite">
        <Tabs.Tab value="cases">Cases {formatCount(suite.caseCount)}</Tabs.Tab>
        <Tabs.Tab value="tasks">Tasks {formatCount(suite.taskCount)}</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );

  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Suites', to: '/suites' }, { label: suite.name }]}
        title={suite.name}
        subtitle={suiteFacts(suite)}
        actions={
          <SuiteActions
            suite={suite}
            onRun={() =>
              void navigate(
                `/results/new?suite=${encodeURIComponent(suite.id)}${tab === 'tasks' ? '&run=tasks' : ''}`,
              )
            }
            onTasks={onTasks}
            onNewCase={newCase}
            onNewTask={newTask}
            onSettings={() => {
              setParams(onTasks ? { tab, settings: '' } : { settings: '' });
            }}
            onExport={() => {
              setExporting(true);
            }}
            onImport={() => void navigate(`/suites/import?into=${encodeURIComponent(suite.id)}`)}
            onPropose={propose}
            onDelete={() => {
              void acts.removeSuite(suite).then((gone) => (gone ? navigate('/suites') : undefined));
            }}
          />
        }
      />
      {exporting && (
        <ExportSuite
          suiteId={suite.id}
          onClose={() => {
            setExporting(false);
          }}
        />
      )}
      {onTasks ? (
        <SuiteTasks suite={suite} tabs={tabs} settings={settings} />
      ) : (
        <WithPanel panel={panel}>
          {tabs}
          <Loaded query={cases} blocks={[32, 400]}>
            {(list) => (
              <CaseTable
                cases={list}
                selected={open?.id ?? null}
                narrow={panel !== null}
                onOpen={(testCase: TestCase) => {
                  show(testCase.id);
                }}
                onDelete={deleteCases}
                onEdit={(ids, change) => void acts.editCases(ids, change)}
                onDuplicate={(ids) => void acts.duplicateCases(ids)}
                problems={problems}
                empty={
                  <EmptyState
                    message="No cases yet. A case is a query and the tool call that should answer it."
                    action={
                      <Button variant="default" onClick={newCase}>
                        New case
                      </Button>
                    }
                    second={
                      <Button variant="default" onClick={propose}>
                        Propose cases
                      </Button>
                    }
                  />
                }
              />
            )}
          </Loaded>
        </WithPanel>
      )}
    </>
  );
}

/** Cases, unless the address asks for tasks or the suite has nothing else. */
function shownTab({ caseCount, taskCount }: Suite, params: URLSearchParams): 'cases' | 'tasks' {
  if (params.has('case')) return 'cases';
  const wanted = params.get('tab');
  if (taskCount === 0 && wanted !== 'tasks') return 'cases';
  return wanted === 'tasks' || (wanted === null && caseCount === 0) ? 'tasks' : 'cases';
}

function suiteFacts(suite: Suite): string {
  const servers =
    suite.servers.length === 0 ? 'no servers set' : `servers: ${suite.servers.join(', ')}`;
  const prompt = suite.system === null ? [] : ['system prompt'];
  const before =
    suite.messages.length === 0 ? [] : [counted(suite.messages.length, 'prior message')];
  return [suiteSize(suite), servers, ...prompt, ...before].join(' · ');
}
