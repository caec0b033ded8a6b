import type { EndpointPreset } from '../../../src-shared/domain/modelService.ts';

/**
 * Common endpoints; any other URL works as well. They are part of the core because the page must
 * not name hosts itself.
 */
export const endpointPresets: readonly EndpointPreset[] = [
  {
    id: 'ollama',
    label: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    local: true,
    rules: 'https://docs.ollama.com/api/openai-compatibility',
  },
  {
    id: 'lm-studio',
    label: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    local: true,
    rules: 'https://lmstudio.ai/docs/developer/openai-compat',
  },
  {
    id: 'vllm',
    label: 'vLLM',
    baseUrl: 'http://localhost:8000/v1',
    local: true,
    rules: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    local: false,
    rules: 'https://openrouter.ai/docs/features/tool-calling',
  },
  {
    id: 'gemini',
    label: 'Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    local: false,
    rules: 'https://ai.google.dev/gemini-api/docs/openai',
  },
  {
    id: 'mistral',
    label: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    local: false,
    rules: 'https://docs.mistral.ai/capabilities/function_calling',
  },
  {
    id: 'azure',
    label: 'Azure OpenAI',
    baseUrl: 'https://<resource>.openai.azure.com/openai/v1',
    local: false,
    rules: 'https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle',
  },
  {
    id: 'bedrock',
    label: 'Amazon Bedrock',
    baseUrl: 'https://bedrock-runtime.<region>.amazonaws.com/openai/v1',
    local: false,
    rules: 'https://docs.aws.amazon.com/bedrock/latest/userguide/inference-chat-completions.html',
  },
];

/** The part of an address that is the user's own, such as `<region>`; null if it is complete. */
export const ownPartOf = ({ baseUrl }: EndpointPreset): string | null =>
  /<[^>]+>/.exec(baseUrl)?.[0] ?? null;
