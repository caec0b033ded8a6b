import { type ComboboxRenderPillInput, Pill } from '@mantine/core';
import { PlainText } from './Foreign.tsx';

/**
 * A selected name in a tag field. Others choose names, so its invisible characters are shown.
 */
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
