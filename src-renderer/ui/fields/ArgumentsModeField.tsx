import { NativeSelect } from '@mantine/core';
import { argumentsModeTexts } from '../../../src-shared/display/evaluationTexts.ts';

type ArgumentsMode = keyof typeof argumentsModeTexts;

interface ArgumentsModeFieldProps {
  value: ArgumentsMode | null;
  /** What decides if no mode is chosen. Left out: one has to be chosen. */
  inherited?: string;
  onChange: (mode: ArgumentsMode | null) => void;
}

const modes = Object.entries(argumentsModeTexts).map(([value, label]) => ({ value, label }));
const isMode = (value: string): value is ArgumentsMode => value in argumentsModeTexts;

/** Chooses whether calls may have arguments that no case lists. */
export function ArgumentsModeField({ value, inherited, onChange }: ArgumentsModeFieldProps) {
  return (
    <NativeSelect
      label="Arguments mode"
      description="Whether a call may have arguments that a case doesn’t list."
      data={[...(inherited === undefined ? [] : [{ value: '', label: inherited }]), ...modes]}
      value={value ?? ''}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        onChange(isMode(chosen) ? chosen : null);
      }}
    />
  );
}
