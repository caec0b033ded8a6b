import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { failure, result, tool, type Incoming, type Mode, type Page, type Wire } from './wire.ts';

export type Era = '2025-11-25' | '2026-07-28' | 'both';

export interface Served {
  pages: JsonValue[][];
  instructions: string | null;
  /** Replaces members of the answers to the handshake and to tools/list, by method. */
  replaced: ReadonlyMap<string, JsonObject>;
  /** The answers to the lists of prompts, resources and templates, by method. */
  items: ReadonlyMap<string, JsonObject>;
  era: Era;
}

const itemMembers = {
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
} as const;

const serverInfo = { name: 'fake-mcp-server', version: '1.2.3' };

/**
 * A file `{"tools": […]}` or `{"pages": [[…], …]}` with tools in the form of MCP, and optional
 * `"instructions"`, `"prompts"`, `"resources"` and `"resourceTemplates"`. `"replaced"` holds, by method, members
 * that replace those of the answer.
 */
export function readTools(path: string | undefined, era: Era): Served {
  if (path === undefined)
    return {
      pages: [[tool('echo'), tool('environment')]],
      instructions: 'Ask me anything.',
      items: new Map(),
      replaced: new Map(),
      era,
    };
  const file = JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
  const pages = Array.isArray(file['pages'])
    ? (file['pages'] as JsonValue[][])
    : [file['tools'] as JsonValue[]];
  return {
    pages,
    instructions: typeof file['instructions'] === 'string' ? file['instructions'] : null,
    items: new Map(
      Object.entries(itemMembers).flatMap(([method, member]) => {
        const list = file[member];
        return list === undefined ? [] : [[method, { [member]: list }]];
      }),
    ),
    replaced: new Map(Object.entries((file['replaced'] ?? {}) as Record<string, JsonObject>)),
    era,
  };
}

/** Passes a message through the mode, and through the ordinary answers if the mode asks for it. */
export function handle(mode: Mode, served: Served, message: Incoming, wire: Wire): void {
  const next = (): void => {
    const answer = ordinary(mode, served, message);
    if (answer !== null) wire.send(answer);
  };
  if (mode.handle === undefined) next();
  else mode.handle(message, wire, next);
}

function ordinary(mode: Mode, served: Served, message: Incoming): JsonObject | null {
  if (message.id === undefined) return null;
  const modern = isModern(message);
  if (modern && served.era === '2025-11-25') return failure(message, -32601, 'Method not found');
  if (!modern && served.era === '2026-07-28') {
    return {
      jsonrpc: '2.0',
      id: message.id,
      error: {
        code: -32022,
        message: 'Unsupported protocol version',
        data: { supported: ['2026-07-28'] },
      },
    };
  }
  const answer = answerOf(mode, served, message);
  if (answer === null) return failure(message, -32601, 'Method not found');
  return result(message, {
    ...(modern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {}),
    ...answer,
    ...served.replaced.get(message.method),
  });
}

function answerOf(mode: Mode, served: Served, message: Incoming): JsonObject | null {
  switch (message.method) {
    case 'initialize':
      return {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, ...offersOf(mode, served) },
        serverInfo,
        ...instructions(served),
      };
    case 'server/discover':
      return {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {}, ...offersOf(mode, served) },
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        ...instructions(served),
      };
    case 'ping':
      return {};
    case 'tools/list': {
      const cursor = message.params['cursor'];
      const page = (mode.page ?? ordinaryPage(served))(
        typeof cursor === 'string' ? cursor : undefined,
      );
      return page.nextCursor === undefined
        ? { tools: page.tools }
        : { tools: page.tools, nextCursor: page.nextCursor };
    }
    case 'prompts/list':
    case 'resources/list':
    case 'resources/templates/list': {
      const cursor = message.params['cursor'];
      return mode.items === undefined
        ? (served.items.get(message.method) ?? null)
        : mode.items(message.method, typeof cursor === 'string' ? cursor : undefined);
    }
    case 'tools/call':
      return call(message, served);
    default:
      return null;
  }
}

const offersOf = (mode: Mode, { items }: Served): JsonObject =>
  mode.offers ?? {
    ...(items.has('prompts/list') ? { prompts: {} } : {}),
    ...(items.has('resources/list') || items.has('resources/templates/list')
      ? { resources: {} }
      : {}),
  };

function call(message: Incoming, served: Served): JsonObject {
  const name = message.params['name'];
  if (name === 'search_tools') return searchTools(served, message.params['arguments']);
  if (name === 'environment')
    return { content: [{ type: 'text', text: JSON.stringify(process.env) }] };
  if (name === 'echo')
    return {
      content: [{ type: 'text', text: JSON.stringify(message.params['arguments'] ?? {}) }],
      structuredContent: { echoed: true },
    };
  return {
    content: [{ type: 'text', text: `Unknown tool ${JSON.stringify(name)}` }],
    isError: true,
  };
}

/**
 * Ranks its own tools by the number of words of `query` in them, as text: `{"hits": [{"server",
 * "tool"}]}`, at most `limit`.
 */
function searchTools(served: Served, given: JsonValue | undefined): JsonObject {
  const { query = '', limit = 1000 } = isJsonObject(given) ? given : {};
  const words = (typeof query === 'string' ? query : '')
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word.length > 2);
  const hits = served.pages.flat().flatMap((each) => {
    if (!isJsonObject(each) || each['name'] === 'search_tools') return [];
    const text = JSON.stringify(each).toLowerCase();
    return [
      { tool: each['name'] ?? '', score: words.filter((word) => text.includes(word)).length },
    ];
  });
  const best = hits
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, Number(limit));
  return {
    content: [
      {
        type: 'text',
        text: JSON.stringify({
          hits: best.map(({ tool: found }) => ({ server: 'shop', tool: found })),
        }),
      },
    ],
  };
}

const ordinaryPage =
  (served: Served) =>
  (cursor: string | undefined): Page => {
    const index = cursor === undefined ? 0 : Number(cursor);
    const tools = served.pages[index] ?? [];
    return index + 1 < served.pages.length ? { tools, nextCursor: String(index + 1) } : { tools };
  };

const instructions = (served: Served): JsonObject =>
  served.instructions === null ? {} : { instructions: served.instructions };

/** From 2026-07-28 on, every request names its protocol version in `_meta`. */
function isModern(message: Incoming): boolean {
  const meta = message.params['_meta'];
  return (
    message.method === 'server/discover' ||
    (isJsonObject(meta) && typeof meta['io.modelcontextprotocol/protocolVersion'] === 'string')
  );
}

/** A JSON text as a message; null if this server would not handle it. */
export function parseIncoming(text: string): Incoming | null {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value) || typeof value['method'] !== 'string') return null;
  const id = value['id'];
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : undefined,
    method: value['method'],
    params: isJsonObject(value['params']) ? value['params'] : {},
  };
}
