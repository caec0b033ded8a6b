import { ActionIcon, Button, Group, Stack, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { TaskPartProps } from './taskPart.ts';
import { nextRow } from './taskForm.ts';

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
            autosize
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
            <ActionIcon
              mt={24}
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove turn ${index + 1}`}
              onClick={() => onChange({ turns: turns.filter((turn) => turn.row !== row) })}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange({ turns: [...turns, { row: nextRow(turns), text: '' }] })}
        >
          Add turn
        </Button>
      </Group>
    </Stack>
  );
}
