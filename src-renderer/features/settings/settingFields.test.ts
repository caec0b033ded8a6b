import { describe, expect, it } from 'vitest';
import { appSettings, defaultAppSettings } from '../../../src-shared/domain/settings.ts';
import { evaluationFields, originOf, readSetting, thresholdFields } from './settingFields.ts';

describe('setting fields', () => {
  it('exist for every setting', () => {
    const fields = [...evaluationFields, ...thresholdFields].map((field) => field.name);
    // The theme, the measure, the weights, the hosts and the model for texts have fields of their
    // own; retrievers, the sample and rules of quality are set where they are shown.
    expect(
      [
        'theme',
        'similarityMeasure',
        'overlapWeights',
        'textModel',
        'externalRetrievers',
        'showSample',
        'qualityRulesOff',
        'allowedHosts',
        ...fields,
      ].sort(),
    ).toEqual(Object.keys(appSettings.shape).sort());
  });

  it('accept their own defaults', () => {
    for (const field of [...evaluationFields, ...thresholdFields]) {
      expect(readSetting(field.name, defaultAppSettings[field.name])).toEqual({
        ok: true,
        value: defaultAppSettings[field.name],
      });
    }
  });

  it('say whether a number is built in, set here, or set by the environment', () => {
    const field = evaluationFields.find(({ name }) => name === 'timeout')!;
    expect(originOf(field, 30)).toBe('Built-in default.');
    expect(originOf(field, 45)).toBe('Built-in default: 30 s.');
    expect(originOf(field, 45, { timeout: 60 })).toBe('TOUCHSTONE_TIMEOUT sets 60 s instead.');
  });

  it('reject empty and out-of-range numbers with the range', () => {
    expect(readSetting('maxRetries', '')).toEqual({ ok: false, problem: 'Enter a number.' });
    expect(readSetting('repetitions', 0)).toEqual({
      ok: false,
      problem: 'Enter a number from 1 to 100.',
    });
    expect(readSetting('repetitions', 1.5)).toEqual({
      ok: false,
      problem: 'Enter a whole number from 1 to 100.',
    });
    expect(readSetting('temperature', 2.5)).toEqual({
      ok: false,
      problem: 'Enter a number from 0 to 2.',
    });
    expect(readSetting('temperature', '0.5')).toEqual({ ok: true, value: 0.5 });
  });
});
