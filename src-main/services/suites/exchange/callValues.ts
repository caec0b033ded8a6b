import { roleLabels } from '../../../../src-shared/display/columnRoles.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { readSourceText } from '../../files/sourceText.ts';
import { countAt, readCount, readSwitches } from './callCounts.ts';
import { readCodeValue } from './codeLiterals.ts';
import { plainName } from './fieldNames.ts';
import { isNone, isNoneWord, type KnownWords } from './noToolWords.ts';
import { namesArguments, namesSomeArguments } from './namePatterns.ts';
import { joinAnswers } from './rightAnswers.ts';
import {
  beforeRemark,
  innerCall,
  oneOf,
  type NamedTool,
  type SourceCall,
  type SourceCalls,
} from './sourceCalls.ts';
import { mapObject, readBoolean, toLiteral } from './values.ts';
import { readArguments, unquote } from './writtenArguments.ts';

export type ReadCalls = SourceCalls | { why: string };

export interface CallContext extends KnownWords {
  /** Whether the server of a name is known already, so that the name holds the tool alone. */
  hasServer: boolean;
  /**
   * What the lists in a list are: alternatives of which one is right as a whole, sequences too, or
   * calls with the tools that are equally good for each. Undefined: nothing says which.
   */
  lists?: 'alternatives' | 'sequences' | 'calls';
}

/** A tool whose name a cell can hold as it is. */
export const isPlainTool = (tool: string): boolean => /^[\w./-]+$/.test(tool) && !isNoneWord(tool);

const arrows = /\s*(?:→|⟶|⇒|->|=>)\s*|\s+then\s+/i;
const alternatives = /\s+or\s+|\s*\|\|?\s*|\s+\/\s+/i;
const several = /\s*[;,\n]\s*|\s+and\s+|\s*[&+]\s*/i;

/**
 * Reads the calls of one field: the one reading of a tool, of a list of tools, and of calls with
 * arguments, in every notation. Null and empty texts aren't given here, because what they mean
 * depends on the field. A value that can't be read is refused, and never means "no tool".
 */
export function readCalls(value: JsonValue, context: CallContext): ReadCalls {
  if (typeof value === 'string') return readText(value, context);
  if (Array.isArray(value)) return readList(value, context);
  if (isJsonObject(value)) return joinCalls([readCall(value, context)]);
  return { why: `${JSON.stringify(value)} isn’t a tool.` };
}

const noCalls = (): SourceCalls => ({ calls: [], ordered: false, unread: [] });

