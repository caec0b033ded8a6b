import { appendFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../../../src-shared/domain/json.ts';
import { result, tool, type Mode } from './wire.ts';

const recordBytes = 1_000;
const named = new Map<number, string>();

const record = (at: number): JsonObject => ({
  id: `r-${at}`,
  name: named.get(at) ?? `Record "${at}"`,
  sizes: [at, at / 2, 0.1],
  text: 'é'.repeat(Math.floor((recordBytes - 80) / 2)),
});

const object = { type: 'object' };

/**
 * A server with a large state of its own: `read_large` returns about `megabytes` of records, as `text`,
 * `structured` content, or `both`, and `rename` changes the name of one of them.
 */
export const largeModes: Record<string, Mode> = {
  large: {
    page: () => ({
      tools: [
        tool('read_large', { inputSchema: object, annotations: { readOnlyHint: true } }),
        tool('rename', { inputSchema: object }),
      ],
    }),
    handle(message, wire, next) {
      if (message.method !== 'tools/call') {
        next();
        return;
      }
      const { name, arguments: given } = message.params;
      const args = given !== undefined && isJsonObject(given) ? given : {};
      if (name === 'rename') {
        named.set(Number(args['at']), args['name'] as string);
        wire.send(result(message, { content: [{ type: 'text', text: 'Renamed.' }] }));
        return;
      }
      // Says that the reading has begun.
      if (typeof args['mark'] === 'string') appendFileSync(args['mark'], 'read\n');
      const count = Math.floor((Number(args['megabytes']) * 1_000_000) / recordBytes);
      const value = {
        meta: { count, title: 'All records' },
        records: Array.from({ length: count }, (_, at) => record(at)),
      };
      const as = args['as'] ?? 'text';
      wire.send(
        result(message, {
          content: as === 'structured' ? [] : [{ type: 'text', text: JSON.stringify(value) }],
          ...(as !== 'text' && { structuredContent: value }),
        }),
      );
    },
  },
};
