import type { EndpointPreset } from '../../../src-shared/domain/modelService.ts';

/**
 * Common endpoints; any other URL works as well. They are part of the core because the page must
 * not name hosts itself.
 */
export const endpointPresets: readonly EndpointPreset[] = [
  { id: 'ollama', label: 'Ollama', baseUrl: 'http://localhost:11434/v1', local: true },
  { id: 'lm-studio', label: 'LM Studio', baseUrl: 'http://localhost:1234/v1', local: true },
  { id: 'vllm', label: 'vLLM', baseUrl: 'http://localhost:8000/v1', local: true },
  { id: 'openrouter', label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1', local: false },
  {
    id: 'gemini',
    label: 'Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    local: false,
  },
  { id: 'mistral', label: 'Mistral', baseUrl: 'https://api.mistral.ai/v1', local: false },
];
