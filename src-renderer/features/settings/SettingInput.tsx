import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { errorOfField } from '../../ui/notices/describeError.ts';
import type { SettingField } from '../../../src-shared/domain/settings.ts';
import { readSetting } from './settingFields.ts';

interface SettingInputProps {
  field: SettingField;
  value: number;
  /** Where the number comes from that new evaluations use. */
  origin: string;
  error: unknown;
  onSave: (value: number) => void;
}

/** A number that is saved on blur or Enter. */
export function SettingInput({ field, value, origin, error, onSave }: SettingInputProps) {
  const [typed, setTyped] = useState<number | string>(value);
  const [problem, setProblem] = useState<string | null>(null);
  const save = (): void => {
    const read = readSetting(field.name, typed);
    setProblem(read.ok ? null : read.problem);
    if (read.ok && read.value !== value) onSave(read.value);
  };
  return (
    <NumberInput
      label={field.label}
      description={`${field.description} ${origin}`}
      w={260}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      step={field.step}
      decimalScale={field.decimals}
      suffix={field.unit}
      value={typed}
      error={problem ?? errorOfField(error, field.name)}
      onChange={(next) => {
        setTyped(next);
        setProblem(null);
      }}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save();
      }}
    />
  );
}
