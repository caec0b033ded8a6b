import { NativeSelect } from '@mantine/core';
import { argumentsModeTexts } from '../../../src-shared/display/evaluationTexts.ts';
import { typed } from './controls.tsx';

type ArgumentsMode = keyof typeof argumentsModeTexts;
const modes = Object.keys(argumentsModeTexts) as ArgumentsMode[];

interface ArgumentsModeFieldProps {
  value: ArgumentsMode | null;
  /** What decides if no mode is chosen. Left out: one has to be chosen. */
  inherited?: string;
  onChange: (mode: ArgumentsMode | null) => void;
}

/** Chooses whether calls may have arguments that no case lists. */
export function ArgumentsModeField({ value, inherited, onChange }: ArgumentsModeFieldProps) {
  return (
    <NativeSelect
      label="Arguments mode"
      description="Whether a call may have arguments that a case doesn’t list."
      data={[
        ...(inherited === undefined ? [] : [{ value: '', label: inherited }]),
        ...modes.map((mode) => ({ value: mode, label: argumentsModeTexts[mode] })),
      ]}
      {...typed(value ?? '', (text) => onChange(modes.find((mode) => mode === text) ?? null))}
    />
  );
}
