import { agentNames } from './agents.ts';
import type { ModelConfiguration } from './model.ts';
import { confidenceSources, reasoningEfforts } from './provider.ts';

/** The settings of a model besides what it is and where its recording is. */
export type ModelSetting = Exclude<keyof ModelConfiguration, 'provider' | 'model' | 'replayFile'>;

interface ModelField {
  /** How it is typed: a line, a number, a switch, or one of several lines (`additionForms`). */
  kind: 'text' | 'number' | 'flag' | 'lines';
  /** Its option of commands without `--`, what stands after it, and what help says. */
  option: string;
  value?: string;
  about: string;
  choices?: readonly string[];
  /** Its key in project files, and what their schema says. */
  key: string;
  fileAbout?: string;
  /** The condition that a comparison names where results differ in it; null: it explains nothing. */
  condition: string | null;
  /** It bounds how a model is asked, and comes after what it is asked in the list of conditions. */
  isLimit?: true;
  /** Its field of a row in the form, where that is like those of its kind. */
  form?: { label: string; description: string; placeholder?: string; min?: number };
}

/**
 * Every setting of a model, described once, in the order of options and project files: options,
 * files, forms and conditions are made of this table, and their schemas of
 * `modelConfiguration`.
 */
export const modelFields = {
  baseUrl: {
    kind: 'text',
    option: 'base-url',
    value: '<url>',
    about: 'address of a compatible endpoint (OPENAI_BASE_URL)',
    key: 'base_url',
    fileAbout: 'Address of a compatible endpoint.',
    condition: 'base URL',
  },
  command: {
    kind: 'text',
    option: 'command',
    value: '<line>',
    about: 'program that answers, with --provider command',
    key: 'command',
    fileAbout: 'Program of the provider `command`.',
    condition: 'command',
  },
  agent: {
    kind: 'text',
    option: 'agent',
    value: '<name|file>',
    about: 'a client that plays each run by itself, such as claude; or a file with a template',
    key: 'agent',
    fileAbout: 'Name of an agent of the provider `agent`, or a file with its template.',
    condition: 'agent template',
  },
  api: {
    kind: 'text',
    option: 'api',
    value: '<api>',
    about: 'wire format, if the provider has two',
    choices: ['responses', 'chat'],
    key: 'api',
    fileAbout: 'If the provider has two.',
    condition: 'wire format',
  },
  temperature: {
    kind: 'number',
    option: 'temperature',
    value: '<t>',
    about: 'sent if the model supports it; none: never (TOUCHSTONE_TEMPERATURE, or 0.4)',
    key: 'temperature',
    fileAbout: 'Sent if the model supports it. none or null: never sent.',
    condition: 'temperature',
  },
  timeout: {
    kind: 'number',
    option: 'timeout',
    value: '<seconds>',
    about: 'for one answer (TOUCHSTONE_TIMEOUT, or 30)',
    key: 'timeout',
    fileAbout: 'Seconds for one answer.',
    condition: 'timeout',
    isLimit: true,
  },
  maxRetries: {
    kind: 'number',
    option: 'retries',
    value: '<n>',
    about: 'after provider errors (TOUCHSTONE_RETRIES, or 3)',
    key: 'retries',
    fileAbout: 'After provider errors.',
    condition: 'retries',
    isLimit: true,
  },
  reasoningEffort: {
    kind: 'text',
    option: 'reasoning-effort',
    value: '<effort>',
    about: 'left out: not sent',
    choices: reasoningEfforts,
    key: 'reasoning_effort',
    condition: 'effort',
  },
  strict: {
    kind: 'flag',
    option: 'strict',
    about: 'ask the provider to enforce the schema on arguments',
    key: 'strict',
    fileAbout: 'Ask the provider to enforce the schema on arguments.',
    condition: 'strict mode',
    form: {
      label: 'Strict mode',
      description: 'The provider enforces a simplified schema. Scores use the published one.',
    },
  },
  deferTools: {
    kind: 'flag',
    option: 'defer-tools',
    about: "let the provider's own tool search find the tools",
    key: 'defer_tools',
    fileAbout: "The provider's own tool search finds the tools.",
    condition: 'deferred tools',
    form: {
      label: 'Deferred tools',
      description:
        'The provider’s tool search finds the tools. Add the same model without it to compare both.',
    },
  },
  confidence: {
    kind: 'text',
    option: 'confidence',
    value: '<source>',
    about: 'source of confidence values',
    choices: confidenceSources,
    key: 'confidence',
    fileAbout: 'Source of confidence values.',
    condition: 'confidence by',
  },
  contextTokens: {
    kind: 'number',
    option: 'context-tokens',
    value: '<n>',
    about: 'context window of the model in tokens',
    key: 'context_tokens',
    fileAbout: 'Context window.',
    condition: 'context size',
    isLimit: true,
    form: {
      label: 'Context window',
      description: 'In tokens',
      placeholder: 'Not checked',
      min: 1000,
    },
  },
  requestsPerMinute: {
    kind: 'number',
    option: 'rpm',
    value: '<n>',
    about: 'maximum requests per minute',
    key: 'requests_per_minute',
    condition: null,
    isLimit: true,
    form: {
      label: 'Max requests per minute',
      description: 'Slows down on overload',
      placeholder: 'No limit',
      min: 1,
    },
  },
  maxWait: {
    kind: 'number',
    option: 'max-wait',
    value: '<seconds>',
    about: 'longest wait where an endpoint asks for one (default: timeout + 60)',
    key: 'max_wait',
    fileAbout: 'Seconds that a request may wait where its endpoint asks for it.',
    condition: null,
    isLimit: true,
    form: {
      label: 'Longest wait',
      description: 'In seconds, if the endpoint asks for it',
      placeholder: 'Timeout + 60',
      min: 0,
    },
  },
  headers: {
    kind: 'lines',
    option: 'header',
    value: '<name: value>',
    about: 'one more header of each request; repeatable',
    key: 'headers',
    fileAbout: 'Headers of each request. A credential only as ${env:NAME} or ${secret:NAME}.',
    condition: 'headers',
    form: { label: 'Headers', description: 'One per line.' },
  },
  query: {
    kind: 'lines',
    option: 'query',
    value: '<name=value>',
    about: 'one more query parameter; repeatable',
    key: 'query',
    fileAbout: 'Query parameters of each request, such as api-version.',
    condition: 'query',
    form: {
      label: 'Query parameters',
      description: 'One per line, such as api-version.',
    },
  },
  body: {
    kind: 'lines',
    option: 'body',
    value: '<key=json>',
    about: 'one more field of each request; repeatable',
    key: 'body',
    fileAbout: 'Further fields of each request.',
    condition: 'body fields',
    form: { label: 'Body fields', description: 'One per line, with JSON values.' },
  },
  stream: {
    kind: 'flag',
    option: 'stream',
    about: 'ask for streamed answers, for endpoints that give no others',
    key: 'stream',
    fileAbout: 'Ask for streamed answers, for endpoints that give no others.',
    condition: 'streaming',
    form: {
      label: 'Streamed answers',
      description: 'For endpoints that give no others. They are also recognized by themselves.',
    },
  },
} as const satisfies Record<ModelSetting, ModelField>;

