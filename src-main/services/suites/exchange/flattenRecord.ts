import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { plainName, wrapperOf } from './fieldNames.ts';
import { areActions, holdsTools } from './namePatterns.ts';
import { isEmpty } from './values.ts';

/**
 * The values of a record by name. Members of an object such as `expected` become values of their
 * own, `expected.tool`; one that is a call itself stays whole, as `expected.call`.
 */
export function flattenRecord(record: JsonObject): Map<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  enter(record, '', values);
  return values;
}

const maxDepth = 4;

function enter(
  object: JsonObject,
  prefix: string,
  values: Map<string, JsonValue>,
  depth = 1,
  parent?: ReturnType<typeof wrapperOf>,
): void {
  for (const [member, value] of Object.entries(object)) {
    const name = `${prefix}${member}`;
    const kind =
      isJsonObject(value) && depth < maxDepth
        ? isToolSwitches(member, value)
          ? 'expecting'
          : wrapperOf(member, value, parent)
        : undefined;
    if (kind === undefined || !isJsonObject(value) || isNameless(value)) values.set(name, value);
    else if (kind === 'expecting' && isCall(value)) values.set(`${name}.call`, value);
    else enter(value, `${name}.`, values, depth + 1, kind);
  }
}

/** An object whose only names have no letter: what it is, its own name says. */
const isNameless = (value: JsonObject): boolean =>
  Object.keys(value).length > 0 && Object.keys(value).every((name) => plainName(name) === '');

/** An object with a name is one call, and its members aren't fields of the record. */
const isCall = (value: JsonObject): boolean =>
  Object.entries(value).some(
    ([name, each]) =>
      ['name', 'toolname', 'functionname', 'function', 'functioncall'].includes(plainName(name)) &&
      !isEmpty(each),
  );

/** Whether an object holds a switch for each tool: `tools: {find_book: true}`. */
const isToolSwitches = (name: string, object: JsonObject): boolean =>
  holdsTools(name) &&
  Object.keys(object).length > 0 &&
  (['tools', 'functions'].includes(plainName(name)) || areActions(Object.keys(object))) &&
  Object.values(object).every((value) => typeof value === 'boolean' || value === 0 || value === 1);
