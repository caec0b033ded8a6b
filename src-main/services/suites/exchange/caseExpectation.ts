import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { withAssertions } from './argumentAssertions.ts';
import { compareBy } from './argumentsMode.ts';
import { readForeignArguments, readPlaceholders } from './argumentChecks.ts';
import {
  argumentsByPlace,
  argumentsByTool,
  argumentsOfChecks,
  namesAlone,
} from './argumentsByTool.ts';
import { counted, noun } from '../../../../src-shared/display/numbers.ts';
import type { ArgumentsMode, ToolReference } from '../../../../src-shared/domain/testCase.ts';
import { listIn, listsInList, readCalls } from './callValues.ts';
import { saysAnswer } from './noToolWords.ts';
import {
  hasArguments,
  isSame,
  mapArguments,
  oneOf,
  unique,
  type NamedTool,
  type SourceCall,
  type SourceCalls,
} from './sourceCalls.ts';
import { lastPart, plainName, quoteNames } from './fieldNames.ts';
import {
  listsTools,
  nameThatSwitches,
  readOrder,
  readSwitches,
  saysWhether,
  takeFirst,
  type Unreadable,
} from './caseSwitches.ts';
import { weakNames } from './fieldNameTable.ts';
import { isSequence, namesTools, saysAnswers } from './namePatterns.ts';
import { joinAnswers } from './rightAnswers.ts';
import type { RecordFields } from './recordFields.ts';
import type { Change, FileCall, SuiteDraft } from './suiteDraft.ts';
import { isEmpty, nonEmptyText, readBoolean } from './values.ts';
import { readArguments } from './writtenArguments.ts';

/** What a record expects: calls (none: no tool), or only that some tools aren't called. */
export type Expected =
  | {
      kind: 'calls';
      calls: FileCall[];
      orderDependent: boolean;
      allowedCalls: ToolReference[];
      argumentsMode: ArgumentsMode | undefined;
      changes: Change[];
    }
  | { kind: 'never'; tools: ToolReference[]; changes: Change[] }
  | Unreadable;

/** What the fields of tools say together. Null: nothing about tools. */
type Said = (SourceCalls & { changes: Change[] }) | null | Unreadable;

/**
 * Reads what a record expects. Nothing becomes "no tool" unless the record says so: by an empty
 * list, a word such as `none`, a switch such as `expect_no_tool`, an empty cell in the column of the
 * tool, or null where one tool is named.
 */
