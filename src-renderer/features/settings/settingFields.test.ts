import { describe, expect, it } from 'vitest';
import { appSettings, defaultAppSettings } from '../../../src-shared/domain/settings.ts';
import { evaluationFields, readSetting, thresholdFields } from './settingFields.ts';

describe('settings', () => {
  it('a setting without a field could not be changed', () => {
    const fields = [...evaluationFields, ...thresholdFields].map((field) => field.name);
    // The theme, the weights and the model for texts have fields of their own; retrievers are kept
    // where they are tried.
    expect(
      ['theme', 'overlapWeights', 'textModel', 'externalRetrievers', ...fields].sort(),
    ).toEqual(Object.keys(appSettings.shape).sort());
  });

  it('a default that its own field refuses would block the page', () => {
    for (const field of [...evaluationFields, ...thresholdFields]) {
      expect(readSetting(field.name, defaultAppSettings[field.name])).toEqual({
        ok: true,
        value: defaultAppSettings[field.name],
      });
    }
  });

  it('an empty field taken for 0, or a refusal without the range, would mislead', () => {
    expect(readSetting('maxRetries', '')).toEqual({ ok: false, problem: 'Write a number.' });
    expect(readSetting('repetitions', 0)).toEqual({
      ok: false,
      problem: 'Write a number from 1 to 100.',
    });
    expect(readSetting('repetitions', 1.5)).toEqual({
      ok: false,
      problem: 'Write a whole number from 1 to 100.',
    });
    expect(readSetting('temperature', '0.5')).toEqual({ ok: true, value: 0.5 });
  });
});
