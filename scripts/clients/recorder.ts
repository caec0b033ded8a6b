import { appendFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * `node recorder.ts FILE PORT [CALL]`: a model endpoint on 127.0.0.1 in the four wire formats that
 * clients speak. It writes each request as a line of the file and answers that it is done. With CALL,
 * `{"tool", "arguments"}`, it first calls the tool whose name ends so, where a request offers it; the
 * arguments are a text for a tool that takes text.
 */
const [file = '', port = '', call = ''] = process.argv.slice(2);
const wanted = (call === '' ? null : JSON.parse(call)) as {
  tool: string;
  arguments: Record<string, unknown> | string;
} | null;

interface WireTool {
  type?: string;
  name?: string;
  function?: WireTool;
  tools?: WireTool[];
  functionDeclarations?: WireTool[];
}
interface Part {
  type?: string;
  functionResponse?: unknown;
}
interface Message extends Part {
  role?: string;
  /** Tools that a request of Responses brings among its messages. */
  tools?: WireTool[];
  content?: string | Part[];
  parts?: Part[];
}
interface Body {
  stream?: boolean;
  model?: string;
  tools?: WireTool[];
  messages?: Message[];
  input?: string | Message[];
  contents?: Message[];
}
interface Called {
  name: string;
  namespace?: string;
  type?: string;
}

/** The tool to call, under the name that a request has for it. */
function offered(tools: readonly WireTool[], namespace?: string): Called | null {
  for (const one of tools) {
    const group = one.functionDeclarations ?? (one.type === 'namespace' ? one.tools : undefined);
    // A search that the interface knows by its type has no name.
    const { name = one.type ?? '', type } = one.function ?? one;
    const found = group
      ? offered(group, one.name)
      : name.endsWith(wanted?.tool ?? '')
        ? {
            name,
            ...(type !== undefined && { type }),
            ...(namespace !== undefined && { namespace }),
          }
        : null;
    if (found !== null) return found;
  }
  return null;
}

/** Whether a conversation holds a result, in any of the formats. */
const isAnswered = ({ messages = [], input = [], contents = [] }: Body): boolean =>
  [...messages, ...(typeof input === 'string' ? [] : input), ...contents].some(
    ({ role, type, content, parts = [] }) =>
      role === 'tool' ||
      (role === undefined && type?.endsWith('_output') === true) ||
      parts.some(({ functionResponse }) => functionResponse !== undefined) ||
      (Array.isArray(content) && content.some((part) => part.type === 'tool_result')),
  );

function calledIn(body: Body): Called | null {
  if (wanted === null || isAnswered(body)) return null;
  const { tools = [], input = [] } = body;
  const among = typeof input === 'string' ? [] : input.flatMap((item) => item.tools ?? []);
  return offered([...tools, ...among]);
}
const args = wanted?.arguments ?? {};
const argsText = JSON.stringify(args);
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
function messages(response: ServerResponse, body: Body): void {
  const called = calledIn(body);
  const { stream, model } = body;
  const message = { id: 'msg', type: 'message', role: 'assistant', model, stop_sequence: null };
  const use = called && { type: 'tool_use', id: 'toolu_1', name: called.name };
  const block = use ? { ...use, input: args } : { type: 'text', text: done };
  const stop_reason = use ? 'tool_use' : 'end_turn';
  if (stream !== true) return json(response, { ...message, content: [block], stop_reason, usage });
  const [empty, delta] = use
    ? [
        { ...use, input: {} },
        { type: 'input_json_delta', partial_json: argsText },
      ]
    : [
        { type: 'text', text: '' },
        { type: 'text_delta', text: done },
      ];
  return events(response, [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: empty },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

/** A call as Responses writes it, by the type of the tool. */
function callItem({ type, ...called }: Called): object {
  const ids = { id: 'f', call_id: 'call_1' };
  if (type === 'tool_search')
    return { type: 'tool_search_call', ...ids, execution: 'client', arguments: args };
  if (type === 'custom') return { type: 'custom_tool_call', ...ids, ...called, input: args };
  return { type: 'function_call', ...ids, ...called, arguments: argsText };
}

/** OpenAI's Responses. */
function responses(response: ServerResponse, body: Body): void {
  const called = calledIn(body);
  const { stream, model } = body;
  const part = { type: 'output_text', text: done, annotations: [] };
  const message = {
    type: 'message',
    id: 'm',
    role: 'assistant',
    status: 'completed',
    content: [part],
  };
  const item = called === null ? message : callItem(called);
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
  const texts = [
    { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...at, delta: done },
  ];
  const list = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
    ...(called ? [{ type: 'response.output_item.added', output_index: 0, item }] : texts),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: whole },
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
  return events(response, list);
}

/** OpenAI's chat completions. */
function chat(response: ServerResponse, body: Body): void {
  const called = calledIn(body);
  const { stream, model } = body;
  const base = { id: 'c', created: 1, model };
  const use = called && { name: called.name, arguments: argsText };
  const message = use
    ? {
        ...{ role: 'assistant', content: null },
        tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: use }],
      }
    : { role: 'assistant', content: done };
  const finish = use ? 'tool_calls' : 'stop';
  if (stream !== true)
    return json(response, {
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 },
    });
  const chunk = (delta: object, finish_reason: string | null): object => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  return events(response, [chunk(message, null), chunk({}, finish)], 'data: [DONE]\n\n');
}

/** Google's generateContent. A request for JSON, as for a choice of the model, gets an empty object. */
function generateContent(
  response: ServerResponse,
  body: Body,
  streams: boolean,
  wantsJson: boolean,
): void {
  const called = wantsJson ? null : calledIn(body);
  const part = called
    ? { functionCall: { name: called.name, args } }
    : { text: wantsJson ? '{}' : done };
  const whole = {
    candidates: [
      {
        content: { role: 'model', parts: [part] },
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
          body,
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
