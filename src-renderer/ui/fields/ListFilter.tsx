import { Select, type SelectProps } from '@mantine/core';

interface ListFilterProps<Value extends string> extends Pick<
  SelectProps<Value>,
  'data' | 'value' | 'onChange' | 'searchable' | 'placeholder' | 'w'
> {
  /** What the rows are chosen by. */
  label: string;
}

/** Which rows a list shows, by one of their properties; all of them if nothing is chosen. */
export function ListFilter<Value extends string>({ label, ...select }: ListFilterProps<Value>) {
  const placeholder = `Any ${label.toLowerCase()}`;
  return <Select size="xs" w={150} clearable aria-label={label} {...{ placeholder }} {...select} />;
}
