import { describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../../src-shared/domain/model.ts';
import { nameModels } from './modelNames.ts';

const model = (id: string, more: Partial<ModelSettings> = {}): ModelSettings => ({
  id,
  provider: 'builtin',
  model: 'default-v1',
  timeout: 30,
  temperature: 0.4,
  maxRetries: 3,
  baseUrl: null,
  api: null,
  reasoningEffort: null,
  strict: false,
  deferTools: false,
  confidence: 'none',
  contextTokens: null,
  requestsPerMinute: null,
  maxWait: null,
  headers: {},
  query: {},
  body: {},
  stream: false,
  replayFile: null,
  command: null,
  wireApi: 'builtin',
  systemPrompt: null,
  sent: {},
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
});

describe('nameModels', () => {
  it('adds the settings that tell two configurations of a model apart', () => {
    const names = nameModels([
      model('a'),
      model('b', { temperature: 0.9 }),
      model('c', { provider: 'replay', model: 'm', replayFile: '/r' }),
    ]);
    expect([...names.values()]).toEqual([
      'Built-in selector (no model), temperature 0.4',
      'Built-in selector (no model), temperature 0.9',
      'replay · m',
    ]);
  });

  it('leaves out the provider that all models share', () => {
    const names = nameModels([
      model('a', { provider: 'openai', model: 'gpt-5' }),
      model('b', { provider: 'openai', model: 'gpt-5-mini' }),
    ]);
    expect([...names.values()]).toEqual(['gpt-5', 'gpt-5-mini']);
  });

  it('uses the plain name of a single configuration', () => {
    expect(nameModels([model('a')]).get('a')).toBe('Built-in selector (no model)');
  });
});
