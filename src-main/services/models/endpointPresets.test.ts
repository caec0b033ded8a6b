import { describe, expect, it } from 'vitest';
import { readBaseUrl } from '../../adapters/llm/request/baseUrl.ts';
import { endpointPresets } from './endpointPresets.ts';

describe('the presets of compatible endpoints', () => {
  it.each(endpointPresets)('$label has an address that a key may be sent to', (preset) => {
    const warnings: string[] = [];
    const url = readBaseUrl(preset.baseUrl, {
      withKey: true,
      warn: (message) => void warnings.push(message),
    });
    expect([url.href, warnings]).toEqual([preset.baseUrl, []]);
    expect(url.hostname === 'localhost').toBe(preset.local);
  });

  it('have different ids and labels', () => {
    for (const field of ['id', 'label', 'baseUrl'] as const)
      expect(new Set(endpointPresets.map((preset) => preset[field])).size).toBe(
        endpointPresets.length,
      );
  });
});
