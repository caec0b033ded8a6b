import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import { draftKinds } from '../../../src-shared/contract/suites.ts';
import { modelConfiguration, type ModelConfiguration } from '../../../src-shared/domain/model.ts';
import { providerTable, remoteProviders } from '../../../src-shared/domain/provider.ts';
import { proposalKinds, type ProposalKind } from './proposalKinds.ts';
import { typed } from '../../ui/fields/typed.ts';

const writers = [
  { value: 'template', label: 'You, in prepared rows' },
  ...remoteProviders.map((provider) => ({ value: provider, label: providerTable[provider].label })),
];

/** Who writes the requests: the person, in rows with the tool and example arguments, or a model. */
export interface ChosenWriter {
  writer: string;
  model: string;
}
export const ownWriter: ChosenWriter = { writer: 'template', model: '' };

/** Null where the person writes. */
export const writerModel = ({ writer, model }: ChosenWriter): ModelConfiguration | null =>
  writer === 'template'
    ? null
    : modelConfiguration.parse({ provider: writer, model: model.trim() });

/** What is missing to propose; null if nothing is. */
export function missingOption(
  kinds: readonly string[],
  { writer, model }: ChosenWriter,
): string | null {
  if (kinds.length === 0) return 'Choose a kind of case first.';
  return writer !== 'template' && model.trim() === '' ? 'Enter the name of the model first.' : null;
}

export function KindChoice(props: {
  value: readonly ProposalKind[];
  onChange: (kinds: ProposalKind[]) => void;
}) {
  const { value, onChange } = props;
  return (
    <Checkbox.Group
      label="Kinds of cases"
      value={[...value]}
      onChange={(next) => onChange(draftKinds.filter((kind) => next.includes(kind)))}
    >
      <Group mt={6} gap="lg" align="flex-start">
        {draftKinds.map((kind) => (
          <Checkbox
            key={kind}
            value={kind}
            label={proposalKinds[kind].label}
            description={proposalKinds[kind].hint}
            maw={250}
          />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

export function WriterChoice(props: {
  value: ChosenWriter;
  onChange: (writer: ChosenWriter) => void;
}) {
  const { value, onChange } = props;
  return (
    <>
      <Select
        w={260}
        label="Written by"
        data={writers}
        value={value.writer}
        onChange={(writer) => onChange({ ...value, writer: writer ?? 'template' })}
      />
      {value.writer !== 'template' && (
        <TextInput
          w={240}
          label="Model"
          {...typed(value.model, (model) => onChange({ ...value, model }))}
        />
      )}
    </>
  );
}
