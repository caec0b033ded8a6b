import { appendFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * `node recorder.ts FILE PORT`: a model endpoint on 127.0.0.1 in the four wire formats that clients
 * speak. It writes each request as a line of the file and answers that it is done.
 */
const [file = '', port = ''] = process.argv.slice(2);

interface Body {
  stream?: boolean;
  model?: string;
}
const usage = { input_tokens: 5, output_tokens: 5, total_tokens: 10 };
const done = 'Done.';

function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
}
function events(response: ServerResponse, list: readonly object[], end = ''): void {
  response.setHeader('content-type', 'text/event-stream');
  for (const event of list)
    response.write(
      `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    );
  response.end(end);
}

/** Anthropic's Messages. */
function messages(response: ServerResponse, { stream, model }: Body): void {
  const message = { id: 'msg', type: 'message', role: 'assistant', model, stop_sequence: null };
  const block = { type: 'text', text: done };
  if (stream !== true)
    return json(response, { ...message, content: [block], stop_reason: 'end_turn', usage });
  return events(response, [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: done } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

/** OpenAI's Responses. */
function responses(response: ServerResponse, { stream, model }: Body): void {
  const part = { type: 'output_text', text: done, annotations: [] };
  const item = {
    type: 'message',
    id: 'm',
    role: 'assistant',
    status: 'completed',
    content: [part],
  };
  const whole = {
    id: 'r',
    object: 'response',
    created_at: 1,
    model,
    status: 'completed',
    output: [item],
    usage,
  };
  if (stream !== true) return json(response, whole);
  const at = { item_id: 'm', output_index: 0, content_index: 0 };
  const list = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...at, delta: done },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
  return events(response, list);
}

/** OpenAI's chat completions. */
function chat(response: ServerResponse, { stream, model }: Body): void {
  const base = { id: 'c', created: 1, model };
  const message = { role: 'assistant', content: done };
  if (stream !== true)
    return json(response, {
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
    });
  const chunk = (delta: object, finish_reason: string | null): object => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  return events(response, [chunk(message, null), chunk({}, 'stop')], 'data: [DONE]\n\n');
}

/** Google's generateContent. A request for JSON, as for a choice of the model, gets an empty object. */
function generateContent(response: ServerResponse, streams: boolean, wantsJson: boolean): void {
  const whole = {
    candidates: [
      {
        content: { role: 'model', parts: [{ text: wantsJson ? '{}' : done }] },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
  };
  return streams ? events(response, [whole]) : json(response, whole);
}

createServer((request, response) => {
  void text(request).then((sent) => {
    const url = request.url ?? '';
    const body = (sent.startsWith('{') ? JSON.parse(sent) : {}) as Body & {
      generationConfig?: { responseJsonSchema?: unknown };
    };
    appendFileSync(file, `${JSON.stringify({ url, body })}\n`);
    if (/count_?tokens/i.test(url)) return json(response, { input_tokens: 10, totalTokens: 10 });
    if (url.includes('/models')) {
      if (/generateContent/i.test(url))
        return generateContent(
          response,
          url.includes('alt=sse'),
          body.generationConfig?.responseJsonSchema !== undefined,
        );
      return json(response, { object: 'list', data: [{ id: 'm', object: 'model' }] });
    }
    if (url.includes('/messages')) return messages(response, body);
    if (url.includes('/responses')) return responses(response, body);
    if (url.includes('/chat/completions')) return chat(response, body);
    response.statusCode = 404;
    return json(response, { error: { message: `No ${url}.` } });
  });
}).listen(Number(port), '127.0.0.1', () => console.log('listening'));
