import { Group, Stack, Textarea } from '@mantine/core';
import type { TaskPartProps } from './taskPart.ts';
import { nextRow } from './taskForm.ts';
import { AddButton, RemoveButton } from '../../ui/fields/RowButtons.tsx';

/** What the user says, one turn after the other. */
export function TurnFields({ form, problems, onChange }: TaskPartProps) {
  const { turns } = form;
  return (
    <Stack gap="sm" role="group" aria-label="Turns">
      {turns.map(({ row, text }, index) => (
        <Group key={row} align="flex-start" gap="xs" wrap="nowrap">
          <Textarea
            style={{ flex: 1, minWidth: 0 }}
            label={`Turn ${index + 1}`}
            description={index === 0 ? 'What the user says.' : undefined}
            required
            minRows={2}
            maxRows={10}
            autoFocus={text === '' && (turns.length === 1 || index > 0)}
            value={text}
            error={problems[`turns.${index}`]}
            onChange={(event) => {
              const typed = event.currentTarget.value;
              onChange({
                turns: turns.map((turn) => (turn.row === row ? { row, text: typed } : turn)),
              });
            }}
          />
          {turns.length > 1 && (
            <RemoveButton
              label={`Remove turn ${index + 1}`}
              mt={24}
              size="lg"
              onClick={() => onChange({ turns: turns.filter((turn) => turn.row !== row) })}
            />
          )}
        </Group>
      ))}
      <AddButton
        label="Add turn"
        onClick={() => onChange({ turns: [...turns, { row: nextRow(turns), text: '' }] })}
      />
    </Stack>
  );
}
