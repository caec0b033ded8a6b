import { MultiSelect, Popover, Select, Stack, Switch, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Action, choosing, ticked } from '../../../ui/fields/controls.tsx';
import { additionFaults } from '../../../../src-shared/domain/requestAdditions.ts';
import { EmbeddingFields, typedEmbedding } from '../../../models/EmbeddingFields.tsx';
import {
  readEmbeddingModel,
  similarityMeasures,
  type SimilarityMeasure,
  type SimilarityAnalysis,
} from '../../../../src-shared/domain/similarity.ts';
import { measureTitles } from '../../../../src-shared/display/similarityTexts.ts';
import { defaultAppSettings } from '../../../../src-shared/domain/settings.ts';
import { Fold } from '../../../ui/panels/panels.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { AnalyseInput } from './similarityWork.ts';

interface ToolChoiceProps {
  servers: readonly string[];
  /** Ids of the tools that can be chosen. */
  seen: readonly string[];
  analysis: SimilarityAnalysis | null;
  input: AnalyseInput | null;
  disabled: boolean;
  onCompare: (input: AnalyseInput) => void;
}

/** Which tools are compared, and how. */
export function ToolChoice({ servers, analysis, disabled, ...rest }: ToolChoiceProps) {
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
