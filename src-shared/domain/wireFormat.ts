export const wireApis = ['openai-responses', 'openai-chat', 'anthropic-messages'] as const;
export type WireApi = (typeof wireApis)[number];

/** What the requests of one wire format can say. */
interface WireFormatDescription {
  /** As forms name it. */
  label: string;
  /** What a configuration calls it where a provider has several; null where it never has. */
  api: 'responses' | 'chat' | null;
  /** The provider can be asked to hold arguments to the schema. */
  strict: boolean;
  /** The provider's own tool search can find the tools. */
  deferTools: boolean;
  /** Answers can carry log probabilities. */
  logprobs: boolean;
  /** There is a call that counts a request's tokens without answering it. */
  countsTokens: boolean;
  /** Tools that a request can offer; more are refused, or silently cut behind the endpoint. */
  maxTools: number;
  maxDeferredTools: number;
}

/** Every wire format that requests to an endpoint are written in. */
export const wireFormats = {
  'openai-responses': {
    label: 'Responses',
    api: 'responses',
    strict: true,
    deferTools: true,
    logprobs: false,
    countsTokens: true,
    maxTools: 128,
    maxDeferredTools: 128,
  },
  'openai-chat': {
    label: 'Chat Completions',
    api: 'chat',
    strict: true,
    deferTools: false,
    logprobs: true,
    countsTokens: false,
    maxTools: 128,
    maxDeferredTools: 128,
  },
  'anthropic-messages': {
    label: 'Messages',
    api: null,
    strict: false,
    deferTools: true,
    logprobs: false,
    countsTokens: true,
    maxTools: 128,
    maxDeferredTools: Number.POSITIVE_INFINITY,
  },
} as const satisfies Record<WireApi, WireFormatDescription>;
