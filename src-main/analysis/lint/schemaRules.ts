import { formatCount } from '../../../src-shared/display/numbers.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { MalformedMember, RejectedTool } from '../../../src-shared/domain/tool.ts';
import { listed } from '../../../src-shared/display/similarityTexts.ts';
import { example, type Finding, type LintRule } from './rule.ts';
import { auditSchema, type SchemaFlaw } from './schemaAudit.ts';
import { schemaRefusals, type SchemaFlawKind } from './schemaRefusals.ts';

/** Places that one rule lists of a tool; the others are counted. */
const maxPlaces = 10;

/** The strictest pattern for names: that of Claude Desktop. OpenAI's differs by its length only. */
const portableName = /^[a-zA-Z0-9_-]*$/u;
const maxName = 64;
/** Cursor leaves out a tool whose name has 60 characters with the name of its server. */
const maxBesideServer = 58;

/** A finding with its place, who refuses it, and how that is known. */
function findingOf({ kind, place, what }: SchemaFlaw): Finding {
  const isOutput = place.startsWith('/outputSchema');
  const refusedBy = schemaRefusals[kind]
    .filter(({ readsInputOnly }) => !isOutput || readsInputOnly !== true)
    .map(({ client, source }) => ({ client, source }));
  const clients = [...new Set(refusedBy.map(({ client }) => client))];
  const who =
    clients.length === 0
      ? 'No refusal of it is known.'
      : `${listed(clients)} ${clients.length === 1 ? 'refuses' : 'refuse'} it.`;
  return { message: `${place === '' ? '' : `${place}: `}${what}. ${who}`, place, refusedBy };
}

const known = new WeakMap<AnalysedTool, readonly SchemaFlaw[]>();

/** All flaws of a tool; every rule reads them, so they are found once. */
function flawsOf(tool: AnalysedTool): readonly SchemaFlaw[] {
  let flaws = known.get(tool);
  if (flaws === undefined)
    known.set(
      tool,
      (flaws = [
        ...(tool.skill === undefined ? nameFlaws(tool) : []),
        ...(tool.malformed ?? []).map(malformedFlaw),
        ...hintFlaws(tool.annotations ?? {}),
        ...(tool.skill || tool.schemaless ? [] : auditSchema(tool.inputSchema, 'inputSchema')),
        ...(tool.outputSchema ? auditSchema(tool.outputSchema, 'outputSchema') : []),
      ]),
    );
  return flaws;
}

function nameFlaws({ name }: AnalysedTool): SchemaFlaw[] {
  const found: SchemaFlaw[] = [];
  if (!portableName.test(name))
    found.push({
      kind: 'name-characters',
      place: '/name',
      what: `"${name.slice(0, 80)}" has characters other than letters, digits, "_" and "-"`,
    });
  if (name.length > maxBesideServer)
    found.push({
      kind: name.length > maxName ? 'name-length' : 'name-with-server',
      place: '/name',
      what:
        name.length > maxName
          ? `the name has ${formatCount(name.length)} characters, more than ${maxName}`
          : `the name has ${formatCount(name.length)} characters, 60 or more with that of its server`,
    });
  return found;
}

const malformedFlaw = ({ member, found }: MalformedMember): SchemaFlaw => ({
  kind:
    found === 'null' ? 'null-member' : member === 'outputSchema' ? 'output-root' : 'member-type',
  place: `/${member}`,
  what: `"${member}" is ${found}`,
});

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

const hintFlaws = (annotations: JsonObject): SchemaFlaw[] =>
  hints.flatMap((hint) => {
    const value = annotations[hint];
    return value === undefined || typeof value === 'boolean'
      ? []
      : [
          {
            kind: value === null ? 'null-member' : 'member-type',
            place: `/annotations/${hint}`,
            what: `"${hint}" is ${JSON.stringify(value).slice(0, 40)}, neither true nor false`,
          },
        ];
  });

const described = 'Moves a paid bill to the archive. Use it once the money is there.';
const bill = { type: 'string', description: 'Number that is printed on the bill' };