/** As above, with what only some fields have. */
export const modelFieldList = Object.entries(modelFields) as [ModelSetting, ModelField][];

type Fields = typeof modelFields;
type Camel<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Text;
interface TypedValues {
  text: string;
  number: string;
  flag: boolean;
  lines: string[];
}
/** The options of a model as commander names and parses them. */
export type TypedSettings<Name extends ModelSetting = ModelSetting> = {
  [Each in Name as Camel<Fields[Each]['option']>]?: TypedValues[Fields[Each]['kind']];
};

/** What every model that is asked has: it is added to each request. */
export const additionSettings = ['headers', 'query', 'body', 'stream'] as const;
export type AdditionSettings = (typeof additionSettings)[number];

/** Conditions in the order of comparisons: what is asked, then its limits. */
type ModelCondition = Exclude<Fields[ModelSetting]['condition'], null>;
export const modelConditions = [false, true].flatMap((isLimit) =>
  modelFieldList.flatMap(([, field]) =>
    field.condition === null || (field.isLimit === true) !== isLimit ? [] : [field.condition],
  ),
) as [ModelCondition, ...ModelCondition[]];

/** What answers in place of an endpoint, by the kind of the provider. */
export const playedFields = {
  recording: {
    model: { label: 'Recorded model', placeholder: 'Name in the recording' },
    from: { label: 'Recording file', placeholder: '/path/to/recording.jsonl' },
    field: 'replayFile',
  },
  program: {
    model: { label: 'Model', placeholder: 'A name for results' },
    from: { label: 'Command', placeholder: '/path/to/program --option' },
    field: 'command',
  },
  agent: {
    model: { label: 'Agent', placeholder: 'Choose or type a name', data: agentNames },
    from: {
      label: 'Command of your own agent',
      placeholder: 'my-agent {{mcp_config}} {{prompt}}',
    },
    field: 'command',
  },
} as const;
