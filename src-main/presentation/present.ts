import type { Beginning, ClientFacts, ListingFlaw } from '../../src-shared/domain/clientFacts.ts';
import { isJsonObject, type JsonObject } from '../../src-shared/domain/json.ts';
import { identifier, typeText } from './declarations.ts';
import { flawOf, type RawTool } from './flaws.ts';
import { nameTools, plainName } from './names.ts';
import { cleanUnicode, mapTexts, rewriteSchema } from './schemas.ts';

/** What a server says of itself. */
export interface PresentedServer {
  name: string;
  instructions: string | null;
  /** Each tool as it was sent, also one that this program can't offer. */
  tools: readonly RawTool[];
}

export interface OfferedTool {
  server: string;
  tool: string;
  /** The group of its server; null if the client has none. */
  namespace: string | null;
  wireName: string;
  description: string;
  /** Null if the client sends no parameters. */
  schema: JsonObject | null;
  raw: RawTool;
  /** Of a declaration to code: the names and texts that it is made from. */
  from?: OfferedTool;
}
/** Why a tool doesn't reach the model. */
type HiddenReason =
  | { kind: 'flaw'; flaw: ListingFlaw | 'twice' }
  | { kind: 'server-name' }
  | { kind: 'server'; flaw: ListingFlaw | 'twice'; because: string }
  | { kind: 'name'; wireName: string; by: { server: string; tool: string } }
  | { kind: 'too-many'; most: number };
export interface HiddenTool {
  server: string;
  tool: string;
  reason: HiddenReason;
}
export interface Presentation {
  offered: OfferedTool[];
  hidden: HiddenTool[];
  /** Per server: the text that the model reads; null if it reads none. */
  instructions: { server: string; text: string | null }[];
  /**
   * The same before the model searches, with how many characters it shows of how many; none of a
   * client that doesn't search.
   */
  before: { server: string; text: string | null; shown: number; of: number }[];
}

const nameOf = ({ name }: RawTool): string => (typeof name === 'string' ? name : '');

function cutText(text: string, cut: { characters: number; mark: string } | null): string {
  if (cut === null || text.length <= cut.characters) return text;
  // Half of a pair of UTF-16 units goes too.
  return `${text.slice(0, cut.characters).replace(/[\uD800-\uDBFF]$/, '')}${cut.mark}`;
}

/** What a model reads of a text before it searches, and how many characters of it that are. */
function beginningOf(
  text: string,
  { longest, characters, mark }: Beginning,
): { text: string; shown: number; of: number } {
  const [line = ''] = text.trim().split('\n', 1);
  const points = Array.from(line.trim());
  const shown = points.length <= longest ? points : points.slice(0, characters);
  return {
    text: `${shown.join('')}${shown.length < points.length ? mark : ''}`,
    ...{ shown: shown.length, of: Array.from(text.trim()).length },
  };
}

/**
 * What a client makes of the tools of its servers, by its facts. Tools that stand behind a search are
 * as one that found them all returns them, and those that code calls as they are declared to it.
 *
 *
 * Pure: the same servers and facts give the same presentation. Servers are in the order of the
 * client's configuration, tools in that of their lists.
 */
