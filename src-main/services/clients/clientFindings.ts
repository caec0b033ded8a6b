import { formatCount } from '../../../src-shared/display/numbers.ts';
import { byProgram, noneOf } from '../../../src-shared/display/clientTexts.ts';
import { listed } from '../../../src-shared/display/similarityTexts.ts';
import type { ClientFacts } from '../../../src-shared/domain/clientFacts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { valueAtPointer } from '../../../src-shared/domain/jsonPointer.ts';
import { toolId } from '../../../src-shared/domain/labels.ts';
import type { LintFinding } from '../../../src-shared/domain/lint.ts';
import type { OfferedTool } from '../../presentation/present.ts';
import { clientRuleIds, clientRules, type ClientRule } from './clientRules.ts';
import { hiddenWhy, ownChanges, saidBy, type ClientView } from './clientViews.ts';
import { flawTexts } from './flawTexts.ts';

/** What one client does to one tool, before what several clients do becomes one finding. */
interface Found {
  rule: ClientRule;
  /** Of the tool that has to be changed. */
  toolId: string;
  /** What comes after the names of the clients, with a verb for one and for several. */
  one: string;
  several: string;
  fix: string;
  place: string;
  client: ClientFacts;
}

/** `measured with Claude Code 2.1.197`, or where it is documented. */
const knownFrom = ({ name, version, known }: ClientFacts): string =>
  known.source ?? `measured with ${name} ${version ?? ''}`.trim();

/**
 * What clients make of tools that costs a model something, by tool in the order of the views, then by
 * rule. What several clients do to a tool by one flaw is one finding, which names them all. A tool that
 * hides its whole server is found once, at that tool.
 */
export function clientFindings(
  views: readonly ClientView[],
  off: ReadonlySet<string> = new Set(),
): LintFinding[] {
  const found = views
    .flatMap((view) => [
      ...hiddenBy(view),
      ...unsaidBy(view),
      ...view.offered.flatMap((one) => changedBy(view, one)),
    ])
    .filter(({ rule }) => !off.has(rule));
  const groups = Map.groupBy(found, ({ rule, toolId: id, place, one }) =>
    JSON.stringify([rule, id, place, hiding.has(rule) ? one : null]),
  );
  const order = new Map(orderOf(views).map((id, at) => [id, at]));
  return [...groups.values()]
    .flatMap((group) => group.slice(0, 1).map((first) => findingOf(first, group)))
    .toSorted(
      (a, b) =>
        (order.get(a.toolId) ?? 0) - (order.get(b.toolId) ?? 0) ||
        clientRuleIds.indexOf(a.rule) - clientRuleIds.indexOf(b.rule),
    );
}

const orderOf = ([first]: readonly ClientView[]): string[] =>
  [...(first?.offered ?? []), ...(first?.hidden ?? [])].map(({ server, tool }) =>
    toolId(server, tool),
  );

/** They hide for several reasons, each with its own remedy. */
const hiding: ReadonlySet<ClientRule> = new Set(['client-hides-server', 'client-hides-tool']);

/** One flaw, with what each client makes of it: clients of which the same can be said, together. */
function findingOf({ rule, toolId: id, fix, place }: Found, group: readonly Found[]) {
  const said = [...Map.groupBy(group, ({ one }) => one)].flatMap(([one, alike]) => {
    const clients = byProgram(alike.map(({ client }) => client.name));
    return `${listed(clients)} ${clients.length === 1 ? one : (alike[0]?.several ?? one)}`;
  });
  return {
    toolId: id,
    rule,
    severity: clientRules[rule].severity,
    message: said.join(' '),
    fix,
    span: null,
    ...(place !== '' && { place }),
    refusedBy: group.map(({ client }) => ({ client: client.name, source: knownFrom(client) })),
  } satisfies LintFinding;
}

