import {
  mappedFields,
  type ColumnMap,
  type MappedField,
} from '../../../../src-shared/contract/suites.ts';

import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { isEmpty } from './values.ts';

/**
 * The names under which other programs keep each field, without case and punctuation, the most
 * telling one first. Whatever reads records of named fields reads them by this table.
 */
const fieldNames: Record<MappedField, readonly string[]> = {
  id: [
    'id',
    'key',
    'caseid',
    'testid',
    'evalid',
    'recordid',
    'scenarioid',
    'exampleid',
    'uuid',
    '#',
    'no',
    'nr',
    'number',
    'index',
  ],
  name: ['name', 'title', 'testname', 'casename', 'description'],
  query: [
    'query',
    'prompt',
    'userquery',
    'userprompt',
    'userinput',
    'usermessage',
    'utterance',
    'question',
    'input',
    'request',
    'message',
    'text',
    'userrequest',
    'usertext',
    'userturn',
    'user',
    'ask',
    'instruction',
    'task',
    'scenario',
    'goal',
    'example',
    'phrase',
    'sentence',
    'q',
  ],
  tags: [
    'tags',
    'tag',
    'labels',
    'category',
    'categories',
    'difficulty',
    'split',
    'group',
    'topic',
    'feature',
  ],
  server: ['server', 'expectedserver', 'expectedmcpservername', 'mcpserver', 'servername'],
  tool: [
    'expectedtool',
    'expectedtoolname',
    'expecttool',
    'expectedfunction',
    'expectedfunctionname',
    'expectedtoolcall',
    'correcttool',
    'tool',
    'toolname',
    'function',
    'functionname',
  ],
  parameters: [
    'expectedparameters',
    'expectedarguments',
    'expectedargs',
    'expectedparams',
    'expectedinput',
    'expectedtoolargs',
    'expectedtoolarguments',
    'parameters',
    'arguments',
    'args',
    'params',
    'slots',
    'toolparams',
    'toolparameters',
    'toolargs',
    'toolarguments',
    'toolinput',
  ],
  servers: ['servers'],
  expected_calls: [
    'expectedcalls',
    'expectedcall',
    'expectedtools',
    'expectedtoolcalls',
    'expecttools',
    'expectedfunctions',
    'expectedtoolnames',
    'expectedtoolcallsrequired',
    'expectedtoolsrequired',
    'requiredtools',
    'correcttools',
    'mustcall',
    'mustcalltools',
    'toolsexpected',
    'groundtruthtools',
    'groundtruthtoolcalls',
    'referencetools',
    'referencetoolcalls',
    'goldtools',
    'goldtoolcalls',
    'targettools',
    'expectedtrajectory',
    'referencetrajectory',
    'trajectory',
    'toolcalls',
    'toolcall',
    'calls',
    'call',
  ],
  acceptable_tools: [
    'acceptabletools',
    'acceptabletool',
    'alternativetools',
    'alternativetool',
    'alternatives',
    'expectanytool',
    'expectedanytool',
    'expectedanyof',
    'anyoftools',
    'anytool',
    'anyof',
  ],
  forbidden_tools: [
    'forbiddentools',
    'forbiddentool',
    'prohibitedtools',
    'disallowedtools',
    'unexpectedtools',
    'nottools',
    'nottool',
    'mustnotcall',
    'shouldnotcall',
    'expectedtoolcallsprohibited',
    'expectedtoolcallsforbidden',
    'expectedtoolsforbidden',
  ],
  should_call: [
    'shouldcall',
    'shouldcalltool',
    'shouldcalltools',
    'shouldtrigger',
    'shouldusetool',
    'shouldusetools',
    'shouldinvoke',
    'shouldactivate',
    'expectcall',
    'expecttoolcall',
    'toolneeded',
    'toolrequired',
    'needstool',
    'requirestool',
  ],
  no_tool: [
    'notool',
    'notools',
    'notoolexpected',
    'expectnotool',
    'expectnotools',
    'expectednotool',
    'expectsnotool',
    'nocall',
    'nocalls',
    'negative',
    'isnegative',
    'negativetest',
    'isnegativetest',
  ],
  arguments_mode: [
    'argumentsmode',
    'toolargsmatchmode',
    'argumentsmatch',
    'argsmatch',
    'argmatch',
    'parametersmatch',
    'paramsmatch',
    'matchmode',
    'argumentmatch',
    'argsmatchmode',
    'argumentsmatchmode',
  ],
  order_dependent: [
    'orderdependent',
    'ordermatters',
    'ordered',
    'inorder',
    'strictorder',
    'checkorder',
  ],
  allowed_calls: [
    'allowedcalls',
    'allowedtools',
    'alsoallowed',
    'optionaltools',
    'expectedtoolcallsallowed',
    'expectedtoolsallowed',
    'expectedtoolsoptional',
  ],
  messages: [
    'messages',
    'history',
    'chathistory',
    'conversationhistory',
    'conversation',
    'previousmessages',
    'priormessages',
    'previousturns',
    'earliermessages',
  ],
  context: ['context', 'background', 'precondition', 'preconditions'],
  system: ['system', 'systemprompt', 'systemmessage'],
  note: ['note', 'notes', 'comment', 'comments', 'remark', 'remarks', 'rationale', 'reason', 'why'],
  answer: [
    'answer',
    'expectedanswer',
    'correctanswer',
    'referenceanswer',
    'expectedresponse',
    'groundtruth',
  ],
  stub_results: ['stubresults'],
};

