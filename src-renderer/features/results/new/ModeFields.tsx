import { Radio, Stack } from '@mantine/core';
import { executionNeedText, modeTexts } from '../../../../src-shared/display/executionTexts.ts';
import { executionModes, type ExecutionMode } from '../../../../src-shared/domain/task.ts';
import type { Suite } from '../../../../src-shared/domain/testCase.ts';

interface ModeFieldsProps {
  mode: ExecutionMode;
  /** Of which suite the needs are shown. */
  suite?: Pick<Suite, 'taskCount' | 'executedTaskCount'> | undefined;
  onChange: (mode: ExecutionMode) => void;
}

/** What an evaluation of tasks may execute, and how many of its tasks need it. */
export function ModeFields({ mode, suite, onChange }: ModeFieldsProps) {
  return (
    <Radio.Group
      aria-label="Execution mode"
      description={suite === undefined ? undefined : executionNeedText(suite)}
      value={mode}
      onChange={(value) => onChange(executionModes.find((one) => one === value) ?? 'stub')}
    >
      <Stack gap="sm" mt="xs">
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
