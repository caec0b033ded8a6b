import { Box } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { Action } from '../../../ui/fields/controls.tsx';
import { type AnalysedTool, minTools } from '../../../../src-shared/domain/similarity.ts';
import { ShownExport } from '../../../saving/ExportMenu.tsx';
import { PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { describeError } from '../../../ui/notices/describeError.ts';
import {
  EmptyState,
  ErrorNotice,
  Loaded,
  LoadingSkeleton,
  Notice,
} from '../../../ui/notices/notices.tsx';
import { ServersWithoutTools } from '../../../ui/notices/ServersWithoutTools.tsx';
import { StoredToolsNotice } from '../../../ui/notices/StoredToolsNotice.tsx';
import { WorkBar } from '../../../ui/progress/WorkBar.tsx';
import { PlainText } from '../../../ui/text/Foreign.tsx';
import { Result } from './Result.tsx';
import type { SimilarityWork } from './similarityWork.ts';
import { ToolChoice } from './ToolChoice.tsx';
import { useSimilarity, useVerdict } from './useSimilarity.ts';
import classes from './similarity.module.css';

const stages = {
  listing: 'listing tools',
  embedding: 'computing embeddings',
  preparing: 'preparing the texts',
  comparing: 'comparing',
};

const purpose = 'Pairs of tools that a model could confuse appear here.';
const noServers = {
  message: `${purpose} Add a server to compare its tools.`,
  action: <Action label="Add server" filled to="/tools?add" />,
};
const tooFewTools = {
  message: `Comparing needs at least ${minTools} tools. Choose more servers or tools above, or add a server.`,
  action: <Action label="Open tools" filled to="/tools" />,
};

/** Tools that a model could confuse, over any choice of servers. */
export function SimilarityPage() {
  const { servers, names, work, storedLine, unlisted, isWaiting, compare, cancel } =
    useSimilarity();
  const { analysis } = work;
  const tooFew = work.error !== null && describeError(work.error).code === 'INVALID';
  const { ranked, verdict } = useVerdict(tooFew ? null : analysis);
  return (
    <>
      <PageHeader
        crumbs={[{ label: 'Tools', to: '/tools' }, { label: 'Similar' }]}
        title={verdict?.headline ?? 'Similar tools'}
        subtitle={
          verdict?.advice ?? 'Tools a model could confuse because their descriptions are similar.'
        }
        actions={
          <>
            {names.length > 0 && (
              <ToolChoice
                key={analysis?.id ?? ''}
                servers={names}
                seen={work.seen}
                analysis={analysis}
                input={work.input}
                disabled={work.running}
                onCompare={compare}
              />
            )}
            {analysis !== null && (
              <ShownExport
                subject="similarity"
                name=""
                shown={{
                  subject: 'similarity',
                  id: analysis.id,
                  threshold: work.threshold ?? analysis.threshold,
                }}
              />
            )}
          </>
        }
      />
      <Loaded query={servers} blocks={[72, 480]}>
        {(list) => {
          const idle = !work.running && !isWaiting && work.error === null;
          const empty =
            list.length === 0
              ? noServers
              : tooFew
                ? tooFewTools
                : analysis === null && idle
                  ? {
                      message: `${purpose} Comparing starts the servers to list their tools.`,
                      action: (
                        <Action
                          label="Compare tools"
                          filled
                          onClick={() => compare({ input: { serverList: names } })}
                        />
                      ),
                    }
                  : null;
          if (empty !== null)
            return <EmptyState icon={<IconCopy size={32} stroke={1.5} />} {...empty} />;
          return (
            <>
              {(work.running || isWaiting) && <Progress work={work} onCancel={cancel} />}
              <ErrorNotice error={work.error} />
              {analysis !== null && (
                <>
                  <StoredToolsNotice line={storedLine} />
                  <ServersWithoutTools failed={analysis.failed} />
                  {unlisted.length > 0 && work.input === null && (
                    <Unlisted
                      servers={unlisted}
                      disabled={work.running}
                      onInclude={() => compare({ input: { serverList: names } })}
                    />
                  )}
                  <Result key={keyOf(analysis.tools)} analysis={analysis} ranked={ranked} />
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Servers whose tools nobody has listed yet are not started without being asked. */
function Unlisted(props: { servers: readonly string[]; disabled: boolean; onInclude: () => void }) {
  const { servers, disabled, onInclude } = props;
  return (
    <Box mb="sm">
      <Notice>
        <PlainText
          text={`Not included, because their tools haven’t been listed yet: ${servers.join(', ')}.`}
        />{' '}
        <Action
          label="Connect and include"
          variant="subtle"
          small
          disabled={disabled}
          onClick={onInclude}
        />
      </Notice>
    </Box>
  );
}

/** Filters and the selected pair stay while the tools are the same. */
const keyOf = (tools: readonly AnalysedTool[]): string =>
  tools.map(({ server, name }) => `${server}:${name}`).join('\n');

/** A short comparison shows only the skeleton of the page. */
function Progress({ work, onCancel }: { work: SimilarityWork; onCancel: () => void }) {
  const { progress, analysis } = work;
  return (
    <div className={classes.progress}>
      <WorkBar
        label="Comparing tools"
        done={progress?.done ?? 0}
        total={progress?.total ?? 1}
        pace={
          progress?.stage === 'comparing'
            ? { done: progress.done, total: progress.total, since: work.startedAt }
            : null
        }
        unit={progress?.stage === 'embedding' ? 'text' : 'part'}
        stage={stages[progress?.stage ?? 'listing']}
      >
        <Action label="Cancel" size="xs" onClick={onCancel} />
      </WorkBar>
      {analysis === null && <LoadingSkeleton blocks={[72, 480]} />}
    </div>
  );
}