/** Objects of a record whose members are fields of it: what is asked, expected, or said about it. */
const wrappers: Readonly<Record<'asking' | 'expecting' | 'describing', readonly string[]>> = {
  asking: ['inputs', 'input', 'vars', 'request'],
  expecting: [
    'expected',
    'expect',
    'expectation',
    'expectations',
    'expectedoutput',
    'expectedoutputs',
    'expectedbehavior',
    'expectedtoolcalls',
    'expectedtools',
    'outputs',
    'referenceoutputs',
    'reference',
    'groundtruth',
    'target',
    'ideal',
    'gold',
    'golden',
    'assert',
    'assertions',
    'criteria',
  ],
  describing: ['metadata', 'meta', 'info', 'details', 'extra'],
};
type Wrapper = keyof typeof wrappers;
const wrapperKinds: ReadonlyMap<string, Wrapper> = new Map(
  (Object.keys(wrappers) as Wrapper[]).flatMap((kind) =>
    wrappers[kind].map((name) => [name, kind] as const),
  ),
);

/** What the members of an object of this name are; undefined: one value of the record. */
export const wrapperOf = (name: string): Wrapper | undefined => wrapperKinds.get(plainName(name));

const mayAsk: ReadonlySet<MappedField> = new Set(['query', 'messages', 'context', 'system']);
const mayDescribe: ReadonlySet<MappedField> = new Set([
  'tags',
  'tool',
  'expected_calls',
  'parameters',
  'acceptable_tools',
  'forbidden_tools',
  'should_call',
  'no_tool',
  'allowed_calls',
  'order_dependent',
  'arguments_mode',
  'note',
  'answer',
  'system',
]);
const neverExpected: ReadonlySet<MappedField> = new Set([
  'id',
  'name',
  'query',
  'tags',
  'servers',
  'messages',
  'context',
  'system',
  'note',
  'stub_results',
]);

/** Names that may mean something else next to a telling one, such as what a run called. */
export const weakNames: ReadonlySet<string> = new Set([
  'tool',
  'toolname',
  'function',
  'functionname',
  'trajectory',
  'toolcalls',
  'toolcall',
  'calls',
  'call',
]);

/** Why fields of these names aren't read. */
const unreadReasons: readonly [RegExp, string][] = [
  [
    /^(?:(?:expected|reference|ideal|golden|correct)(?:output|answer|response|result)?|(?:expected|reference|ideal)outputs?\w*|answers?|target|groundtruth|output|outputs\w*|response)$/,
    'Touchstone doesn’t take it for an expected tool. Only tool calls are scored.',
  ],
  [
    /^(?:actual\w*|toolscalled|toolsused|calledtools|predicted\w*)$/,
    'It says what a run did, not what is expected.',
  ],
  [/^reasoning$/, 'The model doesn’t see it.'],
  [
    /^(?:tools|functions|availabletools)$/,
    'The tools that a case offers are those of its servers.',
  ],
];

