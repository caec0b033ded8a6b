import { Box, Stack } from '@mantine/core';
import {
  IconChecklist,
  IconDownload,
  IconMessageStar,
  IconPlus,
  IconServer,
  IconUpload,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAddress } from '../../../ui/frame/useAddress.ts';
import { Action } from '../../../ui/fields/controls.tsx';
import { MoreAction } from '../../../ui/fields/choices.tsx';
import { useApi, useRead } from '../../../api/index.ts';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { useShortcut } from '../../../ui/keyboard/useShortcut.ts';
import { EmptyState, ErrorNotice, Loaded, Notice } from '../../../ui/notices/notices.tsx';
import { WithPanel, SidePanel, Fold } from '../../../ui/panels/panels.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { CheckAll } from '../server/CheckAll.tsx';
import { ExportServers } from '../server/ExportServers.tsx';
import { ServerFormPanel } from '../server/ServerFormPanel.tsx';
import { QualityPanel } from '../quality/QualityPanel.tsx';
import { ServerStrip } from './ServerStrip.tsx';
import { ToolTable } from './ToolTable.tsx';
import { chipOf, chooseRows, verdictOf } from './toolFilters.ts';
import { useServerChoice, useTools } from './useTools.ts';
import { toolAddress } from '../../../../src-shared/display/toolAddresses.ts';
import { AskModel } from '../../../models/AskModel.tsx';
import { ServersWithoutTools } from '../../../ui/notices/ServersWithoutTools.tsx';
import { WorkBar } from '../../../ui/progress/WorkBar.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { Rating } from '../quality/Rating.tsx';
import { cancelRating, lowestScore, startRating, useRatingWork } from '../quality/ratingWork.ts';
import { useListedServers } from '../quality/useLint.ts';
import classes from '../quality/quality.module.css';

/** What may stand beside the table, by its word in the address. */
const panels = ['add', 'quality', 'ratings'] as const;

/** What the servers offer, and what is wrong with it: servers and tools in one place. */
export function ToolsPage() {
  const [params, change] = useAddress();
  const [exporting, setExporting] = useState(false);
  const { servers, list, query } = useTools();
  const { chosen } = useServerChoice();
  const { data: workspace } = useRead((ask) => ask.settings.info);
  const opened = panels.find((name) => params.has(name)) ?? null;
  const open = (panel: (typeof panels)[number] | null): void =>
    change({ add: null, quality: null, ratings: null, ...(panel !== null && { [panel]: 'open' }) });
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
                  <PlainText as="span" className="ts-mono" text={verdict.tool} /> {verdict.after}
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
                      onOnly={(only) => change({ only })}
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

/** Asks a model for its opinion of the descriptions of the chosen servers. */
function RatingPanel({ onClose }: { onClose: () => void }) {
  const { client } = useApi();
  const work = useRatingWork();
  const { shown: servers } = useListedServers();
  const done = work.ratings.length + work.unrated.length;
  const ratings = work.ratings.toSorted((a, b) => lowestScore(a) - lowestScore(b));
  return (
    <SidePanel
      title="Ratings by a model"
      subtitle={servers.length === 0 ? 'No server has listed tools' : servers.join(', ')}
      onClose={onClose}
    >
      <Stack gap="sm">
        <p className={classes.quiet}>
          A model says how clear, complete and concise each description is, from 1 to 10, with its
          reason and what would raise it. Another model, or the same model asked again, may rate it
          differently.
        </p>
        <div>
          {work.running ? (
            <Action label="Cancel rating" onClick={cancelRating} />
          ) : (
            <AskModel
              label="Rate with a model…"
              cost="It is asked once for each tool of these servers. The tool is shown to it, nothing else."
              disabled={servers.length === 0}
              ask={(model) => startRating(client, servers, model)}
            />
          )}
        </div>
        {work.running && (
          <WorkBar
            label="Rating"
            done={done}
            total={work.total ?? 1}
            pace={{ done, total: work.total ?? 1, since: work.startedAt }}
            unit="tool"
            stage={work.total === null ? 'listing tools' : 'asking the model'}
          />
        )}
        <ServersWithoutTools failed={work.failed} />
        <ErrorNotice error={work.error} />
        {work.unrated.length > 0 && (
          <Notice tone="warning">{`${counted(work.unrated.length, 'tool')} not rated. ${work.unrated
            .slice(0, 3)
            .map(({ toolId, reason }) => `${toolId}: ${reason}`)
            .join(' ')}`}</Notice>
        )}
        {ratings.length > 0 && (
          <section aria-label="Ratings">
            <p className={classes.quiet}>
              {counted(ratings.length, 'tool')} rated by {ratings[0]?.model}, the lowest first.
            </p>
            {ratings.map((rating) => (
              <Fold
                key={rating.toolId}
                title={<PlainText text={rating.toolId} />}
                hint={`lowest ${lowestScore(rating)} of 10`}
              >
                <Rating rating={rating} />
                <Link to={toolAddress(rating.toolId)}>Open tool</Link>
              </Fold>
            ))}
          </section>
        )}
      </Stack>
    </SidePanel>
  );
}
