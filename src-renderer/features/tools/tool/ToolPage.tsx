import {
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconCircleCheck,
  IconDownload,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { Action } from '../../../ui/fields/controls.tsx';
import { counted, formatCount, formatPValue } from '../../../../src-shared/display/numbers.ts';
import {
  addCasesAddress,
  toolAddress,
  candidateAddress,
} from '../../../../src-shared/display/toolAddresses.ts';
import type { ToolPage as Page } from '../../../../src-shared/domain/toolPage.ts';
import { useRead } from '../../../api/index.ts';
import { type Crumb, LoadedPage, PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Notice } from '../../../ui/notices/notices.tsx';
import { SidePanel, WithPanel, TitledPanel } from '../../../ui/panels/panels.tsx';
import { Foreign, PlainText } from '../../../ui/text/Foreign.tsx';
import { SeenPanel } from '../clients/SeenInClients.tsx';
import { Rating } from '../quality/Rating.tsx';
import { useRating } from '../quality/ratingWork.ts';
import { useTools } from '../table/useTools.ts';
import { editOf } from './describe.ts';
import { Cases, Outcomes } from './Outcomes.tsx';
import { Definition } from './Definition.tsx';
import { Findings } from './Findings.tsx';
import { ToolCall } from './ToolCall.tsx';
import classes from './tool.module.css';
import type { Candidate } from '../../../../src-shared/domain/candidate.ts';
import { useExportPatch } from '../../../saving/useExportPatch.ts';

/** What other features draw on the page of a tool. */
export interface ToolParts {
  /** All candidates of a tool but the one that the page shows itself. */
  Candidates: ComponentType<{ toolId: string; exceptId: string | null }>;
}

/** One tool: what it is, what is wrong with it, how its cases came out, and its fix. */
export function ToolPage({ parts }: { parts: ToolParts }) {
  const { server = '', tool = '' } = useParams();
  const page = useRead((ask) => ask.tools.get, { input: { server, tool } });
  return (
    <LoadedPage crumbs={crumbsOf(server, null, tool)} query={page} blocks={[56, 420]}>
      {(found) => <View key={found.toolId} page={found} parts={parts} />}
    </LoadedPage>
  );
}

const crumbsOf = (server: string, serverId: string | null, tool: string): Crumb[] => [
  { label: 'Tools', to: '/tools' },
  { label: server, ...(serverId !== null && { to: `/servers/${serverId}` }) },
  { label: tool },
];

function View({ page, parts }: { page: Page; parts: ToolParts }) {
  const [params, setParams] = useSearchParams();
  const { toolId, tool, serverId, offered, proven } = page;
  const trying = params.has('try') && serverId !== null && offered && tool.skill === undefined;
  const set = (next: Record<string, string>): void => setParams(next, { replace: true });
  const quality = useTools().list?.rows.find((row) => row.toolId === toolId)?.quality ?? null;
  const rating = useRating(toolId);
  return (
    <>
      <PageHeader
        crumbs={crumbsOf(tool.server, serverId, tool.name)}
        title={<PlainText as="span" className="ts-mono" text={tool.name} />}
        subtitle={
          <>
            <PlainText text={tool.server} />
            {page.findings.length > 0 && ` · ${counted(page.findings.length, 'finding')}`}
            {tokenWords(page)}
            {quality !== null && ` · Quality ${formatCount(quality)} of 10`}
          </>
        }
        actions={
          <>
            {serverId !== null && offered && tool.skill === undefined && (
              <Action
                label="Try it"
                icon={IconPlayerPlay}
                onClick={() => set(trying ? {} : { try: '' })}
              />
            )}
            <Action
              label="Add cases"
              to={addCasesAddress(toolId, page.cases[0]?.suiteId ?? null, toolAddress(toolId))}
              icon={IconPlus}
            />
          </>
        }
        primary={
          <Action
            label="Edit and prove"
            to={editOf(page)}
            filled={proven === null}
            icon={IconPencil}
          />
        }
      />
      {!offered && (
        <Notice tone="warning">
          {serverId === null
            ? 'No registered server offers this tool. This is its text in a result.'
            : 'The server no longer offers this tool. This is its last listing.'}
        </Notice>
      )}
      {page.serverProblem !== null && (
        <Notice tone="warning">
          The server was not reachable when it was last tried. The definition is from the last
          listing. <Foreign text={page.serverProblem} limit={400} />
        </Notice>
      )}
      {proven !== null && <ProvenFix proven={proven} saves={page.provenSaves} />}
      <WithPanel
        panel={
          trying ? (
            <SidePanel title="Try it" onClose={() => set({})}>
              <ToolCall serverId={serverId} tool={tool} />
            </SidePanel>
          ) : null
        }
      >
        <div className={classes.columns} data-narrow={trying}>
          <div className={classes.column}>
            <Definition page={page} />
            <Findings page={page} />
            {serverId !== null && offered && tool.skill === undefined && (
              <SeenPanel server={tool.server} tool={tool.name} />
            )}
            {rating !== null && (
              <TitledPanel
                title={
                  <>
                    Rated by <PlainText text={rating.model} />
                  </>
                }
                label="Rating by a model"
              >
                <div className={classes.body}>
                  <Rating rating={rating} />
                </div>
              </TitledPanel>
            )}
          </div>
          <div className={classes.column}>
            <Outcomes page={page} />
            <Cases page={page} />
          </div>
        </div>
        <parts.Candidates toolId={toolId} exceptId={proven?.id ?? null} />
      </WithPanel>
    </>
  );
}

/** " · 742 tokens, 5 times the average of 140" */
function tokenWords({ tokens, averageTokens }: Page): string {
  if (tokens === null) return '';
  const average = averageTokens === null ? null : Math.round(averageTokens);
  const times = average === null || average === 0 ? 1 : tokens / average;
  const relation =
    average === null || (times > 0.5 && times < 2)
      ? ''
      : times >= 2
        ? `, ${formatCount(Math.round(times))} times the average of ${formatCount(average)}`
        : `, less than half of the average of ${formatCount(average)}`;
  return ` · ${counted(tokens, 'token')}${relation}`;
}

/** The proven candidate that the server doesn't offer yet. */
function ProvenFix({ proven, saves }: { proven: Candidate; saves: number | null }) {
  const { id, proof, modelName, unit } = proven;
  const patch = useExportPatch(id);
  if (proof === null) return null;
  const { won, lost, cases, pValue } = proof;
  return (
    <section className={classes.proven} aria-label="Proven fix">
      <IconCircleCheck size={22} aria-hidden />
      <div className={classes.provenWords}>
        <h2>
          Proven fix: {formatCount(won)} fixed, {formatCount(lost)} broken
        </h2>
        <p>
          <PlainText text={modelName ?? ''} />, {counted(cases, `held-out ${unit}`)}, p ={' '}
          {formatPValue(pValue)}.{' '}
          {saves !== null && saves > 0 && `Saves ${counted(saves, 'token')} in every request. `}
          {saves !== null && saves < 0 && `Adds ${counted(-saves, 'token')} to every request. `}
          The server still offers the old text.
        </p>
      </div>
      <Action label="View candidate" to={candidateAddress(proven)} />
      <Action label="Export patch" filled icon={IconDownload} run={patch} />
    </section>
  );
}
