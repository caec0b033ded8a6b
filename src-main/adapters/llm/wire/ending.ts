import type { Observation } from '../../../../src-shared/domain/observation.ts';

type StopReason = Observation['stopReason'];

/**
 * What endpoints of all formats call the ends that aren't the model's own, in lower case with `_`
 * between words. Every other name is an end: `stop`, `eos`, `end_turn`, `COMPLETE`, a number, "".
 * Sources: the API references of OpenAI, Anthropic, Google (FinishReason), Amazon Bedrock, Mistral,
 * Cohere, DeepSeek, Zhipu and watsonx.ai, and the sources of Ollama, vLLM, SGLang, llama.cpp,
 * text-generation-inference and LM Studio.
 */
const kinds: readonly [StopReason | 'failed', readonly string[]][] = [
  [
    'cut_off',
    [
      ...['length', 'max_tokens', 'max_output_tokens', 'max_completion_tokens', 'max_new_tokens'],
      ...['max_length', 'max_tokens_reached', 'max_predicted_tokens_reached', 'token_limit'],
      ...['model_length', 'model_context_window_exceeded', 'context_window_exceeded'],
      ...['context_length_exceeded', 'context_length_reached', 'context_length', 'limit'],
      ...['error_limit', 'truncated', 'incomplete'],
    ],
  ],
  [
    'filtered',
    [
      ...['content_filter', 'content_filtered', 'content_filter_results', 'content_policy'],
      ...'content_policy_violation guardrail_intervened safety image_safety blocklist'.split(' '),
      ...['prohibited_content', 'spii', 'recitation', 'language', 'sensitive', 'moderation'],
      ...['flagged', 'error_toxic'],
    ],
  ],
  ['refused', ['refusal', 'refused']],
  [
    // The endpoint itself gave up: another attempt may succeed.
    'failed',
    [
      ...['error', 'failed', 'server_error', 'network_error', 'insufficient_system_resource'],
      ...['abort', 'aborted', 'timeout', 'time_limit', 'model_unloaded', 'unload'],
      // Ollama only loaded the model.
      'load',
    ],
  ],
  [
    // The reply isn't finished, or its call could not be read by the endpoint.
    'unknown',
    [
      ...['pause_turn', 'in_progress', 'queued', 'cancelled', 'canceled', 'other'],
      ...['malformed_function_call', 'malformed_tool_use', 'malformed_model_output'],
      ...['malformed_response', 'unexpected_tool_call', 'too_many_tool_calls'],
      'missing_thought_signature',
    ],
  ],
];
const kindOf = new Map(
  kinds.flatMap(([kind, words]) => words.map((word) => [word, kind] as const)),
);
/** These say that there is a call: without one, the reply was cut off before it. */
const calling = new Set(['tool_calls', 'tool_call', 'tool_use', 'function_call', 'function_calls']);

/**
 * How a reply ended, by the name that its endpoint gives the end. `failed`: by an error of the
 * endpoint. Source: docs/rules.md §3, Providers, Outcomes.
 */
export function endingOf(
  reason: unknown,
  { called, refused = false }: { called: boolean; refused?: boolean },
): StopReason | 'failed' {
  const words = wordsOf(reason);
  for (const word of words) {
    const kind = kindOf.get(word);
    if (kind !== undefined) return kind;
  }
  if (called) return 'called';
  if (refused) return 'refused';
  return words.some((word) => calling.has(word)) ? 'unknown' : 'answered';
}

/** `MAX_TOKENS`, `maxTokens`, `function_call_filter: SAFETY` (Gemini's prefix) in one spelling. */
function wordsOf(reason: unknown): string[] {
  if (typeof reason !== 'string') return [];
  return reason.split(':').map((part) =>
    part
      .trim()
      .replace(/([a-z])(?=[A-Z])/g, '$1_')
      .toLowerCase()
      .replace(/[\s.-]+/g, '_')
      .replace(/^finish_reason_/, ''),
  );
}