/** `Expected Tool`, `expected_tool` and `expectedTool` are one name. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const unreadReason = (name: string): string =>
  unreadReasons.find(([pattern]) => pattern.test(plainName(name)))?.[1] ??
  'A case has no such field.';

/** Names the fields of a foreign object that have a value and aren't among those that are read. */
export const unreadChanges = (
  object: JsonObject,
  read: readonly string[],
  prefix = '',
): { what: string; why: string }[] =>
  Object.keys(object)
    .filter((name) => !read.includes(name) && !isEmpty(object[name]))
    .map((name) => ({
      what: `${prefix}${name}`,
      why: `Not imported. ${unreadReason(name)}`,
    }));

/** The names of a record that hold each field, the first choice first. */
export type FieldColumns = Partial<Record<MappedField, readonly string[]>>;

/**
 * Finds the columns of each field: the mapped one if a person mapped it, or else all that have one
 * of its names. A name with a point is a member of an object: `expected.tool`.
 */
export function findFields(names: readonly string[], map: ColumnMap): FieldColumns {
  const known = found.get(map) ?? new Map<string, FieldColumns>();
  found.set(map, known);
  const key = names.join('\0');
  const columns = known.get(key) ?? assignFields(names, map);
  if (known.size < maxKept) known.set(key, columns);
  return columns;
}

/** Nothing is mapped: one object, so that what is found for the same names is kept. */
export const noMap: ColumnMap = {};

/** All rows of a table, and most records of a list, have the same names. */
const found = new WeakMap<ColumnMap, Map<string, FieldColumns>>();
const maxKept = 1000;

function assignFields(names: readonly string[], map: ColumnMap): FieldColumns {
  const taken = new Set(Object.values(map).flat());
  const byPlainName = new Map<string, string[]>();
  const enter = (plain: string, name: string): void =>
    void byPlainName.set(plain, [...(byPlainName.get(plain) ?? []), name]);
  const free = names.filter((name) => !taken.has(name));
  for (const name of free) enter(plainName(name) === '' ? name : plainName(name), name);
  // After whole names, so that a field of the record comes before that of an object in it.
  for (const name of free) {
    const [wrapper, member] = memberOf(name);
    if (wrapper !== undefined) enter(plainName(member), name);
  }
  const fields: FieldColumns = {};
  for (const field of mappedFields) {
    const mapped = map[field];
    // A person who says where the expected tools are says so of both fields that can hold them.
    const isAnswered =
      (field === 'tool' && map.expected_calls !== undefined) ||
      (field === 'expected_calls' && map.tool !== undefined);
    const columns =
      mapped === undefined
        ? [
            ...new Set(
              fieldNames[field]
                .flatMap((each) => (isAnswered ? [] : (byPlainName.get(each) ?? [])))
                .filter((name) => mayHold(name, field)),
            ),
          ]
        : [mapped].flat().filter((name) => names.includes(name));
    if (columns.length > 0) fields[field] = columns;
  }
  return fields;
}

/** The kind of the object that a name with points stands in, and its name there. */
function memberOf(name: string): [wrapper: Wrapper | undefined, member: string] {
  const parts = name.split('.');
  const wrapper = parts.length < 2 ? undefined : wrapperOf(parts.at(-2) ?? '');
  return [wrapper, parts.at(-1) ?? ''];
}

function mayHold(name: string, field: MappedField): boolean {
  const [wrapper, member] = memberOf(name);
  if (wrapper === undefined) return true;
  if (wrapper === 'asking') return mayAsk.has(field);
  // Beside a case, `tool` may be what it is about, or what a run called.
  return wrapper === 'describing'
    ? mayDescribe.has(field) && !weakNames.has(plainName(member))
    : !neverExpected.has(field);
}

/** Fields that can say which tools are expected. */
const expectations: readonly MappedField[] = [
  'tool',
  'expected_calls',
  'acceptable_tools',
  'forbidden_tools',
  'should_call',
  'no_tool',
  'allowed_calls',
];

/** Whether records with these fields can say which tools are expected. */
export const saysExpectation = (columns: FieldColumns): boolean =>
  expectations.some((field) => columns[field] !== undefined);

export const quoteNames = (names: readonly string[]): string =>
  names
    .slice(0, 30)
    .map((name) => JSON.stringify(name))
    .join(', ');
