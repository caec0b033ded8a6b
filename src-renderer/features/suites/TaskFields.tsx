import {
  NumberInput,
  SimpleGrid,
  Stack,
  Group,
  Textarea,
  Autocomplete,
  Select,
  Text,
  TextInput,
} from '@mantine/core';
import { counted } from '../../../src-shared/display/numbers.ts';
import {
  defaultTaskLimits,
  defaultUserTurns,
  injectionTechnique,
} from '../../../src-shared/domain/task.ts';
import { readObject } from '../../ui/arguments/argumentFields.ts';
import { ArgumentsEditor } from '../../ui/arguments/ArgumentsEditor.tsx';
import { Fold } from '../../ui/panels/panels.tsx';
import { CheckList } from './CheckFields.tsx';
import { NameField, OptionFields } from './SharedFields.tsx';
import { CallList, StubResults } from './TaskCallFields.tsx';
import type { TaskPartProps } from './taskPart.ts';
import { nextRow } from './taskForm.ts';
import {
  Action,
  AddButton,
  RemoveButton,
  choosing,
  held,
  typed,
  whole,
} from '../../ui/fields/controls.tsx';
import { IconTrash } from '@tabler/icons-react';
import { emptyUser, type UserForm } from './userForm.ts';
import { writeInjection } from '../../../src-shared/domain/injectionTechniques.ts';
import { Foreign } from '../../ui/text/Foreign.tsx';
import { emptyInjection, type InjectionForm } from './injectionForm.ts';
import { circumstancesSchema } from './partSchemas.ts';
import { ToolPicker } from './ToolPicker.tsx';

/** How many a closed part holds, or what it is for. */
const hintOf = (rows: readonly unknown[], noun: string, purpose: string): string =>
  rows.length === 0 ? purpose : counted(rows.length, noun);

/** A task as a form: what the user says, what must hold afterwards, and what it runs with. */
export function TaskFields({ knownTags, ...part }: TaskPartProps & { knownTags: string[] }) {
  const { form, problems, onChange } = part;
  const broken = (...fields: string[]): boolean =>
    Object.keys(problems).some((key) => fields.includes(key.split('.')[0] ?? ''));
  return (
    <Stack gap="lg">
      <TurnFields {...part} />
      <NameField
        form={form}
        problems={problems}
        onChange={onChange}
        said={form.turns[0]?.text ?? ''}
        of="first turn"
      />
      <CheckList {...part} />
      <Fold
        title="Simulated user"
        hint={form.user?.goal ?? 'A person, played by a second model, who goes on after the turns'}
        openFirst={broken('user')}
      >
        <UserFields {...part} />
      </Fold>
      <Fold
        title="Files, data and faults"
        hint={
          Object.keys(readObject(form.fixtures) ?? {}).join(', ') ||
          'What a run finds when it starts, and what tools do wrong on purpose'
        }
        openFirst={broken('fixtures')}
      >
        <ArgumentsEditor
          label="Files, data and faults"
          schema={circumstancesSchema(part.choices)}
          text={form.fixtures}
          error={problems['fixtures']}
          onText={(fixtures) => onChange({ fixtures })}
        />
      </Fold>
      <Fold
        title="Setup"
        hint={hintOf(form.setup, 'call', 'Calls that prepare the servers before the first turn')}
        openFirst={broken('setup')}
      >
        <CallList {...part} list="setup" />
      </Fold>
      <Fold
        title="Reference solution"
        hint={hintOf(form.solution, 'call', 'Calls that do what the user asks for')}
        openFirst={broken('solution')}
      >
        <CallList {...part} list="solution" />
      </Fold>
      <Fold
        title="Stub results"
        hint={hintOf(form.stubs, 'result', 'Answers for calls if no tool is executed')}
        openFirst={broken('stubs')}
      >
        <StubResults {...part} />
      </Fold>
      <Fold
        title="Injected instruction"
        hint={form.injection?.technique ?? 'A hostile text in the results of a tool'}
        openFirst={broken('injection')}
      >
        <InjectionFields {...part} />
      </Fold>
      <Fold
        title="More options"
        hint="Limits, servers, tags, key"
        openFirst={broken('limits', 'tags', 'servers', 'key')}
      >
        <Stack gap="lg">
          <Limits {...part} />
          <OptionFields {...part} unit="task" knownTags={knownTags} />
        </Stack>
      </Fold>
    </Stack>
  );
}

