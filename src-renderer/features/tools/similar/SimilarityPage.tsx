import { Box, MultiSelect, Popover, Select, Stack, Switch, Text } from '@mantine/core';
import { IconCopy, IconChevronDown } from '@tabler/icons-react';
import { Action, choosing, ticked } from '../../../ui/fields/controls.tsx';
import {
  type AnalysedTool,
  minTools,
  readEmbeddingModel,
  similarityMeasures,
  type SimilarityMeasure,
  type SimilarityAnalysis,
} from '../../../../src-shared/domain/similarity.ts';
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
import type { SimilarityWork, AnalyseInput } from './similarityWork.ts';
import { useSimilarity, useVerdict } from './useSimilarity.ts';
import classes from './similarity.module.css';
import { useState } from 'react';
import { Link } from 'react-router';
import { additionFaults } from '../../../../src-shared/domain/requestAdditions.ts';
import { EmbeddingFields, typedEmbedding } from '../../../models/EmbeddingFields.tsx';
import { measureTitles } from '../../../../src-shared/display/similarityTexts.ts';
import { defaultAppSettings } from '../../../../src-shared/domain/settings.ts';
import { Fold } from '../../../ui/panels/panels.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';

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

interface ToolChoiceProps {
  servers: readonly string[];
  /** Ids of the tools that can be chosen. */
  seen: readonly string[];
  analysis: SimilarityAnalysis | null;
  input: AnalyseInput | null;
  disabled: boolean;
  onCompare: (input: AnalyseInput) => void;
}

function ToolChoice({ servers, analysis, disabled, ...rest }: ToolChoiceProps) {
  const [open, setOpen] = useState(false);
  const compared = new Set(analysis?.tools.map(({ server }) => server));
  return (
    <Popover width={400} position="bottom-end" trapFocus opened={open} onChange={setOpen}>
      <Popover.Target>
        <Action
          label={
            analysis === null
              ? 'Choose tools'
              : `${counted(compared.size, 'server')} · ${counted(analysis.tools.length, 'tool')}`
          }
          disabled={disabled}
          after={IconChevronDown}
          onClick={() => setOpen(!open)}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <ChoiceForm
          {...rest}
          servers={servers}
          used={analysis?.measure ?? defaultAppSettings.similarityMeasure}
          onCompare={(input) => {
            setOpen(false);
            rest.onCompare(input);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function ChoiceForm(
  props: Omit<ToolChoiceProps, 'analysis' | 'disabled'> & { used: SimilarityMeasure },
) {
  const { servers, seen, input, used, onCompare } = props;
  const [chosen, setChosen] = useState<string[]>([...(input?.input.serverList ?? servers)]);
  const [only, setOnly] = useState<string[]>([...(input?.toolIds ?? [])]);
  const [measure, setMeasure] = useState(used);
  const [full, setFull] = useState(input?.computeFullSimilarity ?? false);
  const [embed, setEmbed] = useState((input?.embeddingModel ?? null) !== null);
  const [embedding, setEmbedding] = useState(typedEmbedding(input?.embeddingModel ?? null));
  const named = chosen.filter((name) => servers.includes(name));
  const choosable = seen.filter((id) => named.some((server) => id.startsWith(`${server}:`)));
  const tools = only.filter((id) => choosable.includes(id));
  const ready =
    named.length > 0 &&
    tools.length !== 1 &&
    (!embed || (embedding.model.trim() !== '' && additionFaults(embedding.additions).size === 0));
  const compare = (): void =>
    onCompare({
      input: { serverList: named },
      ...(tools.length === 0 ? {} : { toolIds: tools }),
      measure,
      computeFullSimilarity: full,
      embeddingModel: embed ? readEmbeddingModel(embedding) : null,
    });
  return (
    <Stack gap="sm">
      <MultiSelect
        label="Servers"
        data={[...servers]}
        value={named}
        onChange={setChosen}
        searchable
        hidePickedOptions
        comboboxProps={{ withinPortal: false }}
        placeholder={named.length === 0 ? 'Choose servers' : ''}
      />
      {choosable.length > 0 && (
        <MultiSelect
          label="Only these tools"
          data={choosable}
          value={tools}
          onChange={setOnly}
          searchable
          clearable
          hidePickedOptions
          limit={200}
          comboboxProps={{ withinPortal: false }}
          error={tools.length === 1 ? 'Choose at least two.' : undefined}
          placeholder={tools.length === 0 ? 'All tools' : ''}
        />
      )}
      <Fold title="How they are compared">
        <Stack gap="sm" pb="sm">
          <Select
            label="Order and flag pairs by"
            description="Similarity of the descriptions, or the overlap of several dimensions."
            comboboxProps={{ withinPortal: false }}
            data={similarityMeasures.map((value) => ({ value, label: measureTitles[value] }))}
            {...choosing(measure, setMeasure)}
          />
          <Switch
            label="Also score name, description and parameters as one text"
            {...ticked(full, setFull)}
          />
          <Switch label="Use embeddings" {...ticked(embed, setEmbed)} />
          {embed && (
            <EmbeddingFields
              value={embedding}
              onChange={(part) => setEmbedding({ ...embedding, ...part })}
            />
          )}
          <Text size="sm">
            <Link to="/settings">Change the default and the weights of the overlap</Link>
          </Text>
        </Stack>
      </Fold>
      <Action label="Compare tools" disabled={!ready} onClick={compare} />
    </Stack>
  );
}