interface SchemaRule {
  id: string;
  severity: LintRule['severity'];
  kinds: readonly SchemaFlawKind[];
  what: string;
  fix: string;
  /** The bad example: its input schema, or what else differs. */
  bad: JsonObject | ((sound: AnalysedTool) => AnalysedTool);
}

const sound = example('archive_invoice', described, { bill });

function ruleOf({ id, severity, kinds, what, fix, bad }: SchemaRule): LintRule {
  return {
    id,
    severity,
    what,
    fix,
    bad: typeof bad === 'function' ? bad(sound) : { ...sound, inputSchema: bad },
    good: sound,
    check({ tool }) {
      const found = flawsOf(tool)
        .filter(({ kind }) => kinds.includes(kind))
        .map(findingOf);
      const beyond = found.slice(maxPlaces);
      if (beyond.length === 0) return found;
      // Who refuses a place that isn't listed still refuses the tool.
      const refusedBy = new Map(
        beyond.flatMap(({ refusedBy: by = [] }) => by.map((refusal) => [refusal.client, refusal])),
      );
      return [
        ...found.slice(0, maxPlaces),
        {
          message: `${beyond.length} more ${beyond.length === 1 ? 'place' : 'places'} of this kind.`,
          refusedBy: [...refusedBy.values()],
        },
      ];
    },
  };
}

const withProperty = (schema: JsonObject | boolean | null, name = 'bill'): JsonObject => ({
  type: 'object',
  properties: { [name]: schema },
});

const rootRule = ruleOf({
  id: 'schema-root',
  severity: 'high',
  kinds: ['root-type', 'root-union'],
  what:
    'An input schema that isn’t an object of type "object", or that has "anyOf", "oneOf", "allOf", ' +
    '"enum" or "not" at the top. Several clients then lose every tool of the server.',
  fix: 'Write "type": "object" at the top, and move choices into the parameters.',
  bad: { properties: { bill } },
});
const nameRule = ruleOf({
  id: 'schema-tool-name',
  severity: 'medium',
  kinds: ['name-characters', 'name-length', 'name-with-server'],
  what:
    'A name with other characters than letters, digits, "_" and "-", with more than 64 characters, ' +
    'or with 59 and more, which are 60 with the name of its server.',
  fix: 'Use letters, digits, "_" and "-" only, and shorten the name.',
  bad: (tool) => ({ ...tool, name: 'archive.invoice' }),
});

/** What can't be read of a tool at all, by the rule that says so. */
export function rejectedFinding({ reason }: RejectedTool): { rule: string; finding: Finding } {
  const what = `It can’t be offered. ${reason.replace(/\.$/u, '')}`;
  return {
    rule: /name/u.test(reason) ? nameRule.id : rootRule.id,
    finding: findingOf({ kind: 'unusable', place: '', what }),
  };
}

const duplicates: LintRule = {
  ...ruleOf({
    id: 'schema-duplicate',
    severity: 'medium',
    kinds: ['duplicate-required', 'duplicate-value'],
    what: 'A name that two tools of a server have, or a value that "required", "enum" or "type" lists twice.',
    fix: 'Remove the repetition, or rename one of the tools.',
    bad: { type: 'object', properties: { bill }, required: ['bill', 'bill'] },
  }),
};