export function readExpectation(
  draft: SuiteDraft,
  fields: RecordFields,
  server: string | null,
): Expected {
  const own = nonEmptyText(fields.take('server'));
  const known = own ?? server;
  // The server that a record names is the one that it means.
  const toReference = (named: NamedTool): ToolReference =>
    own !== null && named.server === null
      ? draft.toolOn(own, named.tool)
      : draft.locate(named, known);
  const said = readSaid(draft, fields, known);
  if (said !== null && 'why' in said) return said;
  const expectsCalls = (said?.calls.length ?? 0) > 0;
  const tools = (field: 'acceptable_tools' | 'forbidden_tools' | 'allowed_calls') =>
    readTools(fields, field, { ...contextOf(draft, known), lists: 'alternatives' }, expectsCalls);
  const acceptable = tools('acceptable_tools');
  if ('why' in acceptable) return acceptable;
  const forbidden = tools('forbidden_tools');
  if ('why' in forbidden) return forbidden;
  const allowed = tools('allowed_calls');
  if ('why' in allowed) return allowed;
  const switched = readSwitches(fields, contextOf(draft, known));
  if ('why' in switched) return switched;

  // A list that only says what must not be called isn't one for no tool.
  const isOnlyNever = said?.never !== undefined && said.calls.length === 0;
  const joined = joinAlternatives(isOnlyNever ? null : said, acceptable);
  if (joined !== null && 'why' in joined) return joined;
  const calls = joined?.calls ?? [];
  const named = calls.flatMap((call) => call.tools.map(toReference));
  const never = [...forbidden.tools, ...switched.never, ...(said?.never ?? [])].map(toReference);
  if (switched.call === false && calls.length > 0) {
    if (switched.field === 'no_tool')
      return { why: 'It names a tool and says that no tool should be called.', field: 'no_tool' };
    return neverCalled(fields, [...named, ...never]);
  }
  if (switched.call === true && calls.length === 0)
    return {
      why: 'It says that a tool should be called, but not which one.',
      field: 'should_call',
    };
  const isNone = joined !== null || switched.call === false;
  const noneAllowed = !isNone && isEmptyList(fields.peek('allowed_calls'));
  if (!isNone && !noneAllowed && !acceptable.isNone) {
    if (never.length > 0) return neverCalled(fields, never);
    return { why: `It doesn’t say which tool should be called.${unreadText(fields)}` };
  }
  const both = named.find((tool) => never.some((other) => isSame(tool, other)));
  if (both !== undefined)
    return { why: `It expects and forbids ${both.tool}.`, field: 'forbidden_tools' };
  const changes = [...(joined?.changes ?? [])];
  if (noneAllowed)
    changes.push({
      what: fields.nameOf('allowed_calls') ?? 'allowed_calls',
      why: 'An empty list of allowed tools is read as: no tool should be called.',
    });
  const given = addArguments(fields, calls);
  if ('why' in given) return given;
  changes.push(...(given.changes ?? []));
  const source = isEmpty(fields.peek('parameters'))
    ? (fields.nameOf('expected_calls') ?? fields.nameOf('tool'))
    : fields.nameOf('parameters');
  // Our own files have their arguments under this name.
  const isOwn = plainName(fields.nameOf('parameters') ?? 'parameters') === 'parameters';
  const understood = given.calls.map((call) => {
    if (call.isForeign !== true && isOwn) return call;
    let isPartial = call.isPartial === true;
    const mapped = mapArguments(call, (parameters, tool) => {
      if (tool === undefined) return parameters;
      const read =
        call.isForeign !== true
          ? { ...readPlaceholders(parameters), isPartial: false }
          : readForeignArguments(parameters, draft.schemaOf(toReference(tool)));
      changes.push(...read.changes.map(({ what, why }) => ({ what: `${source}: ${what}`, why })));
      isPartial ||= read.isPartial;
      return read.parameters;
    });
    return { ...mapped, isPartial };
  });
  const compared = compareBy(fields, understood);
  if ('why' in compared) return compared;
  const ordered = readOrder(fields);
  const isRequired = /(?:required|includes?|contains?)$/.test(
    plainName(fields.nameOf('expected_calls') ?? ''),
  );
  if (isRequired && calls.length > 0 && allowed.tools.length === 0)
    changes.push({
      what: 'Other calls',
      why: 'The source may accept other calls. Touchstone counts them as unneeded.',
    });
  return {
    kind: 'calls',
    calls: compared.calls.map((call) => toFileCall(call, toReference)),
    orderDependent: ordered ?? (joined?.ordered === true && calls.length > 1),
    allowedCalls: unique([
      ...allowed.tools,
      ...(said?.optional ?? []),
      ...(acceptable.whole?.optional ?? []),
    ]).map(toReference),
    argumentsMode: compared.mode,
    changes,
  };
}

function unreadText(fields: RecordFields): string {
  const names = fields.unread();
  return names.length === 0
    ? ''
    : ` ${counted(names.length, 'field')} of it ${noun(names.length, 'isn’t', 'aren’t')} read: ${quoteNames(names)}.`;
}

const isEmptyList = (value: JsonValue | undefined): boolean =>
  Array.isArray(value) && value.length === 0;

const contextOf = (draft: SuiteDraft, known: string | null) => ({
  hasServer: known !== null,
  isKnown: (tool: string) =>
    (known !== null && draft.knowsTool(known, tool)) || draft.catalog.resolve(tool) !== null,
  none: draft.noneWords,
});

/** Only a task can say that a tool must not be called while any other may. */
const neverCalled = (fields: RecordFields, tools: ToolReference[]): Expected => ({
  kind: 'never',
  tools: unique(tools),
  changes: [
    {
      what: fields.nameOf('should_call') ?? fields.nameOf('forbidden_tools') ?? 'Expectation',
      why:
        'It says only which tools must not be called, so it becomes a task: a case says which ' +
        'tool is right.',
    },
  ],
});

