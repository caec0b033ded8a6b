import { describe, expect, it } from 'vitest';
import { findRefusal, RefusedSettings } from './refusedSettings.ts';

const chat = {
  model: 'm',
  messages: [],
  tools: [],
  tool_choice: 'auto',
  temperature: 0.4,
  top_p: 0.9,
  seed: 7,
  max_tokens: 500,
  parallel_tool_calls: false,
  reasoning_effort: 'low',
};
const responses = { model: 'm', input: [], temperature: 0.4, reasoning: { effort: 'low' } };
const streamed = { ...chat, stream: true, stream_options: { include_usage: true } };
const strict = { ...chat, tools: [{ type: 'function', function: { name: 'a', strict: true } }] };

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });
const openAi = (message: string, param: string | null, code: string | null) =>
  error(message, { type: 'invalid_request_error', param, code });

/** Errors as providers answer them, with what they refuse; the sources are in refusedSettings.ts. */
const refusals: [
  name: string,
  body: object,
  answer: object | string,
  setting: string,
  status?: number,
][] = [
  [
    'OpenAI, a parameter',
    chat,
    openAi(
      "Unsupported parameter: 'temperature' is not supported with this model.",
      'temperature',
      'unsupported_parameter',
    ),
    'temperature',
  ],
  [
    'OpenAI, a value',
    chat,
    openAi(
      "Unsupported value: 'temperature' does not support 0.4 with this model. Only the default (1) value is supported.",
      'temperature',
      'unsupported_value',
    ),
    'temperature',
  ],
  [
    'OpenAI, without a code',
    chat,
    error(
      "Unsupported value: 'temperature' does not support 0.01 with this model. Only the default (1) value is supported.",
    ),
    'temperature',
  ],
  [
    'OpenAI Responses',
    responses,
    openAi(
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      'reasoning.effort',
      'unsupported_parameter',
    ),
    'reasoning.effort',
  ],
  [
    'OpenAI, an effort',
    chat,
    openAi(
      "Unsupported value: 'reasoning_effort' does not support 'none' with this model.",
      'reasoning_effort',
      'unsupported_value',
    ),
    'reasoning_effort',
  ],
  [
    'Azure, an argument',
    chat,
    openAi(
      'Unrecognized request argument supplied: parallel_tool_calls. Please contact us through an Azure support request.',
      null,
      null,
    ),
    'parallel_tool_calls',
  ],
  [
    'Azure, unknown',
    chat,
    openAi("Unknown parameter: 'seed'.", 'seed', 'unknown_parameter'),
    'seed',
  ],
  [
    'Anthropic, deprecated',
    chat,
    { type: 'error', ...error('`temperature` is deprecated for this model.') },
    'temperature',
  ],
  [
    'Anthropic, two at once',
    chat,
    {
      type: 'error',
      ...error(
        '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
      ),
    },
    'temperature',
  ],
  [
    'Anthropic, thinking',
    chat,
    {
      type: 'error',
      ...error('`temperature` may only be set to 1 when thinking is enabled or in adaptive mode.'),
    },
    'temperature',
  ],
  [
    'Anthropic, another wording',
    chat,
    error('temperature is not supported when thinking is enabled'),
    'temperature',
  ],
  [
    'Anthropic, an extra field',
    chat,
    { type: 'error', ...error('seed: Extra inputs are not permitted') },
    'seed',
  ],
  [
    'Bedrock, a key',
    chat,
    {
      message:
        'Malformed input request: extraneous key [temperature] is not permitted, please reformat your input and try again.',
    },
    'temperature',
  ],
  [
    'Bedrock, a field',
    chat,
    {
      message:
        "This model doesn't support the temperature field. Remove temperature and try again.",
    },
    'temperature',
  ],
  [
    'Gemini, in a list',
    chat,
    [
      error('Invalid JSON payload received. Unknown name "seed": Cannot find field.', {
        code: 400,
        status: 'INVALID_ARGUMENT',
      }),
    ],
    'seed',
  ],
  [
    'Mistral',
    chat,
    {
      object: 'error',
      detail: [
        {
          type: 'extra_forbidden',
          loc: ['body', 'parallel_tool_calls'],
          msg: 'Extra inputs are not permitted',
        },
      ],
    },
    'parallel_tool_calls',
    422,
  ],
  [
    'Mistral, as a message',
    chat,
    {
      object: 'Error',
      message: [
        { type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' },
      ],
    },
    'seed',
    422,
  ],
  [
    'vLLM',
    chat,
    {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), 'msg': 'Extra inputs are not permitted', 'input': 7}]",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    'seed',
  ],
  [
    'Fireworks',
    streamed,
    error("Extra inputs are not permitted, field: 'stream_options'"),
    'stream_options',
  ],
  ['Groq', chat, error("property 'reasoning_effort' is unsupported"), 'reasoning_effort'],
  [
    'Cerebras',
    chat,
    { message: '`reasoning_effort` is not supported with this model', param: 'reasoning_effort' },
    'reasoning_effort',
  ],
  [
    'LiteLLM, a list',
    chat,
    error(
      "litellm.UnsupportedParamsError: anthropic does not support parameters: ['reasoning_effort'], for model=x. To drop these, set litellm.drop_params=True",
    ),
    'reasoning_effort',
  ],
  [
    'LiteLLM, a value',
    chat,
    error(
      "litellm.UnsupportedParamsError: gpt-5 models (including gpt-5-codex) don't support temperature=0.4. Only temperature=1 is supported.",
    ),
    'temperature',
  ],
  [
    'xAI, in camel case',
    chat,
    { code: 'x', error: 'Model grok-3 does not support parameter reasoningEffort.' },
    'reasoning_effort',
  ],
  [
    'Moonshot',
    chat,
    error('invalid temperature: only 1 is allowed for this model', {
      type: 'invalid_request_error',
    }),
    'temperature',
  ],
  ['DeepSeek', chat, error('deepseek-reasoner does not support this tool_choice'), 'tool_choice'],
  [
    'strict, at OpenAI’s path',
    strict,
    openAi(
      "Unknown parameter: 'tools[0].function.strict'.",
      'tools[0].function.strict',
      'unknown_parameter',
    ),
    'strict',
  ],
  ['a plain text', chat, 'temperature is not supported', 'temperature'],
  [
    'OpenRouter, as JSON in a text',
    chat,
    error('Provider returned error', {
      code: 400,
      metadata: {
        raw: JSON.stringify(
          openAi(
            "Unsupported parameter: 'temperature' is not supported with this model.",
            'temperature',
            'unsupported_parameter',
          ),
        ),
      },
    }),
    'temperature',
  ],
  [
    'a gateway with status 200',
    chat,
    error("Unsupported parameter: 'temperature' is not supported with this model.", { code: 400 }),
    'temperature',
    200,
  ],
  [
    'OpenAI, by param alone',
    { ...responses, include: ['reasoning.encrypted_content'] },
    openAi('Encrypted content is not supported with this model.', 'include', null),
    'include',
  ],
  [
    'streams of OpenAI',
    streamed,
    openAi(
      "Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.",
      'stream',
      'unsupported_value',
    ),
    'stream',
  ],
];