/** Schemas and names that programs and providers refuse. */
export const schemaRules: readonly LintRule[] = [
  rootRule,
  ruleOf({
    id: 'schema-array-items',
    severity: 'high',
    kinds: ['array-items', 'tuple'],
    what: 'An array without "items", or with a list of schemas under "items".',
    fix: 'Give "items" one schema for all elements.',
    bad: withProperty({ type: 'array', description: 'Numbers of the bills' }),
  }),
  ruleOf({
    id: 'schema-null',
    severity: 'high',
    kinds: ['null-member', 'null-keyword', 'null-property', 'null-root-member'],
    what: 'A member of the tool or a keyword of a schema that is null.',
    fix: 'Leave out what has no value.',
    bad: withProperty({ ...bill, enum: null }),
  }),
  ruleOf({
    id: 'schema-keyword',
    severity: 'high',
    kinds: ['keyword', 'no-meaning', 'root-members', 'required-type', 'type-name', 'member-type'],
    what:
      'A keyword whose value has the wrong type or can’t be read in draft 2020-12. It checks nothing, ' +
      'and arguments under it aren’t judged.',
    fix: 'Correct the keyword or remove it.',
    bad: withProperty({ ...bill, minLength: '3' }),
  }),
  ruleOf({
    id: 'schema-boolean',
    severity: 'high',
    kinds: ['boolean-property', 'boolean-below'],
    what: 'A parameter whose schema is true or false. JSON Schema allows it, many clients don’t.',
    fix: 'Write {} for true, and remove the parameter for false.',
    bad: (tool) => ({
      ...tool,
      inputSchema: withProperty(true),
      description: `${described} It names its "bill".`,
    }),
  }),
  ruleOf({
    id: 'schema-property-name',
    severity: 'high',
    kinds: ['property-name', 'empty-name'],
    what: 'A parameter whose name isn’t 1 to 64 letters, digits, "_", "." or "-".',
    fix: 'Rename the parameter.',
    bad: withProperty(bill, 'bill number'),
  }),
  ruleOf({
    id: 'schema-output',
    severity: 'high',
    kinds: ['output-root'],
    what: 'An output schema that isn’t an object of type "object".',
    fix: 'Write "type": "object" at the top of "outputSchema", and put lists into a property.',
    bad: (tool) => ({ ...tool, outputSchema: { type: 'array', items: bill } }),
  }),
  ruleOf({
    id: 'schema-reference',
    severity: 'high',
    kinds: ['reference'],
    what: 'A reference that leads to nothing in the schema, or to another document.',
    fix: 'Put the schema under "$defs" and refer to it there.',
    bad: withProperty({ $ref: '#/$defs/bill', description: 'The bill' }),
  }),
  ruleOf({
    id: 'schema-no-properties',
    severity: 'medium',
    kinds: ['no-properties'],
    what: 'An input schema of type "object" without "properties".',
    fix: 'Write "properties": {} if the tool has no parameters.',
    bad: { type: 'object' },
  }),
  ruleOf({
    id: 'schema-recursion',
    severity: 'medium',
    kinds: ['recursion'],
    what: 'A schema that contains itself. Clients that replace references by their target can’t send it.',
    fix: 'Write the schema out to the depth that the tool needs.',
    bad: {
      type: 'object',
      properties: { bill: { description: 'The bill', $ref: '#/$defs/bill' } },
      $defs: {
        bill: { type: 'object', properties: { parts: { $ref: '#/$defs/bill' } } },
      },
    },
  }),
  ruleOf({
    id: 'schema-pattern',
    severity: 'medium',
    kinds: [
      'lookaround',
      'property-escape',
      'named-group',
      'open-bracket',
      'not-ecmascript',
      'other-pattern',
    ],
    what:
      'A pattern that not every engine understands: lookaheads, lookbehinds, "\\p{…}", named groups, ' +
      'backreferences, "[" in a class, or syntax of another language.',
    fix: 'Write the pattern without it, or say in the description what it demands.',
    bad: withProperty({ ...bill, pattern: '^(?!0)[0-9]+$' }),
  }),
  ruleOf({
    id: 'schema-dialect',
    severity: 'medium',
    kinds: ['dialect', 'dialect-2019', 'output-dialect'],
    what:
      'A "$schema" that isn’t a known draft of JSON Schema, or one that validators of clients lack: ' +
      '2019-09, and in output schemas all but 2020-12.',
    fix: 'Remove "$schema" or write "https://json-schema.org/draft/2020-12/schema".',
    bad: { ...sound.inputSchema, $schema: 'https://example.com/schema' },
  }),
  nameRule,
  {
    ...duplicates,
    check: (linted) => [
      ...(linted.repeats === 0
        ? []
        : [
            findingOf({
              kind: 'duplicate-name',
              place: '/name',
              what: `the server lists "${linted.tool.name}" ${linted.repeats + 1} times; only the first is kept`,
            }),
          ]),
      ...duplicates.check(linted),
    ],
  },
];
