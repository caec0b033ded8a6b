import type { MappedField } from '../../../../src-shared/contract/suites.ts';
import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { readCalls } from './callValues.ts';
import { type NamedTool } from './sourceCalls.ts';
import { lastPart, plainName } from './fieldNames.ts';
import { weakSwitches } from './fieldNameTable.ts';
import type { RecordFields } from './recordFields.ts';
import { countWords, isEmpty, readBoolean, readShouldCall } from './values.ts';

/** Why a record's expectation can't be read, and the field that says so. */
export interface Unreadable {
  why: string;
  field?: MappedField;
}

/** The name of a switch such as `should_call` that says which tools instead of true or false. */
export function nameThatSwitches(fields: RecordFields): string | null {
  const value = fields.peek('should_call');
  return isEmpty(value) || readShouldCall(value) !== null
    ? null
    : (fields.nameOf('should_call') ?? null);
}

/**
 * The tool that a name such as `first_tool` says is called before those that another field lists; null
 * if the list has it itself, undefined if there is no such field.
 */
export function takeFirst(
  fields: RecordFields,
  context: Parameters<typeof readCalls>[1],
): string | null | undefined {
  const first = fields.peek('tool');
  const list = fields.peek(nameThatSwitches(fields) === null ? 'expected_calls' : 'should_call');
  const isFirst = /first/i.test(lastPart(fields.nameOf('tool') ?? ''));
  if (!isFirst || typeof first !== 'string' || !Array.isArray(list) || list.length === 0)
    return undefined;
  const [one, all] = [readCalls(first, context), readCalls(list, context)];
  if ('why' in one || 'why' in all || one.calls.length !== 1) return undefined;
  fields.take('tool');
  const tools = all.calls.flatMap((call) => call.tools);
  const isListed = one.calls[0]?.tools.every((each) =>
    tools.some(({ server, tool }) => server === each.server && tool === each.tool),
  );
  return isListed === true ? null : first;
}

/** Whether each text of a value is a known tool, or is written like one and not like a sentence. */
export function listsTools(value: JsonValue, context: Parameters<typeof readCalls>[1]): boolean {
  // A cell of a table may hold a list as JSON.
  const read = typeof value === 'string' && /^\s*[[{]/.test(value) ? readSourceText(value) : null;
  const texts = [read?.readable === true ? read.value : value].flat(2);
  return texts.every(
    (text) =>
      isJsonObject(text) ||
      (typeof text === 'string' &&
        (context.isKnown(text) || /^[\w.:/-]*[a-z\d](?:[_.:/-]|(?=[A-Z]))[\w.:/-]+$/.test(text))),
  );
}

/** Whether a field of tools says only if one is called at all: `expected_tool_use: false`. */
export const saysWhether = (fields: RecordFields, field: 'tool' | 'expected_calls'): boolean =>
  typeof fields.peek(field) === 'boolean' &&
  /\w{4}_?(?:tool|function)_?(?:use|usage|call)$/i.test(fields.nameOf(field) ?? '');

/** What a word says of which a person has said that it means no tool, and every other one next to it. */
function wordSaysNone(
  value: JsonValue | undefined,
  field: MappedField,
  { none }: Parameters<typeof readCalls>[1],
): boolean | null {
  if (typeof value !== 'string' || none === undefined || none.size === 0) return null;
  if (field === 'forbidden_tools') return null;
  if (none.has(plainName(value))) return field === 'no_tool';
  // The others say nothing of which tool is right.
  return field === 'no_tool' && readBoolean(value) === null ? false : null;
}

interface Switched {
  call: boolean | null;
  field: 'should_call' | 'no_tool';
  /** Tools that a name such as `no_tool_calls` lists. */
  never: NamedTool[];
}

/** A switch that says whether a tool should be called at all; null if there is none. */
export function readSwitches(
  fields: RecordFields,
  context: Parameters<typeof readCalls>[1],
): Switched | Unreadable {
  const found: Omit<Switched, 'never'>[] = [];
  const never: NamedTool[] = [];
  for (const field of ['tool', 'expected_calls'] as const) {
    if (!saysWhether(fields, field)) continue;
    found.push({ call: fields.take(field) === true, field: 'should_call' });
  }
  for (const field of ['should_call', 'no_tool', 'forbidden_tools'] as const) {
    const value = fields.peek(field);
    if (isEmpty(value)) {
      fields.take(field);
      continue;
    }
    const isOn =
      wordSaysNone(value, field, context) ??
      (field === 'should_call' ? readShouldCall(value) : readBoolean(value));
    const name = fields.nameOf(field) ?? field;
    if (isOn === null) {
      // Names of expected tools were read before.
      if (!fields.unread().includes(name)) continue;
      // The reason for which a request is refused.
      if (field === 'no_tool' && typeof value === 'string' && /refusal$/.test(plainName(name))) {
        fields.take(field);
        found.push({ call: false, field });
        continue;
      }
      // A criterion in words for a judge.
      if (typeof value === 'string' && countWords(value) > 2) continue;
      if (field === 'forbidden_tools' || weakSwitches.has(plainName(lastPart(name)))) continue;
      const read =
        field === 'no_tool' && value !== undefined
          ? readCalls(value, { ...context, lists: 'alternatives' })
          : { why: '' };
      if ('why' in read) return { why: `${name} must be true or false.`, field };
      never.push(...read.calls.flatMap(({ tools }) => tools));
    }
    fields.take(field);
    // `negative: false` says nothing about which tool is right.
    if (field === 'should_call') found.push({ call: isOn === true, field });
    // “Must not call” next to a tool speaks of that tool.
    else if (isOn === true)
      found.push({ call: false, field: field === 'no_tool' ? field : 'should_call' });
  }
  const [first, second] = found;
  if (second !== undefined && second.call !== first?.call)
    return { why: 'Its switches contradict each other.', field: 'no_tool' };
  return { ...(second ?? first ?? { call: null, field: 'should_call' }), never };
}

/** Words for whether the order of calls counts. */
const orderWords: ReadonlyMap<string, boolean> = new Map([
  ...'any anyorder inanyorder unordered set none flexible relaxed parallel'
    .split(' ')
    .map((word) => [word, false] as const),
  ...'strict inorder ordered exact exactorder sequential sequence strictorder'
    .split(' ')
    .map((word) => [word, true] as const),
]);

/** Null if the record says nothing of an order. */
export function readOrder(fields: RecordFields): boolean | null {
  const value = fields.peek('order_dependent');
  const inWords = typeof value === 'string' ? orderWords.get(plainName(value)) : undefined;
  // `order` may be one that a customer made.
  const isWeak = plainName(lastPart(fields.nameOf('order_dependent') ?? '')).endsWith('order');
  if (isWeak && inWords === undefined && readBoolean(value) === null) return null;
  fields.take('order_dependent');
  if (isEmpty(value)) return null;
  const isOrdered = inWords ?? readBoolean(value);
  if (isOrdered === null)
    fields.problem('order_dependent', 'order_dependent must be true or false.');
  return isOrdered;
}
