import type { JsonObject, JsonValue } from '../../../src-shared/domain/json.ts';
import { result, tool, type Incoming, type Mode } from './wire.ts';

/** Words that repeat seldom, so that no cache of words helps. */
function words(length: number): string {
  const parts: string[] = [];
  let [size, state] = [0, 12_345];
  while (size < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    const word = (state % 99_991).toString(36);
    parts.push(word);
    size += word.length + 1;
  }
  return parts.join(' ').slice(0, length);
}

/** A list of one ordinary tool and one of the given content. */
const next = (more: () => JsonObject): Mode => ({
  page: () => ({ tools: [tool('ordinary'), tool('hostile', more())] }),
});
const described = (description: () => string): Mode => next(() => ({ description: description() }));
const withSchema = (properties: () => JsonObject): Mode =>
  next(() => ({ inputSchema: { type: 'object', properties: properties() } }));
const numbered = <T extends JsonValue>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** An answer written as text, because JSON.stringify can't write its depth. */
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const answer =
  (method: string, text: (message: Incoming) => string): NonNullable<Mode['handle']> =>
  (message, wire, otherwise) => {
    if (message.method === method)
      wire.raw(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},${text(message)}}\n`);
    else otherwise();
  };
const listed = (schema: string): string =>
  `"result":{"tools":[${JSON.stringify(tool('ordinary'))},{"name":"hostile","inputSchema":${schema}}]}`;

/**
 * Modes whose tools are too much for a program that does not expect it. Their names hold the sizes at
 * scale 1. A test is as sharp at a smaller scale, where its bound is exceeded as clearly, and fast.
 */
export const hostileListModes = (scale: number): Record<string, Mode> => {
  const size = (full: number): number => Math.ceil(full * scale);
  return {
    'words-5mb': described(() => words(size(5_000_000))),
    'one-character-20mb': described(() => 'a'.repeat(size(20_000_000))),
    'spaces-20mb': described(() => ' '.repeat(size(20_000_000))),
    'quotes-10mb': described(() => '"'.repeat(size(10_000_000))),
    'umlauts-20mb': described(() => 'ä'.repeat(size(10_000_000))),
    'emoji-20mb': described(() => '😀'.repeat(size(5_000_000))),
    'list-24mb': {
      page: () => ({
        tools: numbered(size(1000), (index) =>
          tool(`tool_${index}`, { description: `${index} ${words(23_000)}` }),
        ),
      }),
    },
    'list-30mb': {
      page: () => ({
        tools: numbered(size(1000), (index) =>
          tool(`tool_${index}`, { description: `${index} ${words(30_000)}` }),
        ),
      }),
    },
    'ordinary-5000': {
      page: () => ({
        tools: numbered(size(5000), (index) =>
          tool(`tool_${index}`, { description: `Searches item ${index} of the catalog.` }),
        ),
      }),
    },
    'properties-200000': withSchema(() =>
      Object.fromEntries<JsonValue>(
        Array.from({ length: size(200_000) }, (_, index) => [`p${index}`, { type: 'string' }]),
      ),
    ),
    'enum-1000000': withSchema(() => ({
      a: { enum: numbered(size(1_000_000), (index) => index) },
    })),
    'deep-schema': { handle: answer('tools/list', () => listed(deep(size(100_000)))) },
    'deep-schema-8mb': { handle: answer('tools/list', () => listed(deep(size(1_000_000)))) },
    'redos-schema': withSchema(() => ({ text: { type: 'string', pattern: '^(a+)+$' } })),
    'long-error': {
      handle: answer(
        'tools/list',
        () => `"error":{"code":-32000,"message":"${'too bad '.repeat(size(1_250_000))}"}`,
      ),
    },
    'long-instructions': {
      handle: answer('initialize', () =>
        JSON.stringify({
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'fake', version: '1' },
            instructions: words(size(20_000_000)),
          },
        }).slice(1, -1),
      ),
    },
    'notification-flood': {
      handle(message, wire, otherwise) {
        if (message.method === 'tools/list')
          for (let count = 0; count < size(100_000); count += 1)
            wire.send({ jsonrpc: '2.0', method: 'notifications/message', params: { data: count } });
        otherwise();
      },
    },
    'noise-flood': {
      handle(message, wire, otherwise) {
        if (message.method === 'tools/list')
          for (let line = 0; line < size(100_000); line += 1)
            wire.raw(`{ "id": ${line} is no message }\n`);
        otherwise();
      },
    },
  };
};

/** Modes whose answer to a call is too much. */
export const hostileCallModes = (scale: number): Record<string, Mode> => {
  const size = (full: number): number => Math.ceil(full * scale);
  return {
    'deep-content': {
      handle: answer(
        'tools/call',
        () => `"result":{"content":[],"structuredContent":${deep(size(100_000))}}`,
      ),
    },
    'deep-content-8mb': {
      handle: answer(
        'tools/call',
        () => `"result":{"content":[],"structuredContent":${deep(size(1_000_000))}}`,
      ),
    },
    'text-20mb': {
      handle(message, wire, otherwise) {
        if (message.method !== 'tools/call') otherwise();
        else
          wire.send(
            result(message, { content: [{ type: 'text', text: 'x'.repeat(size(20_000_000)) }] }),
          );
      },
    },
    'content-200000': {
      handle(message, wire, otherwise) {
        if (message.method !== 'tools/call') otherwise();
        else
          wire.send(
            result(message, {
              content: numbered(size(200_000), (index) => ({ type: 'text', text: `${index}` })),
            }),
          );
      },
    },
  };
};
