import { Select, TextInput } from '@mantine/core';

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

/** A model of a provider, at an address. */
export function ModelChoice<Provider extends string>(props: ModelChoiceProps<Provider>) {
  const { providers, value, onChange, portal = true } = props;
  const current = providers.find((one) => one.value === value.provider);
  return (
    <>
      <Select
        label="Provider"
        data={providers.map(({ value: id, label }) => ({ value: id, label }))}
        value={value.provider}
        comboboxProps={{ withinPortal: portal }}
        onChange={(id) => {
          const provider = providers.find((one) => one.value === id)?.value;
          if (provider !== undefined) onChange({ ...value, provider });
        }}
      />
      <TextInput
        label="Model"
        value={value.model}
        maxLength={100}
        onChange={(event) => onChange({ ...value, model: event.currentTarget.value })}
      />
      <TextInput
        label="Base URL"
        placeholder={current?.placeholder ?? ''}
        value={value.baseUrl}
        maxLength={2000}
        onChange={(event) => onChange({ ...value, baseUrl: event.currentTarget.value })}
      />
    </>
  );
}
