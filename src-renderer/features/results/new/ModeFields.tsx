import { Radio, Stack } from '@mantine/core';
import { modeTexts } from '../../../../src-shared/display/executionTexts.ts';
import { executionModes, type ExecutionMode } from '../../../../src-shared/domain/task.ts';

interface ModeFieldsProps {
  mode: ExecutionMode;
  onChange: (mode: ExecutionMode) => void;
}

/** What an evaluation of tasks may execute. The suite has no say in it. */
export function ModeFields({ mode, onChange }: ModeFieldsProps) {
  return (
    <Radio.Group
      aria-label="Execution mode"
      value={mode}
      onChange={(value) => {
        onChange(executionModes.find((one) => one === value) ?? 'stub');
      }}
    >
      <Stack gap="sm">
        {executionModes.map((one) => (
          <Radio
            key={one}
            value={one}
            label={modeTexts[one].title}
            description={modeTexts[one].meaning}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
