import type { Tool } from '../../../src-shared/domain/tool.ts';
import type { EncodingName } from '../../../src-shared/domain/tokens.ts';
import { wireApis, type WireApi } from '../../../src-shared/domain/wireFormat.ts';

export interface ProviderFormat {
  wireApi: WireApi;
  format: string;
  encoding: EncodingName;
  note: string;
  describe: (tool: Tool) => unknown;
}

/**
 * The form of the tool list in each provider's requests. No provider documents how its model reads
 * it, so every count here is an estimate.
 */
const formats: Readonly<Record<WireApi, Omit<ProviderFormat, 'wireApi'>>> = {
  'openai-responses': {
    format: 'OpenAI Responses',
    encoding: 'o200k_base',
    note: 'o200k_base over the tools of the request; the model is given another rendering of them',
    describe: ({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
    }),
  },
  'openai-chat': {
    format: 'OpenAI Chat Completions',
    encoding: 'o200k_base',
    note:
      'o200k_base over the tools of the request; compatible endpoints count with their own ' +
      'encodings',
    describe: ({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }),
  },
  'anthropic-messages': {
    format: 'Anthropic Messages',
    encoding: 'cl100k_base',
    note: 'cl100k_base over the tools of the request; the provider’s own encoding is not published',
    describe: ({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema,
    }),
  },
};

/** The formats in the order in which reports show them. */
export const providerFormats: readonly ProviderFormat[] = wireApis.map((wireApi) => ({
  wireApi,
  ...formats[wireApi],
}));
