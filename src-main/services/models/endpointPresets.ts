import type { EndpointPreset } from '../../../src-shared/domain/modelService.ts';

/**
 * Endpoints that many people run or use; any other address works as well. They stand in the core:
 * the page names no host.
 */
export const endpointPresets: readonly EndpointPreset[] = [
  { id: 'ollama', label: 'Ollama', baseUrl: 'http://localhost:11434/v1', local: true },
  { id: 'lm-studio', label: 'LM Studio', baseUrl: 'http://localhost:1234/v1', local: true },
  { id: 'vllm', label: 'vLLM', baseUrl: 'http://localhost:8000/v1', local: true },
  { id: 'openrouter', label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1', local: false },
];
