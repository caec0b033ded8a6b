import { Select } from '@mantine/core';
import { clientNames } from '../../src-shared/display/clientTexts.ts';
import { presentedAs, type PresentedAs } from '../../src-shared/domain/clientFacts.ts';

interface PresentAsFieldProps {
  value: PresentedAs | null;
  /** What no choice means. */
  otherwise: string;
  onChange: (value: PresentedAs | null) => void;
}

/** The client as which tools are shown to models. */
export function PresentAsField({ value, otherwise, onChange }: PresentAsFieldProps) {
  return (
    <Select
      label="Present tools as"
      description="With the names, texts and order of a client. Tools that it hides aren’t offered."
      placeholder={otherwise}
      clearable
      data={presentedAs.options.map((one) => ({
        value: one,
        label: one === 'generic' ? 'The provider takes them' : clientNames[one],
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