function hiddenBy({ client, offered, hidden }: ClientView): Found[] {
  const sizes = new Map<string, number>();
  for (const { server } of [...offered, ...hidden]) sizes.set(server, (sizes.get(server) ?? 0) + 1);
  return hidden.flatMap((one): Found[] => {
    const { reason, server, tool } = one;
    const common = { client, toolId: toolId(server, tool), place: '' };
    if (reason.kind === 'server') return [];
    if (reason.kind !== 'flaw') {
      const text = hiddenWhy(one, client);
      return [
        {
          ...common,
          ...{ rule: 'client-hides-tool', one: text, several: severalOf(text) },
          fix: clientRules['client-hides-tool'].fix,
        },
      ];
    }
    const { is, fix } = flawTexts[reason.flaw];
    if (reason.flaw === 'twice' || client.hidesServer.includes(reason.flaw)) {
      const count = sizes.get(server) ?? 1;
      const what = `${noneOf(count)} of "${server}" because of "${tool}": ${is}`;
      return [
        {
          ...common,
          ...{ rule: 'client-hides-server', one: `shows ${what}`, several: `show ${what}`, fix },
        },
      ];
    }
    const what = `out "${tool}": ${is}`;
    return [
      {
        ...common,
        ...{ rule: 'client-hides-tool', one: `leaves ${what}`, several: `leave ${what}`, fix },
      },
    ];
  });
}

/** Servers of which a model reads little before it searches, each at its first tool. */
const unsaidBy = ({ client, offered, before }: ClientView): Found[] =>
  before.flatMap(({ server, text, shown, of }): Found[] => {
    const first = offered.find((one) => one.server === server);
    if (first === undefined || text === null || (shown > 0 && shown === of)) return [];
    const what =
      text === ''
        ? `only the name of "${server}" before a search, because it has no instructions.`
        : `${formatCount(shown)} of the ${formatCount(of)} characters of the instructions of "${server}" before a search, and no tool.`;
    return [
      {
        ...{ client, toolId: toolId(server, first.tool), place: '' },
        ...{ rule: 'client-cuts-instructions', one: `shows ${what}`, several: `show ${what}` },
        fix: clientRules['client-cuts-instructions'].fix,
      },
    ];
  });

/** "shows …" of one client is "show …" of several. */
const severalOf = (text: string): string =>
  text.replace(/^doesn't /, "don't ").replace(/^(show|leave)s /, '$1 ');

function changedBy({ client }: ClientView, tool: ClientView['offered'][number]): Found[] {
  const { cut } = client.description;
  const common = { client, toolId: toolId(tool.server, tool.tool) };
  const found = (
    rule: ClientRule,
    [one, several]: readonly [string, string],
    place: string,
  ): Found => ({ ...common, rule, one, several, fix: clientRules[rule].fix, place });
  const both = (verb: string, what: string) => [`${verb}s ${what}`, `${verb} ${what}`] as const;
  const said = saidBy(tool.raw);
  const dangling = danglingIn(tool);
  const closed = closedIn(tool, client);
  const lost = lostIn(client, tool);
  return [
    ...(cut !== null && said.length > cut.characters
      ? [
          found(
            'client-cuts-description',
            both(
              'cut',
              `the description of "${tool.tool}" after ${formatCount(cut.characters)} of its ${formatCount(said.length)} characters.`,
            ),
            '/description',
          ),
        ]
      : []),
    ...(dangling.length > 0
      ? [
          found(
            'client-loses-reference',
            both('remove', `the definitions that ${listed(dangling)} of "${tool.tool}" leads to.`),
            '/inputSchema',
          ),
        ]
      : []),
    ...(closed === null
      ? []
      : [found('client-closes-schema', both('forbid', closed), '/inputSchema')]),
    ...(lost.length > 0
      ? [
          found(
            'client-drops-keywords',
            both(
              'leave',
              `out ${listed(lost.slice(0, 5))}${lost.length > 5 ? ` and ${lost.length - 5} more` : ''} of the schema of "${tool.tool}".`,
            ),
            '/inputSchema',
          ),
        ]
      : []),
  ];
}

/** The references that lead somewhere in the schema that was sent, and nowhere in the one shown. */
function danglingIn({ raw, schema, from }: OfferedTool): string[] {
  if (from !== undefined) return danglingIn(from);
  const sent = isJsonObject(raw.inputSchema) ? raw.inputSchema : {};
  const found = new Set<string>();
  const look = (value: JsonValue): void => {
    if (Array.isArray(value)) value.forEach(look);
    if (!isJsonObject(value)) return;
    const { $ref } = value;
    if (
      typeof $ref === 'string' &&
      $ref.startsWith('#/') &&
      !leads(schema ?? {}, $ref) &&
      leads(sent, $ref)
    )
      found.add(`"${$ref}"`);
    Object.values(value).forEach(look);
  };
  look(schema);
  return [...found];
}

function leads(schema: JsonObject, reference: string): boolean {
  let at: JsonValue | undefined = schema;
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(name)] : isJsonObject(at) ? at[name] : undefined;
  }
  return at !== undefined;
}

