import { NumberInput, SimpleGrid, Stack } from '@mantine/core';
import { counted } from '../../../src-shared/display/numbers.ts';
import { defaultTaskLimits } from '../../../src-shared/domain/task.ts';
import { Fold } from '../../ui/panels/Fold.tsx';
import { CheckList } from './CheckFields.tsx';
import { InjectionFields } from './InjectionFields.tsx';
import { NameField, OptionFields } from './SharedFields.tsx';
import { SetupCalls, StubResults } from './TaskCallFields.tsx';
import type { TaskPartProps } from './taskPart.ts';
import { TurnFields } from './TurnFields.tsx';
import { UserFields } from './UserFields.tsx';

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
