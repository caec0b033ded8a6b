import { describe, expect, it } from 'vitest';
import { builtinModelName } from '../../../../src-shared/domain/model.ts';
import { defaultAppSettings } from '../../../../src-shared/domain/settings.ts';
import { emptyForm, parseForm } from './evaluationForm.ts';

const form = emptyForm({ ...defaultAppSettings, repetitions: 3, timeout: 45 }, 's1');

describe('the form of a new evaluation', () => {
  it('the defaults of the workspace must be what is started', () => {
    const { settings } = parseForm(form);
    expect(settings).toMatchObject({
      suiteId: 's1',
      servers: null,
      repetitions: 3,
      concurrency: 8,
      models: [{ provider: 'builtin', model: builtinModelName, timeout: 45, temperature: 0.4, maxRetries: 3, replayFile: null }],
    });
  });

  it('an emptied number must be told, not taken for a default', () => {
    const parsed = parseForm({ ...form, repetitions: '', timeout: '' });
    expect(parsed.settings).toBeNull();
    expect([...(parsed.faults ?? [])]).toEqual([
      ['timeout', 'Give a number.'],
      ['repetitions', 'Give a number.'],
    ]);
  });

  it('a number out of range is told at its field', () => {
    expect([...(parseForm({ ...form, concurrency: 1000, temperature: 3 }).faults ?? new Map<string, string>()).keys()]).toEqual(['temperature', 'concurrency']);
  });

  it('a replay without its file would fail only after the start', () => {
    const parsed = parseForm({ ...form, models: [{ key: 1, provider: 'replay', model: 'gpt', replayFile: ' ' }] });
    expect(parsed.faults?.get('models.0.replayFile')).toBe('Give the path of the recording.');
  });

  it('no suite and no server are told before anything is asked of the core', () => {
    const parsed = parseForm({ ...form, suiteId: null, servers: [] });
    expect(parsed.faults?.has('suiteId')).toBe(true);
    expect(parsed.faults?.has('servers')).toBe(true);
  });
});
