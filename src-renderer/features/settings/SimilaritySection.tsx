import { Group, NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { Action, choosing } from '../../ui/fields/controls.tsx';
import { modelLabel } from '../../../src-shared/domain/provider.ts';
import type { AppSettings } from '../../../src-shared/domain/settings.ts';
import {
  defaultOverlapWeights,
  overlapWeights,
  similarityMeasures,
  type OverlapWeights,
} from '../../../src-shared/domain/similarity.ts';
import type { TextModel } from '../../../src-shared/domain/textModel.ts';
import { useTextModel } from '../../models/useTextModel.tsx';
import { measureTitles } from '../../../src-shared/display/similarityTexts.ts';
import { formatExact } from '../../../src-shared/display/numbers.ts';
import { Section } from '../../ui/panels/panels.tsx';

interface SimilaritySectionProps {
  values: AppSettings;
  onSave: (part: Partial<AppSettings>) => void;
}

const dimensions = [
  { name: 'semantic', label: 'Semantic', description: 'Embeddings, or TF-IDF of the whole tool.' },
  {
    name: 'parameters',
    label: 'Parameters',
    description: 'Share of parameters with equal names and types.',
  },
  { name: 'description', label: 'Description', description: 'TF-IDF of the descriptions.' },
] as const;

/** What pairs of tools are flagged by, the weights of their overlap, and the model that writes and rates descriptions. */
export function SimilaritySection({ values, onSave }: SimilaritySectionProps) {
  return (
    <>
      <Section title="Similar tools">
        <Select
          label="Order and flag pairs by"
          description="Similarity of the descriptions, or the overlap of several dimensions."
          w={360}
          data={similarityMeasures.map((value) => ({ value, label: measureTitles[value] }))}
          {...choosing(values.similarityMeasure, (similarityMeasure) =>
            onSave({ similarityMeasure }),
          )}
        />
      </Section>
      <Weights
        key={JSON.stringify(values.overlapWeights)}
        value={values.overlapWeights}
        onSave={onSave}
      />
      <TextModelFields
        key={JSON.stringify(values.textModel)}
        value={values.textModel}
        onSave={onSave}
      />
    </>
  );
}

/** Saved together, because changing one of the three alone would break their sum of 1. */
function Weights(props: { value: OverlapWeights; onSave: SimilaritySectionProps['onSave'] }) {
  const { value, onSave } = props;
  const [typed, setTyped] = useState<Record<keyof OverlapWeights, number | string>>(value);
  const read = overlapWeights.safeParse(typed);
  const sum = dimensions.reduce((total, { name }) => total + Number(typed[name]), 0);
  const changed = dimensions.some(({ name }) => typed[name] !== value[name]);
  return (
    <Section title="Weights for tool overlap">
      <Group gap="xl" align="flex-start">
        {dimensions.map(({ name, label, description }) => (
          <NumberInput
            key={name}
            label={label}
            description={description}
            w={260}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={0}
            max={1}
            step={0.05}
            decimalScale={3}
            value={typed[name]}
            onChange={(next) => setTyped({ ...typed, [name]: next })}
          />
        ))}
      </Group>
      <Group mt="sm">
        <Action
          label="Save weights"
          disabled={!changed || !read.success}
          onClick={() => {
            if (read.success) onSave({ overlapWeights: read.data });
          }}
        />
        <Action
          label="Reset"
          disabled={!changed && JSON.stringify(value) === JSON.stringify(defaultOverlapWeights)}
          onClick={() => {
            setTyped(defaultOverlapWeights);
            onSave({ overlapWeights: defaultOverlapWeights });
          }}
        />
        <Text size="sm" role="status" c={changed && !read.success ? 'var(--ts-fn-ink)' : 'dimmed'}>
          {changed && !read.success
            ? Number.isFinite(sum)
              ? `They sum to ${formatExact(sum)}, and must sum to 1.`
              : 'Enter a number for each weight. They must sum to 1.'
            : 'They sum to 1.'}
        </Text>
      </Group>
    </Section>
  );
}

function TextModelFields(props: {
  value: TextModel | null;
  onSave: SimilaritySectionProps['onSave'];
}) {
  const { value, onSave } = props;
  const { typed, model: read, choice, additions } = useTextModel(value, ' when it is saved');
  return (
    <Section title="Model for candidates and ratings">
      <Text size="sm" c="dimmed" mb="sm">
        {value === null ? 'No model set. ' : `${modelLabel(value)}. `}Used only when you ask for a
        rating or a candidate. Set its provider key below.
      </Text>
      <Group gap="xl" align="flex-end">
        {choice}
      </Group>
      {additions}
      <Group mt="sm">
        <Action
          label="Save model"
          disabled={read === null || JSON.stringify(read) === JSON.stringify(value)}
          onClick={() => onSave({ textModel: read })}
        />
        <Action
          label="Use none"
          disabled={value === null}
          onClick={() => onSave({ textModel: null })}
        />
        {read === null && (typed.model !== '' || typed.baseUrl !== '') && (
          <Text size="sm" c="var(--ts-fn-ink)" role="status">
            Enter a model and an address that begins with http or https.
          </Text>
        )}
      </Group>
    </Section>
  );
}
