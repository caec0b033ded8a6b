import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import type { Quirk } from './bodies.fixture.ts';

/** What an error means: the model waits and is asked again, only this run fails, or it is stopped. */
export interface ErrorQuirk extends Quirk {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: JsonValue;
  /** Milliseconds to wait before the next attempt, or what fails. */
  means: number | 'this run' | 'the model';
  says?: RegExp;
}

const error = (members: JsonObject): JsonObject => ({ error: members });
const google = (status: string, ...details: JsonObject[]): JsonValue => [
  error({
    code: 429,
    message: 'You exceeded your current quota, please check your plan and billing details.',
    status,
    details,
  }),
];
const retryIn = (delay: string): JsonObject => ({
  '@type': 'type.googleapis.com/google.rpc.RetryInfo',
  retryDelay: delay,
});
const violation = (quotaId: string): JsonObject => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaId }],
});
/** The first back-off of our own, with a random part of 0. */
const backOff = 500;

export const errorQuirks: readonly ErrorQuirk[] = [
  {
    quirk: 'a limit per minute that is called a quota',
    who: 'Gemini, RooCodeInc/Roo-Code#3883',
    status: 429,
    body: google(
      'RESOURCE_EXHAUSTED',
      violation('GenerateContentInputTokensPerModelPerMinute-FreeTier'),
      retryIn('26s'),
    ),
    means: 26_000,
  },
  {
    quirk: 'the same error as JSON within the message of a gateway',
    who: 'RooCodeInc/Roo-Code#3883, google-gemini/gemini-cli#26682',
    status: 429,
    body: error({
      message: JSON.stringify(google('RESOURCE_EXHAUSTED', retryIn('26s'))),
      code: 429,
      status: 'Too Many Requests',
    }),
    means: 26_000,
  },
  {
    quirk: 'a limit per day with a short wait',
    who: 'Gemini, google-gemini/gemini-cli#10925',
    status: 429,
    body: google(
      'RESOURCE_EXHAUSTED',
      violation('GenerateRequestsPerDayPerProjectPerModel-FreeTier'),
      retryIn('3s'),
    ),
    means: 'the model',
    says: /limit of a day/,
  },
  {
    quirk: 'a spent quota with a Retry-After',
    who: 'OpenAI',
    status: 429,
    headers: { 'retry-after': '1' },
    body: error({ message: 'You exceeded your current quota.', code: 'insufficient_quota' }),
    means: 'the model',
    says: /out of quota/,
  },
  {
    quirk: 'a limit per minute with a link to billing',
    who: 'OpenAI',
    status: 429,
    headers: { 'retry-after': '2' },
    body: error({
      message: 'Rate limit reached on tokens per min (TPM). Visit /account/billing to learn more.',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
    means: 2_000,
  },
  {
    quirk: 'a wait in milliseconds',
    who: 'Azure, OpenAI',
    status: 429,
    headers: { 'retry-after-ms': '250', 'retry-after': '1' },
    body: error({ message: 'Slow down.', code: '429' }),
    means: 250,
  },
  {
    quirk: 'a wait only in the words',
    who: 'Azure, Groq',
    status: 429,
    body: error({ message: 'Rate limit reached. Please try again in 1m2.5s.', code: '429' }),
    means: 62_500,
  },
  {
    quirk: 'the reset of an exhausted limit',
    who: 'OpenAI, Groq',
    status: 429,
    headers: { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1.5s' },
    body: error({ message: 'Slow down.' }),
    means: 1_500,
  },
  {
    quirk: 'a Retry-After with a unit',
    who: 'gateways',
    status: 429,
    headers: { 'retry-after': '3s' },
    body: error({ message: 'Slow down.' }),
    means: 3_000,
  },
  {
    quirk: 'a Retry-After that is an instant',
    who: 'gateways',
    status: 429,
    headers: { 'retry-after': String(Date.UTC(2026, 0, 1) / 1000 + 4) },
    body: error({ message: 'Slow down.' }),
    means: 4_000,
  },
  {
    quirk: 'an overload with a status of its own',
    who: 'Anthropic',
    status: 529,
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    means: backOff,
  },
  {
    quirk: 'a rate limit in place of an answer',
    who: 'OpenRouter, BerriAI/litellm#8448',
    status: 200,
    body: error({ message: 'Provider returned error', code: 429 }),
    means: backOff,
  },
  {
    quirk: 'an error next to an empty choice',
    who: 'BerriAI/litellm#8448',
    status: 200,
    body: {
      choices: [{ message: { content: null }, finish_reason: 'stop' }],
      error: { message: 'Provider returned error', code: 429 },
    },
    means: backOff,
  },
  {
    quirk: 'an error in the last line of a stream',
    who: 'Ollama, docs.ollama.com/api/errors',
    status: 200,
    body:
      '{"model":"m","message":{"role":"assistant","content":"Pa"},"done":false}\n' +
      '{"error":"an error was encountered while running the model"}\n',
    means: backOff,
  },
  {
    quirk: "a stream of Ollama's that is cut off",
    who: 'Ollama',
    status: 200,
    body: '{"model":"m","message":{"role":"assistant","content":"Pa"},"done":false}\n{"model":"m","mes',
    means: 'this run',
    says: /ended its stream before the answer was complete/,
  },
  {
    quirk: 'a rate limit inside "data"',
    who: 'gateways',
    status: 200,
    body: { code: 429, msg: 'Too many requests', data: null },
    means: backOff,
  },
  {
    quirk: 'a call with only markers in place of its name',
    who: 'gpt-oss, ollama/ollama#11704',
    status: 200,
    body: {
      choices: [
        {
          message: {
            tool_calls: [
              { id: 'c', function: { name: 'assistant<|channel|>analysis', arguments: '{}' } },
            ],
          },
        },
      ],
    },
    means: 'this run',
    says: /a call with markers of its format in place of a name/,
  },
  {
    quirk: 'an error as a text in place of an answer',
    who: 'Ollama',
    status: 200,
    body: { error: 'model is loading' },
    means: backOff,
  },
  {
    quirk: 'a rejected key in place of an answer',
    who: 'OpenRouter',
    status: 200,
    body: error({ message: 'No auth credentials found', code: 401 }),
    means: 'the model',
    says: /key was rejected/,
  },
  {
    quirk: 'an invalid request in place of an answer',
    who: 'gateways',
    status: 200,
    body: error({ message: 'No such role.', type: 'invalid_request_error' }),
    means: 'this run',
    says: /answered 200 with an error: No such role/,
  },
  {
    quirk: 'an answer whose end is "error"',
    who: 'OpenRouter, pydantic/pydantic-ai#2844',
    status: 200,
    body: { choices: [{ message: { content: 'Par' }, finish_reason: 'error' }] },
    means: backOff,
  },
  {
    quirk: 'an answer that its provider broke off',
    who: 'DeepSeek',
    status: 200,
    body: {
      choices: [{ message: { content: 'Par' }, finish_reason: 'insufficient_system_resource' }],
    },
    means: backOff,
  },
  {
    quirk: 'the error of another provider as JSON in a text',
    who: 'OpenRouter, reVrost/go-openrouter#21',
    status: 400,
    body: error({
      message: 'Provider returned error',
      code: 400,
      metadata: {
        raw: JSON.stringify(
          error({ message: 'Invalid schema.', code: 'invalid_function_parameters' }),
        ),
      },
    }),
    means: 'this run',
    says: /Invalid schema\. The endpoint refused the definition of a tool/,
  },
  {
    quirk: 'a refused schema of a tool about billing',
    who: 'OpenAI',
    status: 400,
    body: error({
      message: "Invalid schema for function 'pay__get_billing_info': array schema missing items.",
      code: 'invalid_function_parameters',
    }),
    means: 'this run',
    says: /refused the definition of a tool/,
  },
  {
    quirk: 'a refused parameter of a tool',
    who: 'OpenAI, param',
    status: 400,
    body: error({ message: 'Unknown. See billing.', param: 'tools[0].function.parameters' }),
    means: 'this run',
    says: /refused the definition of a tool/,
  },
  {
    quirk: 'a refused member of the body, as a list',
    who: 'FastAPI (vLLM, Mistral)',
    status: 422,
    body: { detail: [{ loc: ['body', 'tools', 0], msg: 'Field required', type: 'missing' }] },
    means: 'this run',
    says: /Field required. The endpoint refused the definition of a tool/,
  },
  {
    quirk: 'a prompt that a filter refused',
    who: 'Azure',
    status: 400,
    body: error({
      message: 'The response was filtered.',
      code: 'content_filter',
      innererror: { code: 'ResponsibleAIPolicyViolation' },
    }),
    means: 'this run',
    says: /content filter refused this request/,
  },
  {
    quirk: 'a moderated prompt with status 403',
    who: 'OpenRouter',
    status: 403,
    body: error({
      code: 403,
      message: 'Your input was flagged',
      metadata: { reasons: ['violence'], flagged_input: 'x' },
    }),
    means: 'this run',
    says: /content filter refused this request/,
  },
  {
    quirk: 'a moderated prompt by its words alone',
    who: 'OpenRouter',
    status: 403,
    body: error({ code: 403, message: 'Model requires moderation; your input was flagged.' }),
    means: 'this run',
    says: /content filter refused this request/,
  },
  {
    quirk: 'a request that is larger than the limit per minute',
    who: 'Groq',
    status: 413,
    body: error({ message: 'Request too large.', type: 'tokens', code: 'rate_limit_exceeded' }),
    means: 'this run',
  },
  {
    quirk: 'a prompt that is too long',
    who: 'OpenAI, vLLM',
    status: 400,
    body: error({ message: 'Maximum context length is 8192.', code: 'context_length_exceeded' }),
    means: 'this run',
  },
  {
    quirk: 'a rejected key with status 400',
    who: 'Gemini',
    status: 400,
    body: [
      error({
        code: 400,
        message: 'API key not valid.',
        status: 'INVALID_ARGUMENT',
        details: [{ reason: 'API_KEY_INVALID' }],
      }),
    ],
    means: 'the model',
    says: /key was rejected/,
  },
  {
    quirk: 'no balance, with status 402',
    who: 'DeepSeek, OpenRouter',
    status: 402,
    body: error({ message: 'Insufficient Balance' }),
    means: 'the model',
    says: /out of quota/,
  },
  {
    quirk: 'no credit, with status 400 and in words alone',
    who: 'Anthropic',
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low.' },
    },
    means: 'the model',
    says: /out of quota/,
  },
  {
    quirk: 'an unknown model with status 400',
    who: 'Groq (model_decommissioned), gateways',
    status: 400,
    body: error({ message: 'The model does not exist.', code: 'model_not_found' }),
    means: 'the model',
    says: /Check the model name/,
  },
  {
    quirk: 'a rate limit in a code of its own, with status 200',
    who: 'MiniMax, base_resp',
    status: 200,
    body: { choices: null, base_resp: { status_code: 1002, status_msg: 'rate limit' } },
    means: backOff,
  },
  {
    quirk: 'a spent budget',
    who: 'LiteLLM',
    status: 400,
    body: error({ message: 'Budget has been exceeded!', type: 'budget_exceeded', code: '400' }),
    means: 'the model',
    says: /out of quota/,
  },
  {
    quirk: 'a limit of spending, with status 400',
    who: 'Anthropic',
    status: 400,
    body: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'You have reached your specified API usage limits.',
      },
    },
    means: 'the model',
    says: /out of quota/,
  },
  {
    quirk: 'used credits, in words alone',
    who: 'xAI',
    status: 429,
    body: {
      code: 'Some resource has been exhausted',
      error: 'Your team has either used all available credits or reached its spending limit.',
    },
    means: 'the model',
    says: /out of quota/,
  },
  {
    quirk: 'a wrong key with status 400, in words alone',
    who: 'xAI',
    status: 400,
    body: {
      code: 'Client specified an invalid argument',
      error: 'Incorrect API key provided: xa***.',
    },
    means: 'the model',
    says: /key was rejected/,
  },
  {
    quirk: 'a path that it does not have, with status 200',
    who: 'LM Studio',
    status: 200,
    body: { error: 'Unexpected endpoint or method. (POST /chat/completions)' },
    means: 'the model',
    says: /base URL/,
  },
  {
    quirk: 'a request that is larger than the limit, with status 429',
    who: 'OpenAI',
    status: 429,
    body: error({
      message: 'Request too large for gpt-4o on tokens per min (TPM): Limit 30000.',
      type: 'tokens',
      code: 'rate_limit_exceeded',
    }),
    means: 'this run',
  },
  {
    quirk: 'exceeded capacity with status 498',
    who: 'Groq, flex tier',
    status: 498,
    body: error({ message: 'Flex tier capacity exceeded' }),
    means: backOff,
  },
  {
    quirk: 'an error as a named event of a stream',
    who: 'gateways',
    status: 200,
    body: 'event: error\ndata: {"message":"Slow down","code":429}\n\n',
    means: backOff,
  },
  {
    quirk: 'an error in a field of its own in a stream',
    who: 'llama.cpp, older versions',
    status: 200,
    body: 'error: {"error":{"message":"slot unavailable","code":503}}\n\n',
    means: backOff,
  },
];
