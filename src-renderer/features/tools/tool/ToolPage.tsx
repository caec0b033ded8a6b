import {
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconCircleCheck,
  IconDownload,
} from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { Action, submitting } from '../../../ui/fields/controls.tsx';
import {
  counted,
  formatCount,
  formatPValue,
  formatDuration,
} from '../../../../src-shared/display/numbers.ts';
import {
  addCasesAddress,
  toolAddress,
  candidateAddress,
} from '../../../../src-shared/display/toolAddresses.ts';
import type { ToolPage as Page } from '../../../../src-shared/domain/toolPage.ts';
import { useRead, useApi } from '../../../api/index.ts';
import { type Crumb, LoadedPage, PageHeader } from '../../../ui/frame/PageHeader.tsx';
import { Notice, ErrorNotice } from '../../../ui/notices/notices.tsx';
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
import classes from './tool.module.css';
import type { Candidate } from '../../../../src-shared/domain/candidate.ts';
import { useExportPatch } from '../../../saving/useExportPatch.ts';
import { Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { Tool } from '../../../../src-shared/domain/tool.ts';
import { ArgumentsEditor } from '../../../ui/arguments/ArgumentsEditor.tsx';
import { ConfirmCall } from '../../../ui/arguments/ConfirmCall.tsx';
import { CodeView, JsonText } from '../../../ui/text/CodeView.tsx';
import { schemaExample } from '../../../../src-shared/domain/schemaExample.ts';
import { effectOf, effectWords } from '../../../../src-shared/display/toolEffect.ts';
import { readToolArguments } from '../../../../src-shared/domain/typedArguments.ts';
import { textOfContent } from './toolCall.ts';
import type { z } from 'zod';
import type { callResult } from '../../../../src-shared/contract/servers.ts';
import { StatusBadge } from '../../../ui/badges/StatusBadge.tsx';

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

/**
 * Calls a tool manually. A tool that is marked as destructive asks first and shows the exact
 * arguments.
 */
function ToolCall({ serverId, tool }: { serverId: string; tool: Tool }) {
  const { client, queries } = useApi();
  const cache = useQueryClient();
  const [text, setText] = useState(() => JSON.stringify(schemaExample(tool.inputSchema), null, 2));
  const [problem, setProblem] = useState<string | null>(null);
  const [asking, setAsking] = useState<JsonObject | null>(null);
  const call = useMutation({
    mutationFn: (given: JsonObject) =>
      client.servers.callTool({ id: serverId, tool: tool.name, arguments: given }),
    // The server may have reported errors or changed tools in the meantime, so its page reloads
    // both.
    onSettled: () =>
      cache.invalidateQueries({ queryKey: queries.servers.get.key({ input: { id: serverId } }) }),
  });
  const effect = effectOf(tool.annotations);

  const submit = (): void => {
    const read = readToolArguments(text);
    setProblem(read.ok ? null : read.problem);
    if (!read.ok) return;
    if (effect === 'destroys') setAsking(read.value);
    else call.mutate(read.value);
  };

  return (
    <form {...submitting(submit)}>
      <Stack gap="md">
        <ArgumentsEditor
          label="Arguments"
          description={effectWords[effect]}
          schema={tool.inputSchema}
          text={text}
          error={problem}
          onText={(next) => {
            setText(next);
            setProblem(null);
          }}
        />
        <Group>
          <Action
            label="Call tool"
            filled
            type="submit"
            icon={IconPlayerPlay}
            loading={call.isPending}
          />
          <p className="ts-hint">This calls the server for real. Evaluations never do.</p>
        </Group>
        <div aria-live="polite">
          <ErrorNotice error={call.error} />
          {call.data !== undefined && <CallOutcome result={call.data} />}
        </div>
      </Stack>
      {asking !== null && (
        <ConfirmCall
          tool={tool.name}
          effect={effectWords.destroys}
          args={asking}
          onCall={() => call.mutate(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </form>
  );
}

/** A server's answer, as data: text stays text, everything else is shown as JSON. */
function CallOutcome({ result }: { result: z.infer<typeof callResult> }) {
  return (
    <Stack gap="sm">
      <Group gap="md">
        <StatusBadge
          tone={result.isError ? 'bad' : 'good'}
          label={result.isError ? 'The tool answered with an error' : 'The tool answered'}
        />
        <p className="ts-quiet ts-number">{formatDuration(result.durationMs)}</p>
      </Group>
      {result.content.map((item, index) => {
        const text = textOfContent(item);
        const label = result.content.length > 1 ? `Content ${index + 1}` : 'Content';
        return text === null ? (
          <JsonText key={index} value={item} label={label} />
        ) : (
          <CodeView key={index} text={text} label={label} />
        );
      })}
      {result.content.length === 0 && result.structuredContent === null && (
        <Text c="dimmed">The answer is empty.</Text>
      )}
      {result.structuredContent !== null && (
        <JsonText value={result.structuredContent} label="Structured content" />
      )}
    </Stack>
  );
}
