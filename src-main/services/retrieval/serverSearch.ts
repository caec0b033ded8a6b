import { orElse } from '../../../src-shared/domain/orElse.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import type { JsonValue } from '../../../src-shared/domain/json.ts';
import { isJsonObject } from '../../../src-shared/domain/json.ts';
import type { ServerSearch } from '../../../src-shared/domain/retrievalRun.ts';
import type { ServerConfig } from '../../../src-shared/domain/server.ts';
import type { CalledTool, ConnectMcp } from '../../adapters/mcp/mcpConnection.ts';

export interface SearchTarget {
  name: string;
  config: ServerConfig;
  search: ServerSearch;
}

export interface SearchConnection {
  /** Returns the ids of the answer in its order, and the raw answer for display. */
  ask(query: string, signal: AbortSignal): Promise<{ ids: string[]; answer: string }>;
  close(): Promise<void>;
}

/** Opens one connection for all queries. Throws TROUBLE when the server can't be reached. */
export async function openServerSearch(
  connect: ConnectMcp,
  { name, config, search }: SearchTarget,
  signal: AbortSignal,
): Promise<SearchConnection> {
  const connection = await connect({ name, config }, signal);
  return {
    async ask(query, querySignal) {
      const called = await connection.callTool(
        search.tool,
        { ...search.fixedArguments, [search.argument]: query },
        querySignal,
      );
      const answer = answerOf(called);
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
      if (called.isError)
        throw searchError(
          name,
          search,
          `It answered with an error: ${text.slice(0, 300)}`,
          'TROUBLE',
        );
      return {
        ids: readIds(answer, search, (cause) =>
          searchError(name, search, `${cause} The answer begins: ${text.slice(0, 200)}`, 'INVALID'),
        ),
        answer: text,
      };
    },
    close: () => connection.close(),
  };
}

/**
 * Throws INVALID with query and id when a hit is not a tool of the corpus: such a ranking can't be
 * scored.
 */
export function requireKnownHits(
  ids: readonly string[],
  known: ReadonlySet<string>,
  asked: { tool: string; server: string; query: string; corpus: string },
): void {
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return;
  throw new ServiceError('INVALID', {
    thing: `Search tool ${asked.tool} of ${asked.server}`,
    cause:
      `For "${asked.query.slice(0, 100)}" it named ${unknown}, which isn't a tool of the corpus ` +
      `${asked.corpus}.`,
    nextStep: 'Set the path to the IDs, or score it on the corpus that it searches.',
  });
}

function searchError(
  server: string,
  search: ServerSearch,
  cause: string,
  code: 'INVALID' | 'TROUBLE',
): ServiceError {
  return new ServiceError(code, {
    thing: `Search tool ${search.tool} of ${server}`,
    cause,
    nextStep: 'Try it with one query and set the path to the IDs.',
  });
}

/** Structured content if present, else the text parsed as JSON, else the text. */
function answerOf({ structuredContent, content }: CalledTool): JsonValue {
  if (structuredContent !== null) return structuredContent;
  const text = content
    .flatMap((block) =>
      isJsonObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
        ? [block['text']]
        : [],
    )
    .join('\n');
  return orElse(() => JSON.parse(text) as JsonValue, text);
}

/** Extracts ids by the user's path and template. A duplicate id counts at its first position. */
export function readIds(
  answer: JsonValue,
  { items, id }: Pick<ServerSearch, 'items' | 'id'>,
  invalid: (cause: string) => Error,
): string[] {
  let list: JsonValue | undefined = answer;
  for (const name of items.split('.').filter((part) => part !== '')) {
    list = isJsonObject(list) && Object.hasOwn(list, name) ? list[name] : undefined;
    if (list === undefined) throw invalid(`There is no "${name}" on the way to "${items}".`);
  }
  // A text is treated as a list of lines.
  const hits =
    typeof list === 'string'
      ? list
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
      : list;
  if (!Array.isArray(hits)) throw invalid(`"${items}" isn't a list.`);
  return [
    ...new Set(
      hits.map((hit, at) =>
        fillTemplate(id, hit, () => invalid(`Hit ${at + 1} has no value for "${id}" names.`)),
      ),
    ),
  ];
}

/** Replaces {field} by the hit's field and {} by the hit itself. */
function fillTemplate(template: string, hit: JsonValue, missing: () => Error): string {
  return template.replace(/\{([^{}]*)\}/g, (_all, name: string) => {
    const value =
      name === '' || typeof hit === 'string'
        ? hit
        : isJsonObject(hit) && Object.hasOwn(hit, name)
          ? hit[name]
          : undefined;
    if (typeof value !== 'string' && typeof value !== 'number') throw missing();
    return String(value);
  });
}