/** Which arguments a client forbids that the schema allows; null if it forbids none. */
function closedIn({ raw, schema, tool }: OfferedTool, client: ClientFacts): string | null {
  const sent = isJsonObject(raw.inputSchema) ? raw.inputSchema : {};
  if (!client.schema.includes('closed-root') || schema?.additionalProperties !== false) return null;
  const united = ['anyOf', 'oneOf', 'allOf'].some((member) => sent[member] !== undefined);
  if (united && sent.properties === undefined)
    return `all arguments of "${tool}", because its schema lists them below anyOf, oneOf or allOf.`;
  return sent.additionalProperties === undefined || sent.additionalProperties === false
    ? null
    : `arguments of "${tool}" that its schema allows by additionalProperties.`;
}

const named = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
  'dependentRequired',
]);
const listedBelow = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);

/**
 * What decides which value is right. Sizes and defaults aren't: few requests come near a size, and
 * an argument with a default may be left out.
 */
const telling = new Set([
  ...['description', 'const', 'enum', 'examples', 'pattern', 'format', 'contains'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', 'prefixItems', 'patternProperties'],
  ...['dependentRequired', 'dependentSchemas'],
]);

/** The keyword at the end of a pointer; null if it ends in a name or within a value. */
function keywordAt(pointer: string): string | null {
  let expects: 'keyword' | 'name' | 'schema' = 'keyword';
  const parts = pointer.split('/').slice(1);
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    if (expects !== 'keyword') {
      expects = 'keyword';
      if (isLast) return null;
    } else if (isLast) return part;
    else if (named.has(part)) expects = 'name';
    else if (listedBelow.has(part)) expects = 'schema';
    else if (part === 'enum' || part === 'examples' || part === 'default') return null;
  }
  return null;
}

/** A description that shows how a value is written. */
const showsForm = /\be\.g\.|\b(?:such as|for example|like|form|format)\b|["'“‘`]|\d/iu;

/**
 * Whether the description of the parameter, or that of the tool, says what a keyword does; limits that
 * go without saying (at least 0 or 1, every exact whole number) need no words.
 */
function isSaid({ raw }: OfferedTool, pointer: string, keyword: string): boolean {
  const schema = isJsonObject(raw.inputSchema) ? raw.inputSchema : {};
  const value = valueAtPointer(schema, pointer);
  const above = pointer.split('/').slice(1, -1);
  // The description of a list speaks of its items too.
  const around = above.map((_, at) =>
    valueAtPointer(schema, ['', ...above.slice(0, at + 1)].join('/')),
  );
  const texts = [
    raw.description,
    ...around.map((each) => (isJsonObject(each) ? each['description'] : null)),
  ];
  const said = texts
    .filter((text) => typeof text === 'string')
    .join(' ')
    .toLowerCase();
  if (keyword === 'pattern') return showsForm.test(said);
  if (typeof value === 'number' && keyword.toLowerCase().includes('minimum') && value <= 1)
    return true;
  if (typeof value === 'number' && Math.abs(value) >= Number.MAX_SAFE_INTEGER) return true;
  const values = Array.isArray(value) ? value : [value];
  return values.every(
    (each) =>
      (typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean') &&
      said.includes(String(each).toLowerCase().split('-')[0] ?? ''),
  );
}

/** The keywords that a client removes and no description says, each once. */
function lostIn(client: ClientFacts, tool: ClientView['offered'][number]): string[] {
  // Constraints that become a part of the description are still read.
  if (client.schema.includes('constraints-as-text')) return [];
  const changes = ownChanges(client, tool.changes);
  const added = new Set(
    changes.flatMap((one) => (one.what === 'schema' && one.how === 'added' ? [one.at] : [])),
  );
  const keywords = new Set<string>();
  for (const change of changes) {
    if (change.what !== 'schema' || change.how !== 'dropped') continue;
    const keyword = keywordAt(change.at);
    if (keyword === null || !telling.has(keyword)) continue;
    if (isSaid(tool, change.at, keyword)) continue;
    if (keyword === 'const' && added.has(change.at.replace(/const$/, 'enum'))) continue;
    keywords.add(keyword);
  }
  return [...keywords];
}
