import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { failure, type Mode } from './wire.ts';

const both = { prompts: {}, resources: {} };
const prompt = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description: `Writes ${name}.`,
  ...more,
});
const resources = (count: number, from = 0): JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({
    uri: `file:///${from + index}.md`,
    name: `${from + index}.md`,
  }));

/** Offers one prompt and two resources, and answers one of the lists in another way. */
const except =
  (method: string, answer: (cursor: string | undefined) => JsonObject | null) =>
  (asked: string, cursor: string | undefined): JsonObject | null => {
    if (asked === method) return answer(cursor);
    if (asked === 'prompts/list') return { prompts: [prompt('summary')] };
    if (asked === 'resources/list') return { resources: resources(2) };
    return { resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 'Any file' }] };
  };

/** Modes that list prompts, resources and templates in special ways. */
export const itemModes: Record<string, Mode> = {
  items: { offers: both, items: except('', () => null) },
  'prompts-endless': {
    offers: both,
    items: except('prompts/list', (cursor = '0') => ({
      prompts: [prompt(`prompt_${cursor}`)],
      nextCursor: String(Number(cursor) + 1),
    })),
  },
  'prompts-same-cursor': {
    offers: both,
    items: except('prompts/list', () => ({ prompts: [prompt('again')], nextCursor: 'same' })),
  },
  'prompts-error': {
    offers: both,
    items: except('', () => null),
    handle(message, wire, next) {
      if (message.method === 'prompts/list')
        wire.send(failure(message, -32603, 'The prompts are locked'));
      else next();
    },
  },
  'prompts-silent': {
    offers: both,
    items: except('', () => null),
    handle(message, _wire, next) {
      if (message.method !== 'prompts/list') next();
    },
  },
  'prompts-huge': {
    offers: both,
    items: except('prompts/list', () => ({
      prompts: [prompt('huge', { description: 'x'.repeat(30_000_000) })],
    })),
  },
  'prompts-bad': {
    offers: both,
    items: except('prompts/list', () => ({
      prompts: [
        'a text',
        { description: 'nameless' },
        prompt('twice'),
        prompt('twice', { description: 'Comes second.' }),
        { name: 'odd', title: 7, description: [], arguments: [{ name: 'a' }, {}, 'b'] },
      ] as JsonValue[],
    })),
  },
  'no-templates': { offers: both, items: except('resources/templates/list', () => null) },
  // Answers all lists but announces none of them.
  'items-unannounced': { offers: {}, items: except('', () => null) },
  'resources-10000': {
    offers: both,
    items: except('resources/list', (cursor = '0') => ({
      resources: resources(2_500, Number(cursor)),
      ...(Number(cursor) < 7_500 ? { nextCursor: String(Number(cursor) + 2_500) } : {}),
    })),
  },
  'resources-too-many': {
    offers: both,
    items: except('resources/list', () => ({ resources: resources(10_001) })),
  },
  'exit-at-prompts': {
    offers: both,
    items: except('', () => null),
    handle(message, _wire, next) {
      if (message.method === 'prompts/list') process.exit(3);
      next();
    },
  },
};
