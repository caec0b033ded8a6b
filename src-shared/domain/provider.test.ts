import { describe, expect, it } from 'vitest';
import { isRemote, providers, providerTable, wireApiOf } from './provider.ts';
import { wireFormats } from './wireFormat.ts';

describe('the provider table', () => {
  it.each(providers)('gives %s a wire format exactly where it has an endpoint', (provider) => {
    for (const api of [null, 'responses', 'chat'] as const)
      expect(wireApiOf({ provider, api }) !== null).toBe(isRemote(provider));
  });

  it('gives the chosen wire format where the provider has it, else its first one', () => {
    expect(wireApiOf({ provider: 'openai', api: 'chat' })).toBe('openai-chat');
    expect(wireApiOf({ provider: 'openai', api: null })).toBe('openai-responses');
    expect(wireApiOf({ provider: 'openai-compatible', api: 'responses' })).toBe('openai-responses');
    expect(wireApiOf({ provider: 'openai-compatible', api: null })).toBe('openai-chat');
    expect(wireApiOf({ provider: 'anthropic', api: 'chat' })).toBe('anthropic-messages');
  });

  it('tells the wire formats of a provider with several apart by their API', () => {
    for (const description of Object.values(providerTable)) {
      if (description.kind !== 'endpoint' || description.wireFormats.length === 1) continue;
      const names = description.wireFormats.map((each) => wireFormats[each].api);
      expect(names).not.toContain(null);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
