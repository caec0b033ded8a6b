import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Action } from '../../../ui/fields/Action.tsx';
import { counted } from '../../../../src-shared/display/numbers.ts';
import type { ServerForm } from './serverForm.ts';
import { joinArguments, splitCommand } from './splitCommand.ts';

interface CommandFieldProps {
  form: ServerForm;
  error: string | undefined;
  change: (part: Partial<ServerForm>) => void;
}

interface SplitLine {
  /** The previous content of the fields, with the whole line as the command. */
  before: Pick<ServerForm, 'command' | 'args' | 'env'>;
  command: string;
  words: string;
}

/**
 * The program name. A whole command line that is entered here is split into its fields, with a
 * notice and an undo. A pasted line replaces the arguments; a typed one keeps them.
 */
export function CommandField({ form, error, change }: CommandFieldProps) {
  const [parted, setParted] = useState<SplitLine | null>(null);
  const [kept, setKept] = useState<string | null>(null);
  const [loaded] = useState(form.command);
  const part = (line: string, argsBefore = ''): boolean => {
    const split = line === kept ? null : splitCommand(line, form.env);
    if (split === null) return false;
    const { command, env, argumentCount, variableCount } = split;
    const args = joinArguments(split.args, argsBefore);
    const parts = [
      'a command',
      ...(argumentCount > 0 ? [counted(argumentCount, 'argument')] : []),
      ...(variableCount > 0 ? [counted(variableCount, 'variable')] : []),
    ];
    setParted({
      before: { command: line, args: form.args, env: form.env },
      command,
      words:
        `Split into ${[parts.slice(0, -1).join(', '), parts.at(-1)].join(' and ')}.` +
        (args === split.args ? '' : ' The arguments from before follow.'),
    });
    change({ command, args, env });
    return true;
  };
  /** Splits what was typed. With arguments, an unchanged program whose path has blanks stays whole. */
  const partTyped = (): boolean =>
    (form.args.trim() === '' || form.command !== loaded) && part(form.command.trim(), form.args);
  const putBack = (before: SplitLine['before']): void => {
    setKept(before.command);
    setParted(null);
    change(before);
  };
  return (
    <div>
      <TextInput
        label="Command"
        description="A program or a full command line. Touchstone splits it into command and arguments."
        required
        placeholder="npx"
        value={form.command}
        error={error}
        styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
        onChange={(event) => change({ command: event.currentTarget.value })}
        onPaste={(event) => {
          const { selectionStart, selectionEnd, value } = event.currentTarget;
          const whole = selectionStart === 0 && selectionEnd === value.length;
          if (whole && part(event.clipboardData.getData('text').trim())) event.preventDefault();
        }}
        onKeyDown={(event) => {
          // The first Enter splits the line visibly; the next one saves.
          if (event.key === 'Enter' && partTyped()) event.preventDefault();
        }}
        onBlur={() => partTyped()}
      />
      {parted !== null && form.command === parted.command && (
        <Group gap="sm" mt={4} role="status">
          <p className="ts-hint">{parted.words}</p>
          <Action label="Undo" size="compact-xs" onClick={() => putBack(parted.before)} />
        </Group>
      )}
    </div>
  );
}
