import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Implements just enough of Chat Completions to answer, after a given delay. A separate process, so
 * that its own work isn't measured.
 */
const latencyMs = Number(process.argv[2]);
const body = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'bench',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: {
              name: 'office__list_invoice',
              arguments: '{"invoice_id":1,"title":"Paper 1"}',
            },
          },
        ],
      },
    },
  ],
  usage: { prompt_tokens: 4000, completion_tokens: 20, total_tokens: 4020 },
});
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    const answer = () =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
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
