import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { failure, tool, type Mode, type Page } from './wire.ts';

const many = (count: number, make: (index: number) => JsonValue): JsonValue[] =>
  Array.from({ length: count }, (_, index) => make(index));

const fifty =
  (bad: JsonValue): (() => Page) =>
  () => ({ tools: many(50, (index) => (index === 24 ? bad : tool(`tool_${index}`))) });

const numbered = (cursor: string | undefined): number =>
  cursor === undefined ? 0 : Number(cursor);

/** About 4 kB each, 20 MB in all. */
const large = (index: number): JsonObject =>
  tool(`tool_${index}`, {
    description: `${'An action of some length. '.repeat(76)}${index}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        many(24, (field) => [
          `field_${String(field)}`,
          { type: 'string', description: 'A value that the action needs to work.' },
        ]) as [string, JsonValue][],
      ),
    },
  });

let called = false;

/** Modes that answer tools/list in special ways. */
export const listModes: Record<string, Mode> = {
  'three-pages': {
    page: (cursor) => {
      const index = numbered(cursor);
      return {
        tools: [tool(`page_${index}_a`), tool(`page_${index}_b`)],
        ...(index < 2 ? { nextCursor: String(index + 1) } : {}),
      };
    },
  },
  'same-cursor': { page: () => ({ tools: [tool('again')], nextCursor: 'same' }) },
  'endless-pages': {
    page: (cursor) => {
      const index = numbered(cursor);
      return { tools: [tool(`tool_${index}`)], nextCursor: String(index + 1) };
    },
  },
  'empty-cursor': {
    page: (cursor) =>
      cursor === undefined
        ? { tools: [tool('first')], nextCursor: '' }
        : { tools: [tool('second')] },
  },
  'number-cursor': { page: () => ({ tools: [tool('first')], nextCursor: 7 }) },
  'null-cursor': { page: () => ({ tools: [tool('only')], nextCursor: null }) },
  'no-list': { page: () => ({ tools: null as unknown as JsonValue[] }) },
  'bad-null-schema': { page: fifty(tool('bad', { inputSchema: null })) },
  'bad-no-name': { page: fifty({ description: 'nameless', inputSchema: { type: 'object' } }) },
  'bad-duplicate': { page: fifty(tool('tool_3', { description: 'Comes second.' })) },
  'bad-no-object': { page: fifty('a text') },
  'odd-but-usable': {
    page: () => ({
      tools: [
        tool('bad_ref', { outputSchema: { $ref: 'https://nowhere.invalid/schema.json' } }),
        tool('long', { description: 'x'.repeat(1024 * 1024) }),
        { name: 'bare', inputSchema: { type: 'object' } },
        tool('odd_parts', { outputSchema: 'text', annotations: [1], title: 7 }),
        tool('whole', {
          title: 'A title',
          annotations: { readOnlyHint: true },
          outputSchema: { type: 'object' },
          extra: { kept: [3, 2, 1] },
        }),
      ],
    }),
  },
  /** Reports a changed list at the beginning of every session, although it has not changed. */
  'list-called-changed': {
    handle(message, wire, next) {
      if (message.method === 'notifications/initialized')
        wire.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      next();
    },
  },
  /** Has another tool in place of `echo` after its first call, and reports the changed list. */
  'list-changes-at-call': {
    page: () => ({ tools: [tool(called ? 'other' : 'echo')] }),
    handle(message, wire, next) {
      const isCall = message.method === 'tools/call';
      if (isCall && called) wire.send(failure(message, -32602, 'Tool echo not found'));
      else next();
      if (isCall && !called) {
        called = true;
        wire.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      }
    },
  },
  /** Reports a changed list endlessly; it does differ in each process. */
  'changing-list': {
    page: () => ({
      tools: [
        tool('echo', { description: `Says it again. Process ${process.pid}.` }),
        tool('environment'),
      ],
    }),
    handle(message, wire, next) {
      if (message.method === 'tools/list') process.stderr.write('asked for the list\n');
      if (message.method === 'notifications/initialized' || message.method === 'tools/list')
        for (let count = 0; count < 10_000; count += 1)
          wire.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      next();
    },
  },
  /** Reveals its key in its list and in its error output. */
  talkative: {
    start: () => void process.stderr.write(`my key is ${String(process.env['API_KEY'])}\n`),
    page: () => ({
      tools: [tool('environment', { description: `Uses ${String(process.env['API_KEY'])}.` })],
    }),
  },
  'talkative-exit': {
    start: () =>
      void process.stderr.write(`my key is ${String(process.env['API_KEY'])}\n`, () =>
        process.exit(3),
      ),
    handle: () => undefined,
  },
  'many-tools': { page: () => ({ tools: many(5000, large) }) },
  'too-many-tools': {
    page: (cursor) => ({
      tools: many(3000, (index) => tool(`tool_${numbered(cursor)}_${index}`)),
      nextCursor: String(numbered(cursor) + 1),
    }),
  },
};
