import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Speaks just enough Chat Completions to be asked, after so many milliseconds: what is measured is
 * whoever asks. A process of its own, so that its work is not theirs.
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
// Its parent holds the other end of standard input: when that is gone, however it went, nobody asks
// any more.
process.stdin.resume();
process.stdin.once('close', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1\n`);
});
