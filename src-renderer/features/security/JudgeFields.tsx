import { NumberInput, Select, TextInput } from '@mantine/core';
import { needsBaseUrl, remoteProviders } from '../../../src-shared/domain/provider.ts';
import type { JudgeForm } from './judgeForm.ts';

/** A model as an additional detector, asked several times per entry. */
export function JudgeFields(props: { form: JudgeForm; onChange: (form: JudgeForm) => void }) {
  const { form, onChange } = props;
  return (
    <>
      <Select
        label="Model as judge"
        w={180}
        placeholder="none"
        clearable
        data={remoteProviders}
        value={form.provider}
        onChange={(value) =>
          onChange({ ...form, provider: remoteProviders.find((each) => each === value) ?? null })
        }
      />
      {form.provider !== null && (
        <>
          <TextInput
            label="Model"
            w={180}
            value={form.model}
            onChange={(event) => onChange({ ...form, model: event.currentTarget.value })}
          />
          {needsBaseUrl(form.provider) && (
            <TextInput
              label="Base URL"
              w={220}
              value={form.baseUrl}
              onChange={(event) => onChange({ ...form, baseUrl: event.currentTarget.value })}
            />
          )}
          <NumberInput
            label="Runs"
            w={80}
            min={1}
            max={25}
            allowDecimal={false}
            value={form.runs}
            onChange={(value) =>
              onChange({ ...form, runs: typeof value === 'number' && value >= 1 ? value : 1 })
            }
          />
        </>
      )}
    </>
  );
}