function toFileCall(
  { tools, parameters, isChoice = false }: SourceCall,
  toReference: (tool: NamedTool) => ToolReference,
): FileCall {
  const given = (own: JsonObject | undefined) => (own === undefined ? {} : { parameters: own });
  const [only, ...others] = tools;
  return only !== undefined && others.length === 0 && !isChoice
    ? { ...toReference(only), ...given(only.parameters ?? parameters) }
    : {
        any_of: tools.map((tool) => ({ ...toReference(tool), ...given(tool.parameters) })),
        ...given(parameters),
      };
}

/** What the fields of one tool and of several calls say. */
function readSaid(draft: SuiteDraft, fields: RecordFields, known: string | null): Said {
  const first = takeFirst(fields, contextOf(draft, known));
  const found = (['tool', 'expected_calls'] as const).flatMap((field) => {
    const name = fields.nameOf(field);
    if (name === undefined) return [];
    const isWeak = weakNames.has(plainName(lastPart(name)));
    const value = fields.peek(field);
    // Whether a tool is expected, not which: a switch.
    if (saysWhether(fields, field) || (field === 'tool' && first !== undefined)) return [];
    return [{ field, name, isWeak, speaks: !isEmpty(value) || isEmptyList(value) }];
  });
  const speaking = found.filter(({ speaks }) => speaks);
  const [one, other] = speaking;
  if (one !== undefined && other !== undefined && one.isWeak === other.isWeak) {
    const context = contextOf(draft, known);
    if (!namesSame(fields.peek('tool'), fields.peek('expected_calls'), context))
      return {
        why: `Both ${one.name} and ${other.name} say which tool should be called.`,
        field: 'tool',
      };
    // The list says more: all of the calls, and often their arguments.
    fields.take('tool');
    speaking.splice(0, 1);
  }
  const named = nameThatSwitches(fields);
  const chosen =
    speaking.find(({ isWeak }) => !isWeak) ??
    speaking[0] ??
    (named === null ? found[0] : { field: 'should_call' as const, name: named });
  if (chosen === undefined) return null;
  const { field, name } = chosen;
  const own = fields.take(field);
  const value = typeof first === 'string' && Array.isArray(own) ? [first, ...own] : own;
  // That nothing must be called doesn't say that nothing may be.
  if (isEmptyList(value) && !fields.isMapped(field) && /must|requir/i.test(lastPart(name)))
    return null;
  if (
    value === undefined ||
    value === null ||
    (value === false && fields.isMapped(field)) ||
    (typeof value === 'string' && value.trim() === '')
  )
    return readNothing(fields, field === 'tool' ? field : 'expected_calls', name, value);
  if (saysAnswer(value, contextOf(draft, known)))
    return {
      ...{ calls: [], ordered: false, unread: [] },
      changes: [
        {
          what: `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
          why: 'It is read as an answer in words: no tool should be called.',
        },
      ],
    };
  const read = readCalls(value, {
    ...contextOf(draft, known),
    // A person who maps the list says that it is one of calls.
    ...(fields.isMapped(field)
      ? { lists: 'calls' }
      : saysAnswers(lastPart(name)) && { lists: 'alternatives' }),
  });
  if ('why' in read) return { why: `${name}: ${read.why}`, field };
  const changes: Change[] = [...new Set(read.unread)].map((part) => ({
    what: `${name}: ${part}`,
    why: 'Not imported.',
  }));
  changes.push(...(read.changes ?? []));
  fields.takeOthers(field, (more) => namesSame(more, value, contextOf(draft, known)));
  const isAllOf = fields.isMapped(field);
  if (
    !isAllOf &&
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((each) => typeof each === 'string')
  )
    changes.push({ what: name, why: 'All of its tools are expected, each with any arguments.' });
  else if (
    !isAllOf &&
    read.calls.length > 1 &&
    read.changes?.some(({ what }) => what === listsInList) !== true &&
    !namesTools(lastPart(name)) &&
    !isSequence(lastPart(name))
  )
    changes.push({ what: name, why: 'All of its calls are expected, in any order.' });
  const isTrajectory = isSequence(lastPart(name));
  const isPair = typeof first === 'string' && read.calls.length === 2;
  return { ...read, ordered: read.ordered || isTrajectory || isPair, changes };
}

/** Whether the one tool of a field is the only one of a list. */
function namesSame(
  tool: JsonValue | undefined,
  list: JsonValue | undefined,
  context: Parameters<typeof readCalls>[1],
): boolean {
  if (tool === undefined || list === undefined || tool === null || list === null) return false;
  const [one, all] = [readCalls(tool, context), readCalls(list, context)];
  if ('why' in one || 'why' in all) return false;
  const names = ({ calls }: SourceCalls): string =>
    calls.map(({ tools }) => tools.map((each) => each.tool).join('|')).join('\n');
  return names(one) === names(all);
}

/**
 * What null and an empty text say: in the field of one tool that none is expected. In that of several
 * an empty text does if a person chose the field, and so does false; and an empty cell says nothing
 * in a column whose other cells hold lists that are empty, or objects.
 */
function readNothing(
  fields: RecordFields,
  field: 'tool' | 'expected_calls',
  name: string,
  value: JsonValue | undefined,
): Said {
  const none = { calls: [], ordered: false, unread: [], changes: [] };
  if (fields.record.isTable) return fields.saysNone(name) && !fields.isMapped(field) ? null : none;
  const isSaid = fields.isMapped(field) && typeof (value ?? null) !== 'object';
  if (field === 'expected_calls' && !isSaid) return null;
  const what = value === null ? 'null' : value === false ? 'false' : 'An empty text';
  return {
    ...none,
    changes: [{ what: name, why: `${what} is read as: no tool should be called.` }],
  };
}

interface AcceptedTools {
  tools: NamedTool[];
  /** Whether arguments of the tools are written as another program does. */
  isForeign?: boolean;
  isNone: boolean;
  /** Right answers that are lists of calls, as one list. */
  whole: (SourceCalls & { changes: Change[] }) | null;
}

function readTools(
  fields: RecordFields,
  field: 'acceptable_tools' | 'forbidden_tools' | 'allowed_calls',
  context: Parameters<typeof readCalls>[1],
  expectsCalls: boolean,
): AcceptedTools | Unreadable {
  const value = fields.peek(field);
  // A switch such as `must_not_call: true` says nothing about tools by itself.
  if (value === undefined || isEmpty(value)) {
    fields.take(field);
    // Where a person says that any of a list is right, an empty list is as clear as in one of all.
    const saysNone = isEmptyList(value) || (fields.record.isTable && value !== undefined);
    return { tools: [], isNone: fields.isMapped(field) && saysNone, whole: null };
  }
  const name = fields.nameOf(field) ?? field;
  const nothing = { tools: [], isNone: false, whole: null };
  if (field === 'forbidden_tools' && readBoolean(value) !== null) return nothing;
  // `never`, `avoid` and `one of` may be about something else than tools.
  if (!fields.isMapped(field) && !namesTools(lastPart(name)) && !listsTools(value, context))
    return nothing;
  const given = fields.takeStructured(field);
  const isOfLists =
    field === 'acceptable_tools' &&
    Array.isArray(given) &&
    given.some((each) => Array.isArray(listIn(each)));
  // Of sequences each list is a right answer of its own.
  const areSteps = isOfLists && /steps$/i.test(name);
  const lists = areSteps ? 'calls' : isSequence(lastPart(name)) ? 'sequences' : context.lists;
  const read =
    given === undefined
      ? { why: 'It isn’t a list of tools.' }
      : readCalls(given, { ...context, ...(lists && { lists }) });
  if ('why' in read) return { why: `${name}: ${read.why}`, field };
  const steps = { what: name, why: 'Each of its lists is read as a step with equally good tools.' };
  if (isOfLists && read.calls.length > 0)
    return {
      ...nothing,
      whole: {
        ...read,
        ordered: read.ordered || isSequence(lastPart(name)),
        changes: [...(read.changes ?? []), ...(areSteps ? [steps] : [])],
      },
    };
  // Next to expected calls, every other call is unneeded, whatever its arguments are.
  const isPlain = !read.calls.some(hasArguments) || (field === 'forbidden_tools' && expectsCalls);
  if (!isPlain && field !== 'acceptable_tools')
    return { why: `${name}: Its tools can’t have arguments.`, field };
  const { tools, isForeign = false } = oneOf(
    field === 'acceptable_tools' ? read.calls : read.calls.filter((call) => !hasArguments(call)),
  );
  return {
    tools,
    isForeign,
    isNone: fields.isMapped(field) && read.calls.length === 0,
    whole: null,
  };
}

/** Adds equally good tools to the only expected one. */
function joinAlternatives(
  said: (SourceCalls & { changes: Change[] }) | null,
  { tools, isForeign = false, whole }: AcceptedTools,
): (SourceCalls & { changes: Change[] }) | null | Unreadable {
  const calls = said?.calls ?? [];
  if (whole !== null && calls.length === 0) return whole;
  if (whole !== null && said !== null) {
    const joined = joinAnswers([calls, whole.calls], said.ordered || whole.ordered);
    if ('why' in joined) return { ...joined, field: 'acceptable_tools' };
    const changes = [...said.changes, ...whole.changes, ...(joined.changes ?? [])];
    return { ...said, ...joined, changes };
  }
  if (tools.length === 0) return said;
  const [only, ...more] = calls;
  if (more.length > 0)
    return {
      why: 'It names alternatives, but not of which of its several tools.',
      field: 'acceptable_tools',
    };
  // The arguments of the expected call say nothing of those of other tools.
  const joined = oneOf([...(only === undefined ? [] : [only]), { tools: [...tools], isForeign }]);
  return {
    calls: [{ ...joined, tools: unique(joined.tools) }],
    ordered: false,
    unread: [],
    changes: [],
    ...(calls.length > 0 && { changes: said?.changes ?? [] }),
  };
}

const firstCheck =
  'Of several checks of the arguments of a tool, the first with arguments is read.';
const valuesAlone = 'Not imported. It lists values, and not of which arguments.';

function addArguments(
  fields: RecordFields,
  calls: readonly SourceCall[],
): { calls: SourceCall[]; changes?: Change[] } | Unreadable {
  // A list of the names of required arguments says nothing of their values.
  const isRequired = /requir/i.test(fields.nameOf('parameters') ?? '');
  const alone = fields.peek('parameters');
  const areNames =
    Array.isArray(alone) &&
    !fields.isMapped('parameters') &&
    alone.every((each) => typeof each === 'string' && /^[A-Za-z_]\w*$/.test(each));
  if (areNames || (isRequired && namesAlone(alone, calls))) return { calls: [...calls] };
  const given = fields.takeStructured('parameters');
  if (given === undefined || given === null || given === '' || isEmptyList(given))
    return { calls: [...calls] };
  const field = 'parameters';
  const asserted = withAssertions(given, calls);
  if (asserted !== null) return asserted;
  const inOrder = argumentsByPlace(given, calls);
  if (inOrder !== null) return { calls: inOrder };
  const name = fields.nameOf(field) ?? field;
  const checks = argumentsOfChecks(given, calls);
  if (checks !== null)
    return {
      calls: checks.calls,
      changes: checks.others === 0 ? [] : [{ what: name, why: firstCheck }],
    };
  if (!fields.isMapped(field) && /expect/i.test(name) && namesAlone(given, []))
    return { calls: [...calls], changes: [{ what: name, why: valuesAlone }] };
  const parameters = typeof given === 'string' && given.trim() === '' ? {} : readArguments(given);
  if (parameters === null)
    return { why: 'Parameters must be a JSON object, such as {"title": "milk"}.', field };
  if (typeof given === 'string' && given.trim() === '') return { calls: [...calls] };
  const isOurs = /^(?:expected)?parameters$/.test(plainName(name));
  const ofTools = argumentsByTool(parameters, calls, !isOurs);
  if (ofTools !== null) return { calls: ofTools };
  const [only, ...more] = calls;
  if (only === undefined)
    return Object.keys(parameters).length === 0
      ? { calls: [] }
      : { why: 'The case has parameters but no tool. Add the tool.', field };
  const shared = only.tools.filter((tool) => tool.parameters === undefined);
  const hasAll = only.parameters !== undefined || shared.length === 0;
  // No arguments in a field beside calls: it is there for other records, or says nothing of these.
  if (Object.keys(parameters).length === 0 && (more.length > 0 || hasAll))
    return { calls: [...calls] };
  if (more.length > 0)
    return {
      why: 'The case has parameters for several tools. Use expected_calls instead.',
      field,
    };
  if (only.tools.length > 1 && shared.length !== 1 && Object.keys(parameters).length > 0)
    return { why: 'The case has parameters, but not for which of its alternatives.', field };
  if (hasAll) return { why: 'Its arguments are given twice, with the call and in a field.', field };
  // Ours may hold any text.
  return { calls: [{ ...only, parameters, isForeign: !isOurs || only.isForeign === true }] };
}
