import { isJson, isJsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import { itemKindNouns, type ItemKind } from '../../../src-shared/domain/itemKinds.ts';
import { itemKey, type ServerItem } from '../../../src-shared/domain/serverItem.ts';
import { maxToolDepth } from '../../../src-shared/domain/tool.ts';
import type { ListKind } from './listPages.ts';
import type { ListMethod } from './troubles.ts';

const methods: Record<ItemKind, { method: ListMethod; member: string; address: string | null }> = {
  prompt: { method: 'prompts/list', member: 'prompts', address: null },
  resource: { method: 'resources/list', member: 'resources', address: 'uri' },
  template: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    address: 'uriTemplate',
  },
};

/** How the items of one kind are requested and read. */
export function itemListKind(server: string, kind: ItemKind): ListKind<ServerItem> {
  const { method, member, address } = methods[kind];
  return {
    method,
    member,
    noun: itemKindNouns[kind],
    keyName: address === null ? 'name' : 'address',
    read: (value, position) => readItem(value, { server, kind }, position),
    keyOf: itemKey,
    nameOf: itemKey,
  };
}

/**
 * Reads one item independently of the others. A prompt needs a name; a resource or a template needs
 * an address, which is also its name if it has none.
 */
export function readItem(
  value: unknown,
  { server, kind }: { server: string; kind: ItemKind },
  position: number,
): ServerItem | { name: string; reason: string } {
  const { address } = methods[kind];
  const nameless = `(${itemKindNouns[kind]} ${position})`;
  if (!isJsonObject(value)) return { name: nameless, reason: "It isn't an object." };
  const given = textOf(value['name']);
  const uri = address === null ? null : textOf(value[address]);
  const name = given ?? uri;
  if (name === null || (address === null && given === null))
    return { name: nameless, reason: 'It has no name.' };
  if (address !== null && uri === null) return { name, reason: `It has no ${address}.` };
  if (!isJson(value, maxToolDepth))
    return { name, reason: `It is nested deeper than ${maxToolDepth} levels.` };
  return {
    server,
    kind,
    name,
    title: textOf(value['title']),
    description: textOf(value['description']) ?? '',
    uri,
    mimeType: textOf(value['mimeType']),
    arguments: kind === 'prompt' ? argumentsOf(value['arguments']) : [],
  };
}

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

/** An argument without a name can't be given, so it is left out. */
function argumentsOf(value: JsonValue | undefined): ServerItem['arguments'] {
  return (Array.isArray(value) ? value : []).flatMap((each) => {
    const name = isJsonObject(each) ? textOf(each['name']) : null;
    return isJsonObject(each) && name !== null
      ? [{ name, description: textOf(each['description']), required: each['required'] === true }]
      : [];
  });
}
