import { isSecretByName } from '../../../../src-shared/domain/credentialNames.ts';
import {
  readStartTimeout,
  type Server,
  type ServerInput,
  serverInput,
  startTimeoutNeeds,
} from '../../../../src-shared/domain/server.ts';

export interface NameValue {
  /** Identifies the row while it is edited. */
  key: number;
  name: string;
  value: string;
  /** Whether the value is stored as a secret. Absent: decided by its name. */
  secret?: boolean;
}

/** The content of the form. Every transport keeps its fields when the user switches. */
export interface ServerForm {
  name: string;
  transport: Server['config']['transport'];
  command: string;
  /** One argument per line. */
  args: string;
  cwd: string;
  env: NameValue[];
  url: string;
  headers: NameValue[];
  /** Runs of tasks may use an HTTP server at the same time. */
  isolated: boolean;
  /** Seconds that it may take to start and answer; empty for the default. */
  startTimeout: string;
  /** Of a folder of skills. */
  folder: string;
  /** A part of the arguments or of the address to store as a secret. */
  secretPart: string;
  /** Texts that look like credentials and are none. */
  notSecret: string[];
  /** Whether its tools are listed once it has answered. */
  listTools: boolean;
}

export type FieldProblems = Readonly<Record<string, string>>;

export const emptyServerForm: ServerForm = {
  name: '',
  transport: 'stdio',
  command: '',
  args: '',
  cwd: '',
  env: [],
  url: '',
  headers: [],
  isolated: false,
  startTimeout: '',
  folder: '',
  secretPart: '',
  notSecret: [],
  listTools: true,
};

/**
 * An argument that a line can't represent (empty, with a line break, padded, or itself quoted) is
 * written as a JSON string.
 */
export function argumentLine(argument: string): string {
  const plain =
    argument !== '' &&
    argument === argument.trim() &&
    !argument.startsWith('"') &&
    !/[\r\n]/.test(argument);
  return plain ? argument : JSON.stringify(argument);
}

export function readArguments(lines: string): string[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(readArgument);
}

function readArgument(line: string): string {
  if (!line.startsWith('"')) return line;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? value : line;
  } catch {
    return line;
  }
}

function rows(record: Record<string, string>, notSecret: readonly string[]): NameValue[] {
  return Object.entries(record).map(([name, value], key) => ({
    key,
    name,
    value,
    ...(notSecret.includes(value) && { secret: false }),
  }));
}

export function formOfServer({ name, config }: Pick<Server, 'name' | 'config'>): ServerForm {
  const start = { ...emptyServerForm, name, transport: config.transport };
  if (config.transport === 'skills') return { ...start, folder: config.folder };
  const base = { ...start, isolated: config.isolated === true };
  const { notSecret = [], startTimeoutMs } = config;
  const startTimeout = startTimeoutMs == null ? '' : String(startTimeoutMs / 1000);
  if (config.transport !== 'stdio')
    return {
      ...base,
      url: config.url,
      headers: rows(config.headers, notSecret),
      notSecret,
      startTimeout,
    };
  return {
    ...base,
    command: config.command,
    args: config.args.map(argumentLine).join('\n'),
    cwd: config.cwd ?? '',
    env: rows(config.env, notSecret),
    startTimeout,
    notSecret,
  };
}

/** Rows as a record. A row without a name but with a value, and a duplicate name, are problems. */
function record(
  list: NameValue[],
  field: string,
  problems: Record<string, string>,
): Record<string, string> {
  const entries: [string, string][] = [];
  for (const { name, value } of list) {
    const trimmed = name.trim();
    if (trimmed === '' && value === '') continue;
    if (trimmed === '') problems[field] = 'Enter a name for each value.';
    else if (entries.some(([other]) => other === trimmed))
      problems[field] = `“${trimmed}” is not unique.`;
    entries.push([trimmed, value]);
  }
  return Object.fromEntries(entries);
}

/** Texts of the form that are stored as secrets; references aren't values. */
function secretsOf(form: ServerForm): string[] {
  if (form.transport === 'skills') return [];
  const rows = form.transport === 'stdio' ? form.env : form.headers;
  const values = rows.filter((row) => isSecret(row)).map(({ value }) => value.trim());
  return [...new Set([...values, form.secretPart.trim()])].filter(
    (value) => value !== '' && !value.includes('${'),
  );
}

/** Texts that stay readable although they look like credentials. */
function notSecretOf(form: ServerForm): { notSecret?: string[] } {
  const rows = form.transport === 'stdio' ? form.env : form.headers;
  const plain = rows.flatMap(({ secret, value }) =>
    secret === false && value !== '' ? value : [],
  );
  const marked = [...new Set([...plain, ...form.notSecret])];
  const hidden = rows.flatMap((row) => (row.secret === true ? row.value : []));
  const notSecret = marked.filter((text) => !hidden.includes(text));
  return notSecret.length === 0 ? {} : { notSecret };
}

export function isSecret(row: NameValue): boolean {
  return row.secret ?? isSecretByName(row.name, row.value);
}

function startTimeoutOf({ startTimeout }: ServerForm, problems: Record<string, string>) {
  if (startTimeout.trim() === '') return {};
  const startTimeoutMs = readStartTimeout(startTimeout);
  if (startTimeoutMs !== null) return { startTimeoutMs };
  problems['startTimeoutMs'] = `Enter ${startTimeoutNeeds}.`;
  return {};
}

export type FormResult<T> = { ok: true; input: T } | { ok: false; problems: FieldProblems };

function configOf(form: ServerForm, problems: Record<string, string>): object {
  const { transport } = form;
  if (transport === 'skills') return { transport, folder: form.folder.trim() };
  if (transport === 'stdio')
    return {
      transport,
      command: form.command.trim(),
      args: readArguments(form.args),
      cwd: form.cwd.trim() === '' ? null : form.cwd.trim(),
      env: record(form.env, 'env', problems),
      ...(form.isolated && { isolated: true }),
      ...startTimeoutOf(form, problems),
      ...notSecretOf(form),
    };
  return {
    transport,
    url: form.url.trim(),
    headers: record(form.headers, 'headers', problems),
    ...(form.isolated && { isolated: true }),
    ...startTimeoutOf(form, problems),
    ...notSecretOf(form),
  };
}

/** The form as the contract takes it, or the problem of each field by its name in the form. */
export function inputOfForm(
  form: ServerForm,
): FormResult<ServerInput & { secrets: string[]; listTools: boolean }> {
  const problems: Record<string, string> = {};
  const config = configOf(form, problems);
  const parsed = serverInput.safeParse({ name: form.name, config });
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const field = String(
        issue.path[0] === 'config' ? (issue.path[1] ?? 'transport') : (issue.path[0] ?? 'name'),
      );
      problems[field] ??= issue.message;
    }
    return { ok: false, problems };
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  const { listTools } = form;
  return { ok: true, input: { ...parsed.data, secrets: secretsOf(form), listTools } };
}
