import { Group, NumberInput, Stack, Textarea } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { Action } from '../../ui/fields/Action.tsx';
import { defaultUserTurns } from '../../../src-shared/domain/task.ts';
import { AddButton } from '../../ui/fields/RowButtons.tsx';
import type { TaskPartProps } from './taskPart.ts';
import { emptyUser, type UserForm } from './userForm.ts';

/** A person, played by a second model, who goes on after the scripted turns. */
export function UserFields({ form, problems, onChange }: TaskPartProps) {
  const { user } = form;
  if (user === null)
    return <AddButton label="Add simulated user" onClick={() => onChange({ user: emptyUser })} />;
  const set = (part: Partial<UserForm>): void => onChange({ user: { ...user, ...part } });
  return (
    <Stack gap="sm">
      <p className="ts-quiet">
        After the turns above, a second model answers as this person until the goal is reached. You
        choose that model when you start an evaluation; without one, only the turns are played.
      </p>
      <Textarea
        label="Goal"
        description="What the person wants. The model under test never sees it."
        placeholder="Move the dentist appointment to Friday afternoon."
        minRows={2}
        value={user.goal}
        error={problems['user.goal']}
        onChange={(event) => set({ goal: event.currentTarget.value })}
      />
      <Textarea
        label="Facts"
        description="What the person tells when asked, one fact per line."
        placeholder={'Your user ID is u-1.\nYou are free on Friday after 2 pm.'}
        minRows={2}
        value={user.knows}
        error={problems['user.knows']}
        onChange={(event) => set({ knows: event.currentTarget.value })}
      />
      <Textarea
        label="Manner"
        description="How the person talks. If empty, in plain words."
        placeholder="You are in a hurry and write short messages."
        value={user.persona}
        error={problems['user.persona']}
        onChange={(event) => set({ persona: event.currentTarget.value })}
      />
      <NumberInput
        label="Max replies"
        placeholder={String(defaultUserTurns)}
        w={140}
        min={1}
        max={50}
        clampBehavior="none"
        allowDecimal={false}
        value={user.maxTurns}
        error={problems['user.maxTurns']}
        onChange={(value) => set({ maxTurns: typeof value === 'number' ? value : '' })}
      />
      <Group>
        <Action
          label="Remove simulated user"
          small
          icon={IconTrash}
          onClick={() => onChange({ user: null })}
        />
      </Group>
    </Stack>
  );
}
