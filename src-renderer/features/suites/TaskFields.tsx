import { NumberInput, SimpleGrid, Stack, Group, Textarea } from '@mantine/core';
import { counted } from '../../../src-shared/display/numbers.ts';
import { defaultTaskLimits } from '../../../src-shared/domain/task.ts';
import { readObject } from '../../ui/arguments/argumentFields.ts';
import { ArgumentsEditor, problemsWithin } from '../../ui/arguments/ArgumentsEditor.tsx';
import { Fold } from '../../ui/panels/panels.tsx';
import { CheckList } from './CheckFields.tsx';
import { NameField, OptionFields } from './SharedFields.tsx';
import { CallList, StubResults } from './TaskCallFields.tsx';
import type { TaskPartProps } from './taskPart.ts';
import { nextRow } from './taskForm.ts';
import { AddButton, RemoveButton, typed } from '../../ui/fields/controls.tsx';
import { partSchema, type TaskPart } from './partSchemas.ts';

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
      <PartFields
        {...part}
        name="user"
        title="Simulated user"
        hint="A person, played by a second model, who goes on after the turns"
      />
      <PartFields
        {...part}
        name="fixtures"
        title="Files, data and faults"
        hint="What a run finds when it starts, and what tools do wrong on purpose"
      />
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
      <PartFields
        {...part}
        name="injection"
        title="Injected instruction"
        hint="A hostile text in the results of a tool"
      />
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

interface PartFieldsProps extends TaskPartProps {
  name: TaskPart;
  title: string;
  /** What the part is for, while it has nothing. */
  hint: string;
}

/** A part of a task that most tasks don't have, as the suite file describes it. */
function PartFields({ name, title, hint, form, problems, choices, onChange }: PartFieldsProps) {
  const wrong = problemsWithin(problems, name);
  return (
    <Fold
      title={title}
      hint={Object.keys(readObject(form[name]) ?? {}).join(', ') || hint}
      openFirst={problems[name] !== undefined || Object.keys(wrong).length > 0}
    >
      <ArgumentsEditor
        label={title}
        isTitled
        schema={partSchema(name, choices)}
        text={form[name]}
        error={problems[name]}
        problems={wrong}
        onText={(text) => onChange({ [name]: text })}
      />
    </Fold>
  );
}