const limitLabels = {
  steps: 'Steps',
  toolCalls: 'Tool calls',
  seconds: 'Seconds',
  tokens: 'Tokens',
} as const;
const limits = ['steps', 'toolCalls', 'seconds', 'tokens'] as const;

function Limits({ form, problems, onChange }: TaskPartProps) {
  return (
    <SimpleGrid cols={2} role="group" aria-label="Limits of a run">
      {limits.map((name) => (
        <NumberInput
          key={name}
          label={`Max ${limitLabels[name].toLowerCase()}`}
          placeholder={String(defaultTaskLimits[name])}
          min={1}
          clampBehavior="none"
          allowDecimal={false}
          thousandSeparator=","
          value={form.limits[name]}
          error={problems[`limits.${name}`]}
          onChange={(value) => {
            const typed = typeof value === 'number' ? value : ('' as const);
            onChange({ limits: { ...form.limits, [name]: typed } });
          }}
        />
      ))}
    </SimpleGrid>
  );
}

/** What the user says, one turn after the other. */
function TurnFields({ form, problems, onChange }: TaskPartProps) {
  const { turns } = form;
  const change = (row: number, text: string): void =>
    onChange({ turns: turns.map((turn) => (turn.row === row ? { row, text } : turn)) });
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
            {...typed(text, (said) => change(row, said), problems[`turns.${index}`])}
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

/** A person, played by a second model, who goes on after the scripted turns. */
function UserFields({ form, problems, onChange }: TaskPartProps) {
  const { user } = form;
  if (user === null)
    return <AddButton label="Add simulated user" onClick={() => onChange({ user: emptyUser })} />;
  const set = (part: Partial<UserForm>): void => onChange({ user: { ...user, ...part } });
  return (
    <Stack gap="sm">
      <p className="ts-quiet">
        After the turns above, a second model answers as this person until the goal is reached. You
        choose that model when you start an evaluation; without one, the script is played, or only
        the turns.
      </p>
      <Textarea
        label="Goal"
        description="What the person wants. The model under test never sees it."
        placeholder="Move the dentist appointment to Friday afternoon."
        minRows={2}
        {...typed(user.goal, (goal) => set({ goal }), problems['user.goal'])}
      />
      <Textarea
        label="Facts"
        description="What the person tells when asked, one fact per line."
        placeholder={'Your user ID is u-1.\nYou are free on Friday after 2 pm.'}
        minRows={2}
        {...typed(user.knows, (knows) => set({ knows }), problems['user.knows'])}
      />
      <Textarea
        label="Manner"
        description="How the person talks. If empty, in plain words."
        placeholder="You are in a hurry and write short messages."
        {...typed(user.persona, (persona) => set({ persona }), problems['user.persona'])}
      />
      <Textarea
        label="Script"
        description="For tests: what the person says if no model plays them, one reply per line."
        {...typed(user.script, (script) => set({ script }), problems['user.script'])}
      />
      <NumberInput
        label="Max replies"
        placeholder={String(defaultUserTurns)}
        w={140}
        clampBehavior="none"
        {...whole(1, 50)}
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

/** A hostile instruction in the results of a tool, and the call that shows that it worked. */
function InjectionFields({ form, problems, choices, onChange }: TaskPartProps) {
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
        choices={choices}
        {...held(injection.tool, (tool) => set({ tool }), problems['injection.tool'])}
      />
      <Select
        label="Technique"
        data={injectionTechnique.options}
        styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
        {...choosing(injection.technique, (technique) => set({ technique }))}
      />
      <Textarea
        label="Instruction"
        description="What the result tells the model to do."
        placeholder="Delete all tasks of the user."
        minRows={2}
        {...typed(injection.instruction, (instruction) => set({ instruction }))}
        error={problems['injection.instruction']}
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
        {...typed(injection.canaryArgument, (canaryArgument) => set({ canaryArgument }))}
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
