import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { ArgumentsMode } from '../../../../src-shared/domain/testCase.ts';
import { hasArguments, mapArguments, type SourceCall } from './sourceCalls.ts';
import type { Unreadable } from './caseSwitches.ts';
import { plainName } from './fieldNames.ts';
import { namesSomeArguments } from './namePatterns.ts';
import type { RecordFields } from './recordFields.ts';
import { isEmpty, mapObject } from './values.ts';

type Way = ArgumentsMode | 'at-most' | 'any_of' | 'none';

/** How sources compare arguments, by their words for it. */
const ways: Record<string, Way> = {
  atleast: 'at-least',
  subset: 'at-least',
  partial: 'at-least',
  contains: 'at-least',
  includes: 'at-least',
  superset: 'at-least',
  exact: 'exact',
  strict: 'exact',
  equal: 'exact',
  equals: 'exact',
  full: 'exact',
  anyof: 'any_of',
  oneof: 'any_of',
  in: 'any_of',
  none: 'none',
  ignore: 'none',
  ignored: 'none',
  nameonly: 'none',
};

const asChoice = (value: JsonValue): JsonValue =>
  Array.isArray(value) && value.length > 0 ? { $any: value } : value;

export function compareBy(
  fields: RecordFields,
  calls: SourceCall[],
): { calls: SourceCall[]; mode: ArgumentsMode | undefined } | Unreadable {
  const written = fields.take('arguments_mode');
  const judged = calls.filter(hasArguments);
  if (isEmpty(written) || judged.length === 0) {
    const isForeign = judged.some((call) => call.isForeign === true);
    const isPartial =
      judged.some((call) => call.isPartial === true) ||
      (judged.length > 0 &&
        namesSomeArguments(fields.nameOf('parameters')?.split('.').at(-1) ?? ''));
    return { calls, mode: isPartial ? 'at-least' : isForeign ? 'exact' : undefined };
  }
  const name = fields.nameOf('arguments_mode') ?? 'arguments_mode';
  const word = typeof written === 'string' ? plainName(written) : '';
  // agentevals: every argument that is sent has to be one of the reference.
  const isOfReference = word === 'subset' && plainName(name).endsWith('toolargsmatchmode');
  const way = isOfReference ? 'at-most' : Object.hasOwn(ways, word) ? ways[word] : undefined;
  if (way === undefined)
    return {
      why: `${name}: ${JSON.stringify(written)} isn’t a known way to compare arguments.`,
      field: 'arguments_mode',
    };
  if (way === 'none')
    return {
      calls: calls.map(({ parameters: _, tools, ...call }) => ({
        ...call,
        tools: tools.map(({ server, tool }) => ({ server, tool })),
      })),
      mode: undefined,
    };
  const change = (parameters: JsonObject): JsonObject =>
    way === 'any_of'
      ? mapObject(parameters, asChoice)
      : way === 'at-most'
        ? mapObject(parameters, (value) => ({ $optional: value }))
        : parameters;
  return {
    calls: calls.map((call) => mapArguments(call, change)),
    mode: way === 'any_of' ? undefined : way === 'at-most' ? 'exact' : way,
  };
}
