import { Checkbox, PasswordInput, Select, Textarea, TextInput } from '@mantine/core';
import { CommandField } from './CommandField.tsx';
import { NameValueRows } from './NameValueRows.tsx';
import type { ServerForm } from './serverForm.ts';

interface FieldsProps {
  form: ServerForm;
  change: (part: Partial<ServerForm>) => void;
  errorOf: (field: string) => string | undefined;
}

/** How a stdio server is started. */
export function StdioFields({ form, change, errorOf }: FieldsProps) {
  return (
    <>
      <CommandField form={form} error={errorOf('command')} change={change} />
      <Textarea
        label="Arguments"
        description="One per line. Quote arguments that contain line breaks or surrounding spaces."
        minRows={3}
        maxRows={10}
        value={form.args}
        error={errorOf('args')}
        styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
        onChange={(event) => change({ args: event.currentTarget.value })}
      />
      <NameValueRows
        label="Environment"
        noun="variable"
        rows={form.env}
        error={errorOf('env')}
        onChange={(env) => change({ env })}
      />
      <TextInput
        label="Working folder"
        placeholder="Touchstone's working folder"
        value={form.cwd}
        error={errorOf('cwd')}
        onChange={(event) => change({ cwd: event.currentTarget.value })}
      />
      <SecretPart of="arguments" form={form} change={change} />
      <StartTimeout form={form} change={change} errorOf={errorOf} seconds={60} />
    </>
  );
}

/** How an HTTP server is called. */
export function HttpFields({ form, change, errorOf }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Address"
        required
        placeholder="http://127.0.0.1:3000/mcp"
        value={form.url}
        error={errorOf('url')}
        onChange={(event) => change({ url: event.currentTarget.value })}
      />
      <Select
        label="Transport"
        description="Most servers use Streamable HTTP. SSE is the older protocol."
        data={[
          { value: 'streamable-http', label: 'Streamable HTTP' },
          { value: 'sse', label: 'SSE' },
        ]}
        value={form.transport}
        onChange={(value) => change({ transport: value === 'sse' ? 'sse' : 'streamable-http' })}
      />
      <NameValueRows
        label="Headers"
        noun="header"
        rows={form.headers}
        error={errorOf('headers')}
        onChange={(headers) => change({ headers })}
      />
      <Checkbox
        label="Each session has its own data"
        description="Tasks can then use the server at the same time. Otherwise, one run uses it at a time."
        checked={form.isolated}
        onChange={(event) => change({ isolated: event.currentTarget.checked })}
      />
      <SecretPart of="address" form={form} change={change} />
      <StartTimeout form={form} change={change} errorOf={errorOf} seconds={10} />
    </>
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
      value={form.startTimeout}
      error={errorOf('startTimeoutMs')}
      onChange={(event) => change({ startTimeout: event.currentTarget.value })}
    />
  );
}

/** The folder of skills that is read. */
export function SkillsFields({ form, change, errorOf }: FieldsProps) {
  return (
    <TextInput
      label="Folder"
      description="The folder with one subfolder for each skill, which has a SKILL.md."
      required
      placeholder="~/.claude/skills"
      value={form.folder}
      error={errorOf('folder')}
      styles={{ input: { fontFamily: 'var(--ts-mono)' } }}
      onChange={(event) => change({ folder: event.currentTarget.value })}
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
        value={form.secretPart}
        onChange={(event) => change({ secretPart: event.currentTarget.value })}
      />
      <TextInput
        label={`Part of the ${of} that isn’t secret`}
        description="Text that looks like a key and should stay readable, such as an ID. Separate several with spaces."
        autoComplete="off"
        value={form.notSecret.join(' ')}
        onChange={(event) => {
          const text = event.currentTarget.value;
          change({ notSecret: text === '' ? [] : text.split(' ') });
        }}
      />
    </>
  );
}
