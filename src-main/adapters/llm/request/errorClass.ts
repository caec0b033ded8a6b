import { squash, type ErrorFacts } from './errorFacts.ts';

/** What an answered error means for the run and for the model. */
export interface ErrorClass {
  retry: boolean;
  /** The host is overloaded, or a limit per time was reached. */
  overload: boolean;
  /** No other run can succeed either: the model is stopped. */
  fatal: boolean;
  /** What to do, after the message. */
  next: string;
}

const codes = (...words: string[]): ReadonlySet<string> => new Set(words.map(squash));

/** OpenAI, Azure (`innererror`), DashScope, Zhipu 1301, OpenAI's usage policies, Bedrock. */
const moderation = codes(
  ...['content_filter', 'content_filtered', 'content_policy_violation', 'invalid_prompt'],
  ...['ResponsibleAIPolicyViolation', 'data_inspection_failed', 'DataInspectionFailed'],
  ...['moderation', 'moderation_blocked', 'content_moderation', 'prompt_blocked', 'safety'],
  ...['PROHIBITED_CONTENT', 'guardrail_intervened', 'cyber_policy_violation', '1301'],
  // MiniMax: the input, the output.
  ...['1026', '1027'],
);
/** OpenAI, Anthropic, DeepSeek, Moonshot, DashScope (Arrearage), Volcano, Zhipu 1113, MiniMax 1008, Groq, LiteLLM. */
const quota = codes(
  ...['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'billing_error'],
  ...['insufficient_balance', 'insufficient_credits', 'insufficient_funds', 'payment_required'],
  ...['exceeded_current_quota_error', 'Arrearage', 'AccountOverdueError', '1113'],
  ...['blocked_api_access', 'budget_exceeded', '1008'],
);
/** OpenAI, Anthropic, Google (`API_KEY_INVALID` with status 400), Azure (`401` as a text). */
const key = codes(
  ...['invalid_api_key', 'authentication_error', 'API_KEY_INVALID', 'API_KEY_EXPIRED'],
  ...[
    'UNAUTHENTICATED',
    'unauthorized',
    'invalid_authentication_error',
    'account_deactivated',
    '401',
    // MiniMax.
    '1004',
  ],
);
const schema = codes(
  ...['invalid_function_parameters', 'invalid_json_schema', 'invalid_tool_schema'],
  'invalid_tool_definition',
);
const tooLong = codes('context_length_exceeded', 'request_too_large', 'string_above_max_length');
/** OpenAI, Azure, Groq, DashScope, Anthropic. */
const model = codes(
  ...['model_not_found', 'DeploymentNotFound', 'ModelNotFound', 'model_not_exist', 'invalid_model'],
  ...['model_decommissioned', 'not_found_error', 'unknown_model', '404'],
);
/** OpenAI (`tokens`, `requests` are its types), Google, Anthropic, AWS, DashScope, Zhipu, Mistral. */
const rate = codes(
  ...['rate_limit_exceeded', 'rate_limit_error', 'rate_limit_reached', 'RESOURCE_EXHAUSTED'],
  ...['rate_limited', 'too_many_requests', 'tokens', 'requests', 'TooManyRequestsException'],
  ...['ThrottlingException', 'Throttling', 'Throttling.RateQuota', 'Throttling.AllocationQuota'],
  ...['limit_requests', 'limit_burst_rate', '1302', '1303', '3505', '429', '1002'],
);
const overloaded = codes(
  ...['overloaded_error', 'overloaded', 'engine_overloaded_error', 'server_overloaded', '1305'],
  ...['UNAVAILABLE', 'service_unavailable', 'ServiceUnavailableException', 'capacity_exceeded'],
  'model_overloaded',
);

const statusOfType = new Map(
  [
    ['invalid_request_error', 400],
    ['BadRequestError', 400],
    ['INVALID_ARGUMENT', 400],
    ['permission_error', 403],
    ['PERMISSION_DENIED', 403],
  ].map(([type = '', status]) => [squash(type), Number(status)] as const),
);

/** Words decide only where nothing else does: they name what they link to, not what happened. */
const quotaWords =
  /insufficient[ _]quota|exceeded your current quota|credit balance is too low|insufficient (?:balance|credits?|funds)|out of credits|payment required|(?:doesn't|does not) have any credits|used all available credits|reached your specified API usage limits|^key limit exceeded/i;
/** xAI answers 400 to a wrong key and gives no code. */
const keyWords = /\b(?:incorrect|invalid) api[ -]?key\b/i;
/** LM Studio answers 200 to a path that it doesn't have. */
const pathWords = /^unexpected endpoint or method/i;
/** OpenAI asks for no wait where no wait helps. */
const tooLargeWords = /^request too large\b/i;
const moderationWords = /flagged|moderation|content (?:management )?policy|content filter/i;
const perDay = /per_?day/i;

/**
 * The class of an error that an endpoint answered, by its codes, types and parameters, its status and
 * the wait that it asks for, and only then by its words. `afterMs`: that wait, null if there is none.
 * Source: docs/rules.md §3, Providers, Errors.
 */
export function errorClassOf(
  status: number,
  facts: ErrorFacts,
  afterMs: number | null,
): ErrorClass {
  const own = (set: ReadonlySet<string>): boolean => facts.codes.some((code) => set.has(code));
  // An error in place of an answer says its status itself, or by its type.
  const effective =
    status >= 400
      ? status
      : (facts.status ?? facts.codes.map((code) => statusOfType.get(code)).find(Boolean) ?? null);
  const isLimited = effective === 429 || own(rate);
  const isRefused = effective !== null && [400, 403, 422, 451].includes(effective);
  if (facts.isFlagged || own(moderation)) return ofCase(filtered);
  // Google gives a short wait also where the limit is one per day, which no run waits for.
  if (facts.quotas.some((name) => perDay.test(name))) return ofModel(daily);
  if (effective === 402 || own(quota)) return ofModel(outOfQuota);
  if (own(schema) || facts.params.some((param) => /^(?:tools|functions)\b/.test(param)))
    return ofCase(refusedSchema);
  // Groq answers 413 with the code of a rate limit for a request that is larger than the limit.
  if (effective === 413 || own(tooLong)) return ofCase('');
  if (isLimited && tooLargeWords.test(facts.message)) return ofCase('');
  if (isLimited && afterMs !== null) return again(true);
  if ((isLimited || isRefused) && quotaWords.test(facts.message)) return ofModel(outOfQuota);
  // Groq answers 498 where the capacity of its flex tier is exceeded.
  if (isLimited || own(overloaded) || [498, 503, 529].includes(effective ?? 0)) return again(true);
  if (isRefused && moderationWords.test(facts.message)) return ofCase(filtered);
  if (effective === 401 || effective === 403 || own(key)) return ofModel(rejectedKey);
  if (isRefused && keyWords.test(facts.message)) return ofModel(rejectedKey);
  if (effective === 404 || own(model) || pathWords.test(facts.message))
    return ofModel(' Check the model name and the base URL.');
  if (isRefused && /temperature/i.test(`${facts.message} ${facts.params.join(' ')}`))
    return ofModel(' Choose a temperature that this model supports.');
  // 421 may be tried again on another connection (RFC 9110 §15.5.20), 425 later (RFC 8470).
  const isTransient =
    effective === null || [408, 409, 421, 425].includes(effective) || effective >= 500;
  return isTransient ? again(false) : ofCase('');
}

const again = (overload: boolean): ErrorClass => ({
  retry: true,
  overload,
  fatal: false,
  next: '',
});
const ofCase = (next: string): ErrorClass => ({
  retry: false,
  overload: false,
  fatal: false,
  next,
});
const ofModel = (next: string): ErrorClass => ({
  retry: false,
  overload: false,
  fatal: true,
  next,
});

const filtered =
  " The endpoint's content filter refused this request. Other runs go on. Change the text of the case, or leave it out.";
const refusedSchema =
  ' The endpoint refused the definition of a tool. Other runs go on. The quality findings of the tool say what providers refuse.';
const daily = ' The limit of a day is used up. Resume the evaluation when it is full again.';
const outOfQuota =
  " The account is out of quota, so retrying won't help. Top it up, then resume the evaluation.";
const rejectedKey =
  ' The key was rejected. Set it again with the keys of this program, then resume the evaluation.';
