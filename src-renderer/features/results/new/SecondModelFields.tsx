import { Group, Select, Stack, TextInput } from '@mantine/core';
import {
  needsBaseUrl,
  providerTable,
  remoteProviders,
} from '../../../../src-shared/domain/provider.ts';
import { minKappa, minLabels } from '../../../../src-shared/metrics/cohensKappa.ts';
import { FoldedAdditions } from '../../../models/AdditionFields.tsx';
import {
  secondModelNames,
  type SecondModelForm,
  type SecondRole,
} from '../../../models/secondModelForm.ts';
import { typed } from '../../../ui/fields/controls.tsx';

interface SecondModelFieldsProps {
  role: SecondRole;
  form: SecondModelForm;
  faults: ReadonlyMap<string, string>;
  onChange: (form: SecondModelForm) => void;
}

const purposes: Readonly<Record<SecondRole, string>> = {
  judge:
    'Judge checks ask this model whether a run meets a rubric. Its verdicts are advisory until ' +
    `they agree with your labels: κ ≥ ${minKappa} over at least ${minLabels} labels. Of several ` +
    'models, with commas between their names, the majority decides.',
  user:
    'This model plays the people that tasks describe, after the scripted turns. Without it, only ' +
    'the scripted turns are played.',
};
const noModel: Readonly<Record<SecondRole, string>> = {
  judge: 'No judge',
  user: 'Scripted turns only',
};

/** A model beside those under test, and what it is asked for. */
export function SecondModelFields({ role, form, faults, onChange }: SecondModelFieldsProps) {
  const { provider, model, baseUrl, additions } = form;
  const name = secondModelNames[role];
  const none = 'none';
  return (
    <Stack gap="sm">
      <p className="ts-quiet">{purposes[role]}</p>
      <Group align="flex-start" gap="sm">
        <Select
          label={`${name} provider`}
          w={220}
          data={[
            { value: none, label: noModel[role] },
            ...remoteProviders.map((value) => ({ value, label: providerTable[value].label })),
          ]}
          value={provider ?? none}
          onChange={(chosen) =>
            onChange({ ...form, provider: remoteProviders.find((one) => one === chosen) ?? null })
          }
        />
        {provider !== null && (
          <TextInput
            label={`${name} model`}
            w={220}
            maxLength={role === 'judge' ? 1000 : 100}
            {...typed(model, (model) => onChange({ ...form, model }))}
            error={faults.get(`${role}.model`)}
          />
        )}
        {provider !== null && (needsBaseUrl(provider) || baseUrl !== '') && (
          <TextInput
            label={`${name} base URL`}
            w={280}
            {...typed(baseUrl, (baseUrl) => onChange({ ...form, baseUrl }))}
            error={faults.get(`${role}.baseUrl`)}
          />
        )}
      </Group>
      {provider !== null && (
        <FoldedAdditions
          value={additions}
          onChange={(additions) => onChange({ ...form, additions })}
        />
      )}
    </Stack>
  );
}
