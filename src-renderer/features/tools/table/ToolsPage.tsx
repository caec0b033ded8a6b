import { Box } from '@mantine/core';
import {
  IconChecklist,
  IconDownload,
  IconMessageStar,
  IconPlus,
  IconServer,
  IconUpload,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { MoreAction } from '../../../ui/panels/MoreActions.tsx';
import { Action } from '../../../ui/fields/Action.tsx';
import { useApi, useRead } from '../../../api/index.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { useShortcut } from '../../../ui/keyboard/useShortcut.ts';
import { EmptyState } from '../../../ui/notices/EmptyState.tsx';
import { Loaded } from '../../../ui/notices/Loaded.tsx';
import { Notice } from '../../../ui/notices/Notice.tsx';
import { WithPanel } from '../../../ui/panels/SidePanel.tsx';
import { Foreign } from '../../../ui/text/Foreign.tsx';
import { PlainText } from '../../../ui/text/PlainText.tsx';
import { CheckAll } from '../server/CheckAll.tsx';
import { ExportServers } from '../server/ExportServers.tsx';
import { ServerFormPanel } from '../server/ServerFormPanel.tsx';
import { QualityPanel } from '../quality/QualityPanel.tsx';
import { RatingPanel } from '../quality/RatingPanel.tsx';
import { ServerStrip } from './ServerStrip.tsx';
import { ToolTable } from './ToolTable.tsx';
import { chipOf, chooseRows, verdictOf } from './toolFilters.ts';
import { useServerChoice, useTools } from './useTools.ts';

/** What may stand beside the table, by its word in the address. */
const panels = ['add', 'quality', 'ratings'] as const;

/** What the servers offer, and what is wrong with it: servers and tools in one place. */
export function ToolsPage() {
  const { queries } = useApi();
  const [params, setParams] = useSearchParams();
  const [exporting, setExporting] = useState(false);
  const { servers, list, query } = useTools();
  const { chosen } = useServerChoice();
  const { data: workspace } = useRead(queries.settings.info);
  const change = (edit: (next: URLSearchParams) => void): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        edit(next);
        return next;
      },
      { replace: true },
    );
  const opened = panels.find((name) => params.has(name)) ?? null;
  const open = (panel: (typeof panels)[number] | null): void =>
    change((next) => {
      for (const name of panels) next.delete(name);
      if (panel !== null) next.set(panel, '');
    });
  const add = (): void => open('add');
  const close = (): void => open(null);
  const all = servers.data ?? [];
  useShortcut('n', add, 'Add server');
  const verdict =
    list === undefined || all.length === 0
      ? null
      : verdictOf(chooseRows(list, { servers: chosen, only: null, search: '' }), list.complete);
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools' }]}
        title={
          verdict === null ? (
            'Tools'
          ) : (
            <>
              {verdict.before}
              {verdict.tool !== null && (
                <>
                  {' '}
                  <span className="ts-mono">
                    <PlainText text={verdict.tool} />
                  </span>{' '}
                  {verdict.after}
                </>
              )}
            </>
          )
        }
        {...(verdict === null ? {} : { subtitle: verdict.details })}
        actions={
          <>
            {all.length > 0 && <CheckAll ids={all.map(({ id }) => id)} />}
            <Action label="Import" to="/tools/import" icon={IconUpload} />
            <Action
              label="Add server"
              filled={all.length === 0 && servers.isSuccess}
              icon={IconPlus}
              onClick={add}
            />
          </>
        }
        more={
          all.length > 0 && (
            <>
              <MoreAction
                label="Quality rules"
                icon={IconChecklist}
                onClick={() => open('quality')}
              />
              <MoreAction
                label="Rate with a model"
                icon={IconMessageStar}
                onClick={() => open('ratings')}
              />
              <MoreAction
                label="Export servers"
                icon={IconDownload}
                onClick={() => setExporting(true)}
              />
            </>
          )
        }
      />
      {workspace?.plainSecrets != null && (
        <Box mb="md">
          <Notice tone="warning">
            <Foreign text={workspace.plainSecrets} limit={2_000} />
          </Notice>
        </Box>
      )}
      <WithPanel
        panel={
          opened === 'add' ? (
            <ServerFormPanel server={null} onClose={close} />
          ) : opened === 'quality' ? (
            <QualityPanel onClose={close} />
          ) : opened === 'ratings' ? (
            <RatingPanel onClose={close} />
          ) : null
        }
      >
        <Loaded query={servers} blocks={[64, 32, 320]}>
          {(registered) =>
            registered.length === 0 ? (
              <NoServers />
            ) : (
              <Loaded query={query} blocks={[64, 32, 320]}>
                {(found) => (
                  <>
                    <ServerStrip servers={registered} list={found} />
                    <ToolTable
                      list={found}
                      servers={chosen}
                      only={chipOf(params.get('only'))}
                      onOnly={(only) =>
                        change((next) => {
                          if (only === null) next.delete('only');
                          else next.set('only', only);
                        })
                      }
                    />
                  </>
                )}
              </Loaded>
            )
          }
        </Loaded>
      </WithPanel>
      {exporting && <ExportServers servers={all} onClose={() => setExporting(false)} />}
    </>
  );
}

function NoServers() {
  return (
    <EmptyState
      icon={<IconServer size={32} stroke={1.5} />}
      message="What your servers offer, and what is wrong with it, appears here. Add the command or the address of an MCP server, or drop the configuration of another program here."
      action={<Action label="Add sample data" to="/settings" />}
    />
  );
}
