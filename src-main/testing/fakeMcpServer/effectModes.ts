import { appendFileSync } from 'node:fs';
import { isJsonObject } from '../../../src-shared/domain/json.ts';
import { result, tool, type Mode } from './wire.ts';

/** What a call of `act` may end in; each but `refuse` first has its effect unless it says so. */
export type Ending = 'answer' | 'refuse' | 'hang' | 'exit' | 'exit-first' | 'flood' | 'answer-exit';

const destructive = { annotations: { readOnlyHint: false, destructiveHint: true } };

/**
 * Tools that leave a mark outside of the server: a call appends the name of its tool to the file
 * `file`, and then ends as its argument `then` says. Two tools, so that one can be forbidden.
 */
export const effectModes: Record<string, Mode> = {
  effects: {
    page: () => ({
      tools: ['act', 'wipe'].map((name) =>
        tool(name, {
          inputSchema: {
            type: 'object',
            properties: { file: { type: 'string' }, then: { type: 'string' } },
          },
          ...destructive,
        }),
      ),
    }),
    handle(message, wire, next) {
      if (message.method !== 'tools/call') {
        next();
        return;
      }
      const { name, arguments: given } = message.params;
      const args = given !== undefined && isJsonObject(given) ? given : {};
      const ending = args['then'] as Ending;
      if (ending === 'exit-first') process.exit(3);
      const text = (answer: string, isError = false): void => {
        wire.send(result(message, { content: [{ type: 'text', text: answer }], isError }));
      };
      if (ending === 'refuse') {
        text('It is not allowed.', true);
        return;
      }
      if (typeof args['file'] === 'string' && typeof name === 'string')
        appendFileSync(args['file'], `${name}\n`);
      if (ending === 'exit') process.exit(3);
      if (ending === 'flood') {
        const block = 'x'.repeat(1024 * 1024);
        wire.raw(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":{"content":"`);
        for (let left = 30; left > 0; left -= 1) wire.raw(block);
      }
      if (ending === 'hang' || ending === 'flood') return;
      text('Done.');
      // The answer is flushed before the exit.
      if (ending === 'answer-exit') process.stdout.write('', () => process.exit(3));
    },
  },
};
