import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import {
  needsBaseUrl,
  providerTable,
  remoteProviders,
} from '../../../../src-shared/domain/provider.ts';
import { minKappa, minLabels } from '../../../../src-shared/metrics/cohensKappa.ts';
import type { JudgeForm } from './evaluationForm.ts';

interface JudgeFieldsProps {
  judge: JudgeForm;
  faults: ReadonlyMap<string, string>;
  onChange: (judge: JudgeForm) => void;
}

const none = 'none';

/** The model that judge checks ask. */
export function JudgeFields({ judge, faults, onChange }: JudgeFieldsProps) {
  const { provider, model, baseUrl } = judge;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Judge checks ask this model whether a run meets a rubric. Its verdicts are advisory until
        they agree with your labels: κ ≥ {minKappa} over at least {minLabels} labels.
      </Text>
      <Group align="flex-start" gap="sm">
        <Select
          label="Judge provider"
          w={200}
          allowDeselect={false}
          data={[
            { value: none, label: 'No judge' },
            ...remoteProviders.map((value) => ({ value, label: providerTable[value].label })),
          ]}
          value={provider ?? none}
          onChange={(chosen) => {
            onChange({
              ...judge,
              provider: remoteProviders.find((one) => one === chosen) ?? null,
            });
          }}
        />
        {provider !== null && (
          <TextInput
            label="Judge model"
            w={220}
            maxLength={100}
            value={model}
            error={faults.get('judge.model')}
            onChange={(event) => {
              onChange({ ...judge, model: event.currentTarget.value });
            }}
          />
        )}
        {provider !== null && (needsBaseUrl(provider) || baseUrl !== '') && (
          <TextInput
            label="Judge base URL"
            w={280}
            value={baseUrl}
            error={faults.get('judge.baseUrl')}
            onChange={(event) => {
              onChange({ ...judge, baseUrl: event.currentTarget.value });
            }}
          />
        )}
      </Group>
    </Stack>
  );
}
