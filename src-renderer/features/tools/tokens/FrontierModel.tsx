import { Select, TextInput } from '@mantine/core';
import {
  modelConfiguration,
  type ModelConfiguration,
} from '../../../../src-shared/domain/model.ts';
import {
  exampleBaseUrl,
  needsBaseUrl,
  onlyModelOf,
  providers,
  providerTable,
  type Provider,
} from '../../../../src-shared/domain/provider.ts';

export interface FrontierModelForm {
  provider: Provider;
  model: string;
  baseUrl: string;
}

export const noModel: FrontierModelForm = { provider: 'builtin', model: '', baseUrl: '' };

/** A recording holds the answers to one list of tools, but a frontier asks with many. */
const choices = providers.filter((provider) =>
  ['local', 'endpoint'].includes(providerTable[provider].kind),
);

/** The configuration of the form; null while it is incomplete. */
export function modelOf(props: FrontierModelForm): ModelConfiguration | null {
  const { provider, model, baseUrl } = props;
  if (needsBaseUrl(provider) && baseUrl.trim() === '') return null;
  const read = modelConfiguration.safeParse({
    provider,
    model: onlyModelOf(provider) ?? model.trim(),
    baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
  });
  return read.success ? read.data : null;
}

/** The model that chooses among the shown tools. */
export function FrontierModel(props: {
  form: FrontierModelForm;
  onChange: (form: FrontierModelForm) => void;
}) {
  const { form, onChange } = props;
  const remote = onlyModelOf(form.provider) === null;
  return (
    <>
      <Select
        label="Model"
        w={240}
        data={choices.map((value) => ({ value, label: providerTable[value].label }))}
        value={form.provider}
        onChange={(value) => {
          const provider = choices.find((each) => each === value) ?? 'builtin';
          onChange({ provider, model: '', baseUrl: needsBaseUrl(provider) ? exampleBaseUrl : '' });
        }}
      />
      {remote && (
        <TextInput
          label="Model name"
          w={180}
          value={form.model}
          maxLength={100}
          onChange={(event) => onChange({ ...form, model: event.currentTarget.value })}
        />
      )}
      {remote && (
        <TextInput
          label="Base URL"
          w={230}
          placeholder="the provider's default"
          value={form.baseUrl}
          maxLength={2000}
          onChange={(event) => onChange({ ...form, baseUrl: event.currentTarget.value })}
        />
      )}
    </>
  );
}
