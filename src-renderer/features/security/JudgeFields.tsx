import { NumberInput, Select, TextInput } from '@mantine/core';
import { providers, type Provider } from '../../../src-shared/domain/provider.ts';

export interface JudgeForm {
  provider: Provider | null;
  model: string;
  baseUrl: string;
  runs: number;
}

export const noJudge: JudgeForm = { provider: null, model: '', baseUrl: '', runs: 3 };

/** Providers with a model that can judge a text. */
const choices = providers.filter((provider) => provider !== 'builtin' && provider !== 'replay');

/** A model as one more detector, asked several times for each entry. */
export function JudgeFields({
  form,
  onChange,
}: {
  form: JudgeForm;
  onChange: (form: JudgeForm) => void;
}) {
  return (
    <>
      <Select
        label="Model as judge"
        w={180}
        placeholder="none"
        clearable
        data={[...choices]}
        value={form.provider}
        onChange={(value) => {
          onChange({ ...form, provider: choices.find((each) => each === value) ?? null });
        }}
      />
      {form.provider !== null && (
        <>
          <TextInput
            label="Model"
            w={180}
            value={form.model}
            onChange={(event) => {
              onChange({ ...form, model: event.currentTarget.value });
            }}
          />
          {form.provider === 'openai-compatible' && (
            <TextInput
              label="Address"
              w={220}
              value={form.baseUrl}
              onChange={(event) => {
                onChange({ ...form, baseUrl: event.currentTarget.value });
              }}
            />
          )}
          <NumberInput
            label="Runs"
            w={80}
            min={1}
            max={25}
            allowDecimal={false}
            value={form.runs}
            onChange={(value) => {
              onChange({ ...form, runs: typeof value === 'number' && value >= 1 ? value : 1 });
            }}
          />
        </>
      )}
    </>
  );
}
