import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stepsPerTask } from './taskMaterial.ts';

/**
 * Implements just enough of Chat Completions to answer, after a given delay. A separate process, so
 * that its own work isn't measured. For tasks, the answer depends on how many calls were answered.
 */
const latencyMs = Number(process.argv[2]);
const isForTasks = process.argv[3] === 'tasks';
const callOf = (invoice: number) => ({
  finish_reason: 'tool_calls',
  message: {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: `call_${invoice}`,
        type: 'function',
        function: {
          name: 'office__list_invoice',
          arguments: `{"invoice_id":${invoice},"title":"Paper 1"}`,
        },
      },
    ],
  },
});
const bodyOf = (choice: object): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, ...choice }],
    usage: { prompt_tokens: 4000, completion_tokens: 20, total_tokens: 4020 },
  });
const texts = [
  ...Array.from({ length: stepsPerTask - 1 }, (_, at) => bodyOf(callOf(at + 1))),
  bodyOf({ finish_reason: 'stop', message: { role: 'assistant', content: 'All done.' } }),
];
const toolMessage = '"role":"tool"';
const server = createServer((request, response) => {
  let asked = '';
  if (isForTasks)
    request.setEncoding('latin1').on('data', (part: string) => {
      asked += part;
    });
  else request.resume();
  request.once('end', () => {
    const text = texts[asked.split(toolMessage).length - 1] ?? '';
    const answer = () =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    if (latencyMs === 0) answer();
    else setTimeout(answer, latencyMs);
  });
});
// The parent holds the other end of standard input. When that closes, no more requests will come.
process.stdin.resume();
process.stdin.once('close', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`);
});
