import type { ClientFacts, ListedClient } from '../../src-shared/domain/clientFacts.ts';

/** What is assumed where nothing is known: that a model reads what the server sent. */
const asSent = {
  order: 'listed',
  names: {
    ...{ pattern: '{server}__{tool}', namespace: null, kept: null, replacement: '', per: 'unit' },
    ...{ empty: '', hash: null, hashed: null, longest: null, beyond: 'kept', equal: 'both' },
    twice: 'first',
  },
  description: { cut: null, trimmed: false, unicode: 'kept', missing: '' },
  instructions: { where: 'the system prompt', cut: null },
} as const satisfies Partial<ClientFacts>;

/** The facts of a client with what isn't known of it assumed, and which those are. */
export function completeFacts(listed: ListedClient): ClientFacts {
  const { order, names, description, schema, hidesServer, hidesTool, instructions } = listed;
  const assumed: ClientFacts['assumed'] = [];
  if (names === null) assumed.push('names');
  if (order === null) assumed.push('order');
  if (description === null) assumed.push('descriptions');
  if (schema === null) assumed.push('schemas');
  if (hidesServer === null || hidesTool === null) assumed.push('hidden tools');
  if (instructions === 'unknown') assumed.push('instructions');
  return {
    ...listed,
    order: order ?? asSent.order,
    names: names ?? asSent.names,
    description: description ?? asSent.description,
    schema: schema ?? [],
    hidesServer: hidesServer ?? [],
    hidesTool: hidesTool ?? [],
    instructions: instructions === 'unknown' ? asSent.instructions : instructions,
    assumed,
  };
}