describe('a refused setting', () => {
  it.each(refusals)('is found in the words of %s', (_name, body, answer, setting, status = 400) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    expect(findRefusal(status, text, body)).toMatchObject({ setting, instead: null });
  });

  it('is replaced where the endpoint says by what', () => {
    const text = JSON.stringify(
      openAi(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
        'unsupported_parameter',
      ),
    );
    const found = findRefusal(400, text, chat);
    expect(found).toMatchObject({ setting: 'max_tokens', instead: 'max_completion_tokens' });
    const refused = new RefusedSettings(found ? [found] : []);
    expect(refused.adapt(chat)).toMatchObject({ max_completion_tokens: 500 });
    expect(refused.adapt(chat)).not.toHaveProperty('max_tokens');
  });

  it.each<[string, object | string, object, number?]>([
    ['a value out of range', error('temperature: Input should be less than or equal to 1'), chat],
    ['a range', error("Invalid 'temperature': must be between 0 and 2, 3 is not supported"), chat],
    [
      'too many tokens',
      openAi(
        'max_tokens is too large: 500. This model supports at most 400 completion tokens.',
        'max_tokens',
        'invalid_value',
      ),
      chat,
    ],
    [
      'a missing tool parser',
      {
        message:
          '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      },
      chat,
    ],
    ['tools themselves', error('registry.ollama.ai/library/gemma:2b does not support tools'), chat],
    [
      'tools with their choice',
      error(
        "litellm.UnsupportedParamsError: deepseek does not support parameters: {'tools': [], 'tool_choice': 'auto'}, for model=x.",
      ),
      chat,
    ],
    [
      'a field of a message',
      {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'messages', 3, 'assistant', 'seed'],
            msg: 'Extra inputs are not permitted',
          },
        ],
      },
      chat,
      422,
    ],
    [
      'a keyword of a tool',
      error(
        'Unknown name "seed" at \'tools[0].function_declarations[5].parameters\': Cannot find field.',
      ),
      chat,
    ],
    [
      'a setting that was not sent',
      openAi("Unsupported parameter: 'top_k' is not supported.", 'top_k', 'unsupported_parameter'),
      chat,
    ],
    ['a key', error('Incorrect API key provided; temperature is not supported'), chat, 401],
    ['another model', error('The model m does not exist', { code: 'model_not_found' }), chat, 404],
    ['a context', error("This model's maximum context length is 8192 tokens."), chat],
    ['an overload', error('temperature is not supported'), chat, 503],
  ])('is not found where an error is about %s', (_name, answer, body, status = 400) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    expect(findRefusal(status, text, body)).toBeNull();
  });

  it.each([
    { detail: 'Stream must be set to true' },
    error('stream must be true'),
    error(
      'This model only support stream mode, please enable the stream parameter to access the model. ',
      { code: 'invalid_parameter_error' },
    ),
    error('parameter.enable_thinking must be set to false for non-streaming calls'),
    error(
      'Invalid request error. HINT: Validation error: Invalid input: expected true at "params.stream"',
    ),
    error('Non-streaming requests are not supported.'),
    error('Streaming is required for this model.'),
    error("Unsupported value: 'stream' does not support false with this model."),
  ])('is the whole answer where an endpoint only streams (%j)', (answer) => {
    expect(findRefusal(400, JSON.stringify(answer), chat)).toMatchObject({
      setting: 'stream',
      instead: 'stream',
    });
    expect(findRefusal(400, JSON.stringify(answer), streamed)?.instead ?? null).toBeNull();
  });
});

describe('a body without refused settings', () => {
  const without = (setting: string, instead: string | null = null) =>
    new RefusedSettings([{ setting, instead, said: '' }]);

  it('keeps everything else, and is the same object where it holds none of them', () => {
    const { temperature: _, ...rest } = chat;
    expect(without('temperature').adapt(chat)).toEqual(rest);
    expect(without('top_k').adapt(chat)).toBe(chat);
    expect(without('reasoning.effort').adapt(responses)).not.toHaveProperty('reasoning');
    expect(without('stream').adapt(streamed)).toEqual(chat);
    expect(without('stream', 'stream').adapt(chat)).toEqual({ ...chat, stream: true });
  });
});