function readText(text: string, context: CallContext): ReadCalls {
  const name = unquote(text);
  if (context.isKnown(name)) return named(name, context);
  if (/^\s*[[{]/.test(text)) {
    const source = readSourceText(text);
    return source.readable && typeof source.value !== 'string'
      ? readCalls(source.value, context)
      : { why: `${quoted(text)} isn’t valid JSON.` };
  }
  if (isNone(name, context)) return noCalls();
  const call = writtenCall(name);
  if (call !== null) return readCalls(call, context);
  for (const [separator, kind] of [
    [arrows, 'ordered'],
    [several, 'all'],
    [alternatives, 'any'],
  ] as const) {
    const parts = name.split(separator).map(unquote);
    if (parts.length < 2) continue;
    // Separators alone, such as "&", are neither a name nor a word for no tool.
    if (parts.every((part) => part === ''))
      return { why: `${quoted(text)} isn’t the name of a tool.` };
    const others = [arrows, several, alternatives].filter((each) => each !== separator);
    if (parts.some((part) => part !== '' && others.some((other) => part.split(other).length > 1)))
      return { why: `${quoted(text)} mixes several ways to list tools. Use a JSON list.` };
    const isNoTool = (part: string): boolean =>
      part !== '' && isNone(part, context) && !context.isKnown(part);
    const isNoneRight = parts.some(isNoTool);
    if (isNoneRight && kind !== 'any')
      return { why: `${quoted(text)} lists a tool and that none is right.` };
    const read = readNames(
      parts.filter((part) => part !== '' && !isNoTool(part)),
      context,
    );
    if ('why' in read) return read;
    const { tools } = read;
    // No call is right, and neither is one of these wrong.
    if (isNoneRight) return { ...noCalls(), optional: tools };
    return {
      calls: kind === 'any' ? [{ tools }] : tools.map((tool) => ({ tools: [tool] })),
      ordered: kind === 'ordered',
      unread: [],
    };
  }
  const tool = beforeRemark(name);
  const read = named(tool ?? name, context);
  return tool === null || 'why' in read
    ? read
    : { ...read, changes: [{ what: name, why: 'The words in parentheses are not imported.' }] };
}

/** A call as a program writes it, `find_book(title="Dune")`; null for any other text. */
function writtenCall(text: string): JsonObject | null {
  if (!/^[\w.:/-]+\s*\(.*\)$/s.test(text)) return null;
  const open = text.indexOf('(');
  const [tool, given] = [text.slice(0, open), text.slice(open + 1, -1)];
  const parameters = given.trim() === '' ? {} : readCodeValue(`f(${given})`);
  return isJsonObject(parameters) ? { name: tool.trim(), arguments: parameters } : null;
}

function named(name: string, context: CallContext): ReadCalls {
  const tool = readName(name, context);
  return 'why' in tool ? tool : { ...noCalls(), calls: [{ tools: [tool] }] };
}

function readList(list: readonly JsonValue[], context: CallContext): ReadCalls {
  if (list.length === 1 && typeof list[0] === 'string' && isNone(list[0], context))
    return noCalls();
  const unwrapped = list.map(listIn);
  if (unwrapped.some((each) => Array.isArray(each))) return readLists(unwrapped, context);
  return joinCalls(
    list.map((each): SourceCall | SourceCalls | { why: string } => {
      if (isJsonObject(each)) return readCall(each, context);
      if (typeof each !== 'string' || each.trim() === '' || isNone(each, context))
        return { why: `${JSON.stringify(each)} in a list of tools isn’t a tool.` };
      const call = context.isKnown(each) ? null : writtenCall(unquote(each));
      if (call !== null) return readCall(call, context);
      if (beforeRemark(unquote(each)) !== null) return readText(each, context);
      return readNames(each.split(/\s+or\s+/i).map(unquote), context);
    }),
  );
}

/** The list in an object that holds nothing else: `{calls: […]}`, one of several right answers. */
export const listIn = (value: JsonValue): JsonValue => {
  const [entry, ...others] = isJsonObject(value) ? Object.entries(value) : [];
  const [name = '', list = null] = entry ?? [];
  return others.length === 0 && Array.isArray(list) && listKeys.has(plainName(name)) ? list : value;
};
const listKeys = new Set(['calls', 'toolcalls', 'expectedcalls', 'steps', 'allof', 'and']);

const role = (name: 'acceptable_tools' | 'expected_calls'): string =>
  `“${roleLabels[name]}” (${name})`;

/** What is said of lists in a list, which may mean something else too. */
export const listsInList = 'Lists in a list';

function readLists(
  list: readonly JsonValue[],
  { lists: said, ...context }: CallContext,
): ReadCalls {
  const isAlone = list.length === 1;
  // Steps in a list are those of one right answer.
  const areAnswers = list.every((each) => Array.isArray(each) && each.some(Array.isArray));
  const lists = said ?? (areAnswers ? 'alternatives' : undefined);
  // A call with arguments has no equally good tools.
  const areCalls = list.every(
    (each) => Array.isArray(each) && each.length > 0 && each.every(isJsonObject),
  );
  const haveOne = list.every((each) => Array.isArray(each) && each.length === 1);
  if (
    (lists === undefined || lists === 'calls') &&
    (areCalls || (haveOne && (lists === undefined || isAlone)))
  ) {
    const steps = readList(list.flat(), context);
    return 'why' in steps || isAlone
      ? steps
      : {
          ...steps,
          ordered: areCalls && haveOne,
          changes: [
            ...(steps.changes ?? []),
            {
              what: listsInList,
              why: areCalls
                ? 'Each is read as a step: all of their calls are expected.'
                : 'All of their tools are expected, in any order.',
            },
          ],
        };
  }
  if (lists === undefined)
    return {
      why: `It is a list of lists. If each is a right answer of its own, map its column to ${role('acceptable_tools')}; if each is a call with equally good tools, to ${role('expected_calls')}.`,
    };
  const read = list.map((each) => readList(Array.isArray(each) ? each : [each], context));
  const joined = joinCalls(read);
  if ('why' in joined) return joined;
  const answers = read.map((each) => ('why' in each ? [] : each.calls));
  const ordered = lists === 'sequences' || read.some((each) => 'ordered' in each && each.ordered);
  if (lists !== 'calls' && isAlone) return { ...joined, ordered };
  if (answers.some(({ length }) => length === 0))
    return { why: 'One of its lists is empty. Say that no tool is expected in a case of its own.' };
  if (lists === 'calls') return { ...joined, calls: answers.map(oneOf) };
  const right = joinAnswers(answers, ordered);
  return 'why' in right
    ? right
    : {
        ...joined,
        ...right,
        ordered,
        ...(right.optional && { optional: [...(joined.optional ?? []), ...right.optional] }),
        ...(right.changes && { changes: [...(joined.changes ?? []), ...right.changes] }),
      };
}

function readNames(
  names: readonly string[],
  context: CallContext,
): { tools: NamedTool[] } | { why: string } {
  const tools: NamedTool[] = [];
  for (const name of names) {
    const read = readName(name, context);
    if ('why' in read) return read;
    tools.push(read);
  }
  return { tools };
}

function joinCalls(read: readonly (SourceCall | SourceCalls | { why: string })[]): ReadCalls {
  const joined = noCalls();
  for (const each of read) {
    if ('why' in each) return each;
    if ('calls' in each) {
      joined.calls.push(...each.calls);
      joined.unread.push(...each.unread);
      for (const part of ['never', 'optional'] as const)
        if (each[part] !== undefined) joined[part] = [...(joined[part] ?? []), ...each[part]];
      if (each.changes !== undefined) joined.changes = [...(joined.changes ?? []), ...each.changes];
    } else joined.calls.push(each);
  }
  return joined;
}

/** `server:tool`, the `mcp__server__tool` of agents, or a tool alone; no sentence or code. */
function readName(text: string, { hasServer, isKnown }: CallContext): NamedTool | { why: string } {
  if (hasServer && isKnown(text)) return { server: null, tool: text };
  if (text === '' || (/[\t ()[\]{}"'`=]/.test(text) && !isKnown(text)))
    return { why: `${quoted(text)} isn’t the name of a tool.` };
  if (hasServer) return { server: null, tool: text };
  const [, agentServer, agentTool] = /^mcp__(.+?)__(.+)$/s.exec(text) ?? [];
  if (agentServer !== undefined && agentTool !== undefined)
    return { server: agentServer, tool: agentTool };
  const at = text.indexOf(':');
  return at > 0 && at < text.length - 1
    ? { server: text.slice(0, at), tool: text.slice(at + 1) }
    : { server: null, tool: text };
}

const nameKeys = 'tool name toolname functionname function func expectedtool'
  .split(' ')
  .concat(['toolcalled', 'calledtool', 'api', 'apiname', 'action']);
/** A switch of one call of a list: false for a tool that must not be called. */
const switchKeys = ['shouldcall', 'shouldbecalled', 'shoulduse', 'mustcall', 'expected'];
/** Whether a call of a list has to be made: `required: false` and `optional: true` say that it may. */
const needKeys = ['required', 'mandatory', 'optional'];
const serverKeys = ['server', 'servername', 'mcpserver', 'mcpservername'];
const argumentKeys = (
  'arguments args parameters params input inputparameters toolinput toolargs kwargs ' +
  'expectedarguments expectedargs expectedparameters'
).split(' ');
const alternativeKeys = 'alternatives alternative or alternativecalls alternativetools'.split(' ');
/** What a program notes with each call, and what says nothing of it. */
const silentKeys = new Set(['id', 'type', 'index', 'callid', 'toolcallid', 'tooluseid']);

/** A call as an object, in the spelling of any program; or `{any_of, parameters}` of ours. */
function readCall(call: JsonObject, context: CallContext): SourceCalls | { why: string } {
  const inner = innerCall(call);
  if (inner !== null) return readCall(inner, context);
  const or = Object.keys(call).find((key) => alternativeKeys.includes(plainName(key)));
  if (or !== undefined && Array.isArray(call[or]) && call[or].length > 0)
    return readChoice(call, or, call[or], context);
  const entries = Object.entries(call).filter(([, value]) => value !== null);
  const find = (keys: readonly string[]) =>
    keys.flatMap((key) => entries.filter(([name]) => plainName(name) === key))[0];
  const choice = entries.find(([name]) => plainName(name) === 'anyof');
  const name = find(nameKeys);
  if (
    choice !== undefined &&
    name === undefined &&
    [choice[1]].flat().map(listIn).some(Array.isArray)
  )
    return readCalls(choice[1], { ...context, lists: 'alternatives' });
  const server = find(serverKeys);
  const given = find(argumentKeys) ?? entries.find(([key]) => namesArguments(key));
  const wanted = find(switchKeys);
  const need = find(needKeys);
  const isNeeded = need === undefined ? null : readBoolean(need[1]);
  const times = entries.find(([key, value]) => countAt(key, value) !== null);
  const count = times === undefined ? null : countAt(...times);
  if (isDefinition(call))
    return {
      why: `${quoted(JSON.stringify(name?.[1] ?? 'It'))} is the definition of a tool, not a call.`,
    };
  if (name === undefined && choice === undefined) {
    const byTool = readByTool(entries, context) ?? readSwitches(entries, context);
    if (byTool !== null) return byTool;
  }
  const tools = choice === undefined ? name?.[1] : choice[1];
  if (tools === undefined) return { why: `${quoted(JSON.stringify(call))} names no tool.` };
  // The word for no tool in the place of a name.
  if (typeof tools === 'string' && server === undefined && isNone(tools, context)) return noCalls();
  const read = readTools(tools, server?.[1], context);
  if ('why' in read) return read;
  if (wanted?.[1] === false || (count?.least === 0 && count.more === null))
    return { ...noCalls(), never: read.tools };
  if (
    (need !== undefined && isNeeded === (plainName(need[0]) === 'optional')) ||
    count?.least === 0
  )
    return {
      ...noCalls(),
      optional: read.tools,
      changes: [
        {
          what: `${need?.[0] ?? times?.[0]} of ${read.tools.map(({ tool }) => tool).join(', ')}`,
          why: 'Calls of it are allowed, with any arguments, and none is expected.',
        },
      ],
    };
  // Nothing in the place of an object says nothing of the arguments.
  const saysNone = given === undefined || [given[1]].flat().every((each) => each === '');
  const parameters = saysNone ? undefined : readArguments(given[1]);
  if (parameters === null)
    return { why: `The ${given?.[0] ?? 'arguments'} of a call aren’t an object.` };
  const isSwitch = wanted?.[1] === true;
  const used = new Set([
    ...[choice?.[0], name?.[0], server?.[0], given?.[0]],
    ...(isSwitch ? [wanted[0]] : []),
    ...(isNeeded === null ? [] : [need?.[0]]),
    times?.[0],
  ]);
  // Ours may hold matchers; those of other programs mean themselves.
  const isOurs = given !== undefined && plainName(given[0]) === 'parameters';
  const changes = count?.more == null ? [] : [{ what: times?.[0] ?? '', why: count.more }];
  const isRead = read.tools.some((tool) => tool.parameters === undefined);
  if (parameters !== undefined && !isRead)
    changes.push({
      what: given?.[0] ?? '',
      why: 'Not imported: each of the alternatives has arguments of its own.',
    });
  return {
    calls: Array.from({ length: count?.least ?? 1 }, (): SourceCall => ({
      tools: read.tools,
      ...(choice !== undefined && { isChoice: true }),
      ...((read.isForeign || (parameters !== undefined && !isOurs)) && { isForeign: true }),
      ...((read.isPartial || (given !== undefined && namesSomeArguments(given[0]))) && {
        isPartial: true,
      }),
      ...(parameters !== undefined &&
        isRead && {
          parameters: isOurs ? parameters : mapObject(parameters, toLiteral),
        }),
    })),
    ordered: false,
    ...(changes.length > 0 && { changes }),
    unread: entries
      .map(([key]) => key)
      .filter((key) => !used.has(key) && !silentKeys.has(plainName(key))),
  };
}

/** A call with its alternatives: other tools, or calls with arguments of their own. */
function readChoice(
  call: JsonObject,
  or: string,
  others: readonly JsonValue[],
  context: CallContext,
): SourceCalls | { why: string } {
  const { [or]: _, ...own } = call;
  const [first, more] = [readCall(own, context), readTools([...others], undefined, context)];
  if ('why' in first) return first;
  if ('why' in more) return { why: `${or}: ${more.why}` };
  const [only, ...rest] = first.calls;
  return only === undefined || rest.length > 0
    ? { why: `${or}: Only one call can have alternatives.` }
    : { ...first, calls: [oneOf([only, more])] };
}

const saysOfTool = (given: JsonValue): boolean => isJsonObject(given) || readCount(given) !== null;
const countOf = (given: JsonValue): JsonObject => (isJsonObject(given) ? given : { count: given });

/** `{track_parcel: {tracking_number: "PX-1"}}`: arguments, or a count, by the name of a known tool. */
function readByTool(
  entries: readonly (readonly [string, JsonValue])[],
  context: CallContext,
): SourceCalls | null {
  if (entries.length === 0) return null;
  if (!entries.every(([tool, given]) => context.isKnown(tool) && saysOfTool(given))) return null;
  const read = joinCalls(
    entries.map(([tool, given]) =>
      readCall(
        readCount(given) === null
          ? { name: tool, arguments: given }
          : { name: tool, ...countOf(given) },
        context,
      ),
    ),
  );
  return 'why' in read ? null : read;
}

/** A tool as a list of tools describes it. Our own calls may hold any parameters. */
function isDefinition(call: JsonObject): boolean {
  const parameters = call['parameters'];
  const isSchema =
    isJsonObject(parameters) &&
    isJsonObject(parameters['properties']) &&
    typeof parameters['type'] === 'string';
  return (
    Object.keys(call).some((name) => plainName(name) === 'inputschema') ||
    (isSchema && call['tool'] === undefined)
  );
}

function readTools(
  value: JsonValue,
  server: JsonValue | undefined,
  context: CallContext,
): SourceCall | { why: string } {
  if (server !== undefined && (typeof server !== 'string' || server.trim() === ''))
    return { why: `The server ${JSON.stringify(server)} isn’t a name.` };
  const own = { ...context, hasServer: server !== undefined || context.hasServer };
  const list = Array.isArray(value) ? value : [value];
  const calls: SourceCall[] = [];
  for (const each of list) {
    if (isJsonObject(each)) {
      const found = readReference(each, own);
      if ('why' in found) return found;
      calls.push(found);
      continue;
    }
    const found =
      typeof each === 'string' && each.trim() !== ''
        ? readName(each, { ...own, isKnown: () => server !== undefined || own.isKnown(each) })
        : { why: `${JSON.stringify(each)} isn’t the name of a tool.` };
    if ('why' in found) return found;
    calls.push({ tools: [found] });
  }
  const { tools, ...how } = oneOf(calls);
  return tools.length === 0
    ? { why: 'A call names no tool.' }
    : { ...how, tools: tools.map((tool) => ({ ...tool, server: tool.server ?? server ?? null })) };
}

function readReference(reference: JsonObject, context: CallContext): SourceCall | { why: string } {
  const read = readCall(reference, context);
  if ('why' in read) return read;
  const [call, ...more] = read.calls;
  return call === undefined || more.length + read.unread.length > 0
    ? { why: 'Each of several right calls has a server, a tool and arguments only.' }
    : call;
}

const quoted = (text: string): string => {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return `“${short.toWellFormed()}”`;
};
