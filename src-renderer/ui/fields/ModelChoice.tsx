import { Select, TextInput } from '@mantine/core';
import { choosing, typed } from './controls.tsx';

export interface ChosenModel<Provider extends string> {
  provider: Provider;
  model: string;
  /** Empty means the provider's default. */
  baseUrl: string;
}

interface ModelChoiceProps<Provider extends string> {
  providers: readonly { value: Provider; label: string; placeholder: string }[];
  value: ChosenModel<Provider>;
  onChange: (value: ChosenModel<Provider>) => void;
  /** False inside a popover, which a list in a portal would close. */
  portal?: boolean;
}

export function ModelChoice<Provider extends string>(props: ModelChoiceProps<Provider>) {
  const { providers, value, onChange, portal = true } = props;
  const current = providers.find((one) => one.value === value.provider);
  return (
    <>
      <Select
        label="Provider"
        data={providers.map(({ value: id, label }) => ({ value: id, label }))}
        comboboxProps={{ withinPortal: portal }}
        {...choosing(value.provider, (provider) => onChange({ ...value, provider }))}
      />
      <TextInput
        label="Model"
        {...typed(value.model, (model) => onChange({ ...value, model }))}
        maxLength={100}
      />
      <TextInput
        label="Base URL"
        placeholder={current?.placeholder ?? ''}
        {...typed(value.baseUrl, (baseUrl) => onChange({ ...value, baseUrl }))}
        maxLength={2000}
      />
    </>
  );
}
