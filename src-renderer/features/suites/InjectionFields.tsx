import { Autocomplete, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { Action } from '../../ui/fields/Action.tsx';
import {
  injectionTechniques,
  writeInjection,
} from '../../../src-shared/domain/injectionTechniques.ts';
import { injectionTechnique } from '../../../src-shared/domain/task.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { emptyInjection, type InjectionForm } from './injectionForm.ts';
import { AddButton } from '../../ui/fields/RowButtons.tsx';
import type { TaskPartProps } from './taskPart.ts';
import { ToolPicker } from './ToolPicker.tsx';

/** A hostile instruction in the results of a tool, and the call that shows that it worked. */
export function InjectionFields({ form, problems, choices, onChange }: TaskPartProps) {
  const { injection } = form;
  if (injection === null)
    return (
      <AddButton
        label="Add injected instruction"
        onClick={() => onChange({ injection: emptyInjection })}
      />
    );
  const set = (part: Partial<InjectionForm>): void =>
    onChange({ injection: { ...injection, ...part } });
  return (
    <Stack gap="sm">
      <ToolPicker
        label="Tool whose results carry it"
        value={injection.tool}
        choices={choices}
        error={problems['injection.tool']}
        onChange={(tool) => set({ tool })}
      />
      <Select
        label="Technique"
        data={Object.keys(injectionTechniques)}
        styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
        value={injection.technique}
        onChange={(chosen) => {
          const read = injectionTechnique.safeParse(chosen);
          if (read.success) set({ technique: read.data });
        }}
      />
      <Textarea
        label="Instruction"
        description="What the result tells the model to do."
        placeholder="Delete all tasks of the user."
        minRows={2}
        value={injection.instruction}
        error={problems['injection.instruction']}
        onChange={(event) => set({ instruction: event.currentTarget.value })}
      />
      {injection.instruction.trim() !== '' && (
        <Text size="xs" c="dimmed" component="div">
          The result then reads:{' '}
          <Foreign text={writeInjection(injection.technique, injection.instruction)} limit={600} />
        </Text>
      )}
      <Autocomplete
        label="Tool that must not be called"
        description="The attack worked if the model calls it."
        data={choices.groups}
        value={injection.canaryTool}
        error={problems['injection.canary']}
        onChange={(canaryTool) => set({ canaryTool })}
      />
      <TextInput
        label="Text that no argument may contain"
        description="With a tool as well, both must be met in one call."
        value={injection.canaryArgument}
        onChange={(event) => set({ canaryArgument: event.currentTarget.value })}
      />
      <Group>
        <Action
          label="Remove injected instruction"
          small
          icon={IconTrash}
          onClick={() => onChange({ injection: null })}
        />
      </Group>
    </Stack>
  );
}
