import {
  Checkbox,
  PasswordInput,
  Select,
  Textarea,
  TextInput,
  Group,
  Input,
  Stack,
  Tooltip,
} from '@mantine/core';
import { type ServerForm, isSecret, type NameValue } from './serverForm.ts';
import { IconPlus } from '@tabler/icons-react';
import {
  Action,
  RemoveButton,
  choosing,
  held,
  options,
  ticked,
  typed,
} from '../../../ui/fields/controls.tsx';
import { useState } from 'react';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { joinArguments, splitCommand } from './splitCommand.ts';

interface FieldsProps {
  form: ServerForm;
  change: (part: Partial<ServerForm>) => void;
  errorOf: (field: string) => string | undefined;
}

export function StdioFields({ form, change, errorOf }: FieldsProps) {
  return (
    <>
      <CommandField form={form} error={errorOf('command')} change={change} />
      <Textarea
        label="Arguments"
        description="One per line. Quote arguments that contain line breaks or surrounding spaces."
        minRows={3}
        maxRows={10}
        {...typed(form.args, (args) => change({ args }), errorOf('args'))}
        styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
      />
      <NameValueRows
        label="Environment"
        noun="variable"
        {...held(form.env, (env) => change({ env }), errorOf('env'))}
      />
      <TextInput
        label="Working folder"
        placeholder="Touchstone's working folder"
        {...typed(form.cwd, (cwd) => change({ cwd }), errorOf('cwd'))}
      />
      <SecretPart of="arguments" form={form} change={change} />
      <Isolated form={form} change={change} />
      <StartTimeout form={form} change={change} errorOf={errorOf} seconds={60} />
    </>
  );
}

export function HttpFields({ form, change, errorOf }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Address"
        required
        placeholder="http://127.0.0.1:3000/mcp"
        {...typed(form.url, (url) => change({ url }), errorOf('url'))}
      />
      <Select
        label="Transport"
        description="Most servers use Streamable HTTP. SSE is the older protocol."
        data={options({ 'streamable-http': 'Streamable HTTP', sse: 'SSE' })}
        {...choosing(form.transport, (transport) => change({ transport }))}
      />
      <NameValueRows
        label="Headers"
        noun="header"
        {...held(form.headers, (headers) => change({ headers }), errorOf('headers'))}
      />
      <Isolated form={form} change={change} />
      <SecretPart of="address" form={form} change={change} />
      <StartTimeout form={form} change={change} errorOf={errorOf} seconds={10} />
    </>
  );
}

function Isolated({ form, change }: Pick<FieldsProps, 'form' | 'change'>) {
  return (
    <Checkbox
      label="Each session has its own data"
      description="Nothing that a run of a task changes is seen by another one."
      {...ticked(form.isolated, (isolated) => change({ isolated }))}
    />
  );
}

/** How long the server may take to start and answer. */
function StartTimeout({ form, change, errorOf, seconds }: FieldsProps & { seconds: number }) {
  return (
    <TextInput
      label="Start timeout (seconds)"
      description="How long the server may take to start and answer."
      placeholder={String(seconds)}
      inputMode="decimal"
      {...typed(form.startTimeout, (startTimeout) => change({ startTimeout }))}
      error={errorOf('startTimeoutMs')}
    />
  );
}

export function SkillsFields({ form, change, errorOf }: FieldsProps) {
  return (
    <TextInput
      label="Folder"
      description="The folder with one subfolder for each skill, which has a SKILL.md."
      required
      placeholder="~/.claude/skills"
      {...typed(form.folder, (folder) => change({ folder }), errorOf('folder'))}
      styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
    />
  );
}

/** Which parts of a text are stored as secrets instead of in the workspace, and which are not. */
function SecretPart({ of, form, change }: Omit<FieldsProps, 'errorOf'> & { of: string }) {
  return (
    <>
      <PasswordInput
        label={`Secret part of the ${of}`}
        description="Part to store as a secret. Likely keys are detected automatically."
        autoComplete="off"
        {...typed(form.secretPart, (secretPart) => change({ secretPart }))}
      />
      <TextInput
        label={`Part of the ${of} that isn’t secret`}
        description="Text that looks like a key and should stay readable, such as an ID. Separate several with spaces."
        autoComplete="off"
        {...typed(form.notSecret.join(' '), (text) =>
          change({ notSecret: text === '' ? [] : text.split(' ') }),
        )}
      />
    </>
  );
}

interface NameValueRowsProps {
  label: string;
  /** What one row is, in the singular. */
  noun: string;
  value: NameValue[];
  onChange: (rows: NameValue[]) => void;
  error?: string | undefined;
}

/** Pairs of name and value. Values of names that look secret are masked and stored as secrets. */
function NameValueRows({ label, noun, value: rows, onChange, error }: NameValueRowsProps) {
  const change = (key: number, part: Partial<NameValue>): void =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <Input.Wrapper label={label} error={error} labelElement="div">
      <Stack gap="xs" mt={4}>
        {rows.map((row, index) => {
          const secret = isSecret(row);
          // A reference shows where its value is kept, not the value.
          const Value = secret && !row.value.startsWith('${') ? PasswordInput : TextInput;
          return (
            <Group key={row.key} gap="xs" wrap="nowrap">
              <TextInput
                flex={2}
                ff="monospace"
                aria-label={`Name of ${noun} ${index + 1}`}
                {...typed(row.name, (name) => change(row.key, { name }))}
              />
              <Value
                flex={3}
                aria-label={`Value of ${noun} ${index + 1}`}
                {...typed(row.value, (value) => change(row.key, { value }))}
              />
              <Tooltip label="Secret: kept in the keychain, the encrypted file, or memory, never in the database">
                <Checkbox
                  aria-label={`Keep the value of ${noun} ${index + 1} secret`}
                  {...ticked(secret, (secret) => change(row.key, { secret }))}
                />
              </Tooltip>
              <RemoveButton
                label={`Remove ${noun} ${index + 1}`}
                onClick={() => onChange(rows.filter((other) => other.key !== row.key))}
              />
            </Group>
          );
        })}
        <Action
          label={`Add ${noun}`}
          small
          icon={IconPlus}
          style={{ alignSelf: 'flex-start' }}
          onClick={() =>
            onChange([
              ...rows,
              { key: Math.max(-1, ...rows.map((row) => row.key)) + 1, name: '', value: '' },
            ])
          }
        />
      </Stack>
    </Input.Wrapper>
  );
}

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
function CommandField({ form, error, change }: CommandFieldProps) {
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
        {...typed(form.command, (command) => change({ command }), error)}
        styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
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