export function present(servers: readonly PresentedServer[], facts: ClientFacts): Presentation {
  const hidden: HiddenTool[] = [];
  const listed = servers.flatMap((server) => {
    const { serverNames } = facts;
    if (serverNames !== null && new RegExp(`[^${serverNames}]`, 'u').test(server.name)) {
      for (const tool of server.tools)
        hidden.push({ server: server.name, tool: nameOf(tool), reason: { kind: 'server-name' } });
      return [];
    }
    const spoiled = spoiler(server, facts);
    return server.tools.flatMap((sent) => {
      const raw = (
        facts.description.unicode === 'cleaned' ? mapTexts(sent as JsonObject, cleanUnicode) : sent
      ) as RawTool;
      const tool = nameOf(sent);
      const flaw = flawOf(sent, facts.hidesTool);
      if (spoiled === null && flaw === null)
        return [{ server: server.name, tool: nameOf(raw), item: { raw, sent: tool } }];
      hidden.push({
        server: server.name,
        tool,
        reason:
          flaw !== null || spoiled?.tool === sent
            ? { kind: 'flaw', flaw: flaw ?? spoiled?.flaw ?? 'twice' }
            : {
                kind: 'server',
                flaw: spoiled?.flaw ?? 'twice',
                because: spoiled === null ? '' : nameOf(spoiled.tool),
              },
      });
      return [];
    });
  });
  const { shown, displaced } = nameTools(
    // The client numbers twins in the order in which it sends them.
    facts.order === 'code-units'
      ? listed.toSorted((a, b) =>
          byUnits(
            plainName(a.server, a.tool, facts.names),
            plainName(b.server, b.tool, facts.names),
          ),
        )
      : listed,
    facts.names,
  );
  for (const { named, by } of displaced)
    hidden.push({
      server: named.server,
      tool: named.item.sent,
      reason: { kind: 'name', wireName: by.name, by: { server: by.server, tool: by.item.sent } },
    });
  const saidOf = new Map(servers.map(({ name, instructions }) => [name, instructions]));
  const offered = shown.map(({ server, namespace, name, item }): OfferedTool => {
    const tool: OfferedTool = {
      server,
      tool: item.sent,
      namespace: facts.names.namespace === null ? null : namespace,
      wireName: name,
      description: describe(item.raw, server, facts),
      schema: rewriteSchema(isJsonObject(item.raw.inputSchema) ? item.raw.inputSchema : {}, facts),
      raw: item.raw,
    };
    return facts.presentation?.kind === 'code' ? declared(tool, saidOf.get(server) ?? '') : tool;
  });
  const sorted = inOrder(offered, facts.order);
  const most = facts.mostTools ?? Infinity;
  for (const { server, tool } of sorted.slice(most))
    hidden.push({ server, tool, reason: { kind: 'too-many', most } });
  return {
    offered: sorted.slice(0, most),
    hidden,
    instructions: servers.map(({ name, instructions }) => ({
      server: name,
      text:
        facts.instructions === null || instructions === null
          ? null
          : cutText(instructions, facts.instructions.cut),
    })),
    before: servers.flatMap(({ name, instructions }) => {
      const first = facts.presentation?.before;
      if (first == null) return [];
      const read =
        first.instructions === null || instructions === null
          ? null
          : beginningOf(instructions, first.instructions);
      return [{ server: name, ...(read ?? { text: null, shown: 0, of: 0 }) }];
    }),
  };
}

/** A tool as it is declared to code: its description, the instructions of its server, and its type. */
function declared(tool: OfferedTool, instructions: string): OfferedTool {
  const { namespace, wireName, description, schema, raw } = tool;
  // Where one of them has the sign, the names follow at once.
  const between =
    namespace === null || namespace.endsWith('_') || wireName.startsWith('_') ? '' : '__';
  const name = identifier(`${namespace ?? ''}${between}${wireName}`);
  const result = isJsonObject(raw.outputSchema) ? typeText(raw.outputSchema) : 'unknown';
  const answer = `CallToolResult${result === 'unknown' ? '' : `<${result}>`}`;
  const declaration = `${name}(args: ${typeText(schema ?? {})}): Promise<${answer}>;`;
  const texts = [
    instructions === '' ? description : `${description}\n\n${instructions}`,
    `exec tool declaration:\n\`\`\`ts\ndeclare const tools: { ${declaration} };\n\`\`\``,
  ];
  return {
    ...{ ...tool, namespace: null, wireName: name, schema: null, from: tool },
    description: texts.join('\n\n'),
  };
}

/** The tool for which a client hides the whole server; null if there is none. */
function spoiler(
  { tools }: PresentedServer,
  { hidesServer, names }: ClientFacts,
): { tool: RawTool; flaw: ListingFlaw | 'twice' } | null {
  for (const tool of tools) {
    const flaw = flawOf(tool, hidesServer);
    if (flaw !== null) return { tool, flaw };
  }
  if (names.twice !== 'none-of-server') return null;
  const seen = new Set<string>();
  for (const tool of tools) {
    if (seen.has(nameOf(tool))) return { tool, flaw: 'twice' };
    seen.add(nameOf(tool));
  }
  return null;
}

function describe(raw: RawTool, server: string, { description: facts }: ClientFacts): string {
  const { description } = raw;
  const text = typeof description === 'string' ? description : '';
  const trimmed = facts.trimmed ? text.trim() : text;
  if (trimmed === '')
    return facts.missing.replaceAll('{tool}', nameOf(raw)).replaceAll('{server}', server);
  return cutText(trimmed, facts.cut);
}

/** Compares in order of UTF-16 units. */
const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const orders: Readonly<
  Record<Exclude<ClientFacts['order'], 'listed'>, (a: OfferedTool, b: OfferedTool) => number>
> = {
  server: (a, b) => a.server.localeCompare(b.server),
  name: (a, b) => a.wireName.localeCompare(b.wireName),
  'code-units': (a, b) => byUnits(a.wireName, b.wireName),
  'server-code-units': (a, b) => byUnits(a.server, b.server) || byUnits(a.wireName, b.wireName),
};

const inOrder = (offered: OfferedTool[], order: ClientFacts['order']): OfferedTool[] =>
  order === 'listed' ? offered : offered.toSorted(orders[order]);
