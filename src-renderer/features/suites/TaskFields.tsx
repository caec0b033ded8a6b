import { NumberInput, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { counted } from '../../../src-shared/display/numbers.ts';
import { defaultTaskLimits } from '../../../src-shared/domain/task.ts';
import { Fold } from '../../ui/panels/Fold.tsx';
import { nameFrom } from './caseForm.ts';
import { CheckList } from './CheckFields.tsx';
import { InjectionFields } from './InjectionFields.tsx';
import { SetupCalls, StubResults } from './TaskCallFields.tsx';
import type { TaskPartProps } from './taskPart.ts';
import { TurnFields } from './TurnFields.tsx';
import { UserFields } from './UserFields.tsx';

/** A task as a form: what the user says, what must hold afterwards, and what it runs with. */
export function TaskFields({ knownTags, ...part }: TaskPartProps & { knownTags: string[] }) {
  const { form, problems, choices, onChange } = part;
  const broken = (...fields: string[]): boolean =>
    Object.keys(problems).some((key) => fields.includes(key.split('.')[0] ?? ''));
  return (
    <Stack gap="lg">
      <TurnFields {...part} />
      <TextInput
        label="Name"
        placeholder={nameFrom(form.turns[0]?.text ?? '')}
        description="If empty, the start of the first turn."
        value={form.name}
        error={problems['name']}
        onChange={(event) => {
          onChange({ name: event.currentTarget.value });
        }}
      />
      <CheckList {...part} />
      <Fold
        title="Simulated user"
        hint={
          form.user === null
            ? 'A person, played by a second model, who goes on after the turns'
            : form.user.goal
        }
        openFirst={broken('user')}
      >
        <UserFields {...part} />
      </Fold>
      <Fold
        title="Setup"
        hint={
          form.setup.length === 0
            ? 'Calls that prepare the servers before the first turn'
            : counted(form.setup.length, 'call')
        }
        openFirst={broken('setup')}
      >
        <SetupCalls {...part} />
      </Fold>
      <Fold
        title="Stub results"
        hint={
          form.stubs.length === 0
            ? 'Answers for calls if no tool is executed'
            : counted(form.stubs.length, 'result')
        }
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
          <TagsInput
            label="Servers"
            description="Servers whose tools the model sees. If empty, the suite's servers."
            data={choices.servers}
            value={form.servers}
            error={problems['servers']}
            acceptValueOnBlur
            splitChars={[]}
            onChange={(servers) => {
              onChange({ servers });
            }}
          />
          <TagsInput
            label="Tags"
            data={knownTags}
            value={form.tags}
            error={problems['tags']}
            acceptValueOnBlur
            clearable
            onChange={(tags) => {
              onChange({ tags });
            }}
          />
          <TextInput
            label="Key"
            description="The task's ID in the suite file. If empty, it is derived from the name."
            value={form.key}
            error={problems['key']}
            styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
            onChange={(event) => {
              onChange({ key: event.currentTarget.value });
            }}
          />
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
