import type { ClientFacts } from '../../src-shared/domain/clientFacts.ts';
import { isJsonObject, type JsonValue } from '../../src-shared/domain/json.ts';
import { plainName } from './names.ts';
import type { OfferedTool } from './present.ts';

/** A difference between what a server says and what a model reads. */
export type PresentedChange =
  | { what: 'name'; before: string; after: string }
  | { what: 'description'; before: string; after: string }
  | { what: 'schema'; at: string; how: 'dropped' | 'added' | 'changed' };

/** The places where two schemas differ, as JSON pointers; the order of members doesn't count. */
function* differences(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: string,
): Generator<PresentedChange> {
  if (before === undefined || after === undefined) {
    if (before !== after)
      yield { what: 'schema', at, how: after === undefined ? 'dropped' : 'added' };
    return;
  }
  const pair =
    (isJsonObject(before) && isJsonObject(after)) ||
    (Array.isArray(before) && Array.isArray(after) && before.length === after.length);
  if (!pair) {
    if (JSON.stringify(before) !== JSON.stringify(after))
      yield { what: 'schema', at, how: 'changed' };
    return;
  }
  const [from, to] = [before, after] as [Record<string, JsonValue>, Record<string, JsonValue>];
  for (const member of new Set([...Object.keys(from), ...Object.keys(to)]))
    yield* differences(
      from[member],
      to[member],
      `${at}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    );
}

/**
 * What a client changes of a tool that it offers. The prefix that every name gets is no change, nor
 * is it that a tool is declared to code.
 */
export function changesOf(offered: OfferedTool, facts: ClientFacts): PresentedChange[] {
  const { server, tool, wireName, description, schema, raw } = offered.from ?? offered;
  const plain = plainName(server, tool, facts.names);
  const said = typeof raw.description === 'string' ? raw.description : '';
  return [
    ...(wireName === plain ? [] : [{ what: 'name' as const, before: plain, after: wireName }]),
    ...(description === said
      ? []
      : [{ what: 'description' as const, before: said, after: description }]),
    ...differences(raw.inputSchema ?? undefined, schema ?? undefined, ''),
  ];
}
