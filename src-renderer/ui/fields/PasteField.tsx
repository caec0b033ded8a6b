import { Textarea } from '@mantine/core';
import { typed } from './controls.tsx';

interface PasteFieldProps {
  label: string;
  description?: string;
  minRows: number;
  value: string;
  onChange: (text: string) => void;
}

/** A field to paste text into, next to an area for files. */
export function PasteField({ label, description, minRows, value, onChange }: PasteFieldProps) {
  return (
    <Textarea
      label={label}
      {...(description === undefined ? {} : { description })}
      minRows={minRows}
      maxRows={14}
      spellCheck={false}
      {...typed(value, onChange)}
      styles={{ input: { fontFamily: 'var(--ts-mono)', fontSize: 12 } }}
    />
  );
}
