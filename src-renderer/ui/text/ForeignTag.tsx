import { type ComboboxRenderPillInput, Pill } from '@mantine/core';
import { PlainText } from './PlainText.tsx';

/** A chosen name in a field of tags: whoever gave the name, it shows what is in it. */
export function ForeignTag({ value, option, onRemove, disabled = false }: ComboboxRenderPillInput) {
  const text = value ?? option.label;
  return (
    <Pill
      withRemoveButton={!disabled}
      {...(onRemove === undefined ? {} : { onRemove })}
      disabled={disabled}
    >
      <PlainText text={text} />
    </Pill>
  );
}
