import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { clientAct } from '../../../src-shared/domain/clientConfig.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';

export interface ServedCommand {
  command: string;
  args: readonly string[];
}

export interface ClientEntry extends ServedCommand {
  name: string;
  /** Whether an entry of its name is one that an earlier version or another workspace wrote. */
  isOwn: (found: JsonObject) => boolean;
  /** Whether it takes the place of the entry of another server of its name. */
  replacesOthers: boolean;
}

/**
 * What becomes of an entry of its name: its own one is brought up to date, and keeps what was added to
 * it, such as `env`; another one is replaced as a whole, or left alone.
 */
export function replacing(
  entry: ClientEntry,
  found: JsonValue,
): 'its start' | 'all of it' | 'nothing' {
  if (!isJsonObject(found)) return 'nothing';
  if (entry.isOwn(splitEntry(found))) return 'its start';
  return entry.replacesOthers ? 'all of it' : 'nothing';
}

/**
 * By which a client says whether, how long, and with whose consent it uses the tools of a server:
 * what a person chooses in its window is written into the entry. None of it belongs to the server.
 */
const choices: ReadonlySet<string> = new Set([
  ...['enabled', 'disabled', 'trust', 'autoApprove', 'alwaysAllow', 'alwaysLoadTools', 'required'],
  ...['timeout', 'startup_timeout_sec', 'startup_timeout_ms', 'tool_timeout_sec'],
  ...['tools', 'includeTools', 'excludeTools', 'enabled_tools', 'disabled_tools', 'disabledTools'],
  ...['available_tools', 'default_tools_approval_mode', 'bundled', 'description', 'display_name'],
]);

/**
 * The members that a client has added to an entry or changed in it, if all of them are choices of its
 * own; null for an entry that was changed otherwise. A member without a value says nothing.
 */
export function choicesIn(found: JsonValue, written: JsonValue): string[] | null {
  if (!isJsonObject(found) || !isJsonObject(written)) return null;
  const changed = Object.keys({ ...written, ...found }).filter(
    (name) =>
      !isDeepStrictEqual(found[name], written[name]) &&
      !(written[name] === undefined && isNothing(found[name])),
  );
  return changed.every((name) => choices.has(name)) ? changed : null;
}

const isNothing = (value: JsonValue = null): boolean =>
  value === null || value === '' || isDeepStrictEqual(value, []) || isDeepStrictEqual(value, {});

/** An entry with its command and arguments apart, however its client writes them. */
function splitEntry(found: JsonObject): JsonObject {
  const command = found['command'] ?? found['cmd'] ?? null;
  if (!Array.isArray(command)) return { ...found, command };
  const [program = null, ...args] = command;
  return { ...found, command: program, args };
}

/** A client's file with the entry in it, or why it is left alone. */
export type ChangedFile =
  | { act: z.infer<typeof clientAct>; text: string }
  | { act: null; message: string; line: number | null; column: number | null };

/** That a file is left alone because it can't be read, with the first problem in it. */
export const unreadable = (
  problems: readonly { message: string; line: number | null; column: number | null }[],
): ChangedFile => {
  const [first = { message: 'It can’t be read.', line: null, column: null }] = problems;
  return { act: null, message: first.message, line: first.line, column: first.column };
};

/** Why a file is left alone that could be read. */
export const refusals = {
  noTable: (table: string) => `"${table}" must be a table of servers.`,
  noList: (table: string) => `"${table}" must be a list of servers.`,
  otherServer: (name: string) =>
    `Another server is called "${name}" here. Rename it, then try again.`,
  byHand: (table: string) =>
    `"${table}" is written in a way that can’t be changed line by line. Add the entry there by hand.`,
};

export const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

const comma = /(?:\s|\/\/.*|\/\*[^]*?\*\/|#.*)*,/y;

/** The offset of the comma behind an item; null if something else follows. */
function commaBehind(text: string, end: number): number | null {
  comma.lastIndex = end;
  return comma.test(text) ? comma.lastIndex - 1 : null;
}

/**
 * The text without an item in brackets or braces, without the comma that belonged to it, and with
 * all comments.
 *
 * @param previous where the item before it ends; null if it is the first
 */
export function withoutItem(
  text: string,
  start: number,
  end: number,
  previous: number | null,
): string {
  const behind = commaBehind(text, end);
  const before = behind !== null || previous === null ? null : commaBehind(text, previous);
  const [middle, tail] =
    behind === null ? ['', text.slice(end)] : [text.slice(end, behind), text.slice(behind + 1)];
  const head =
    before === null ? text.slice(0, start) : text.slice(0, before) + text.slice(before + 1, start);
  const space = /\s*$/.exec(head)?.[0] ?? '';
  // A comment in front of it needs the end of its line.
  const isAlone = !space.includes('\n') || /^[ \t]*(?:\r?\n|$)/.test(middle + tail);
  return (isAlone ? head.slice(0, head.length - space.length) : head) + middle + tail;
}
