import { describe, expect, it } from 'vitest';
import type { CorpusEntry } from '../../../src-shared/domain/security.ts';
import { emptyEntryForm, entryOfForm, formOfEntry } from './entryForm.ts';

const entry: CorpusEntry = {
  id: 'a',
  description: 'Reads.\u200b',
  label: 'benign',
  category: 'hard_negative',
  resembles: 'rug_pull',
  provenance: { source: 's', license: 'MIT' },
  server: 'x',
  tool: { name: 't', annotations: { a: 1 } },
  schema: { type: 'object' },
  peers: [{ server: 'y', name: 'z', description: '' }],
  previous: { description: 'Old.' },
  technique: 'plain',
};

describe('corpus entry form', () => {
  it('keeps every field of an entry', () => {
    expect(entryOfForm(formOfEntry(entry))).toEqual({ entry });
  });

  it.each([
    [{ rest: '{' }, 'rest'],
    [{ rest: '[]' }, 'rest'],
    [{ id: ' ' }, 'id'],
    [{ license: '' }, 'license'],
    [{ source: '' }, 'source'],
    [{ label: 'other' }, 'label'],
    [{ rest: '{"peers":[{}]}' }, 'rest'],
  ])('rejects %j at the field %s', (part, field) => {
    expect(entryOfForm({ ...emptyEntryForm, id: 'a', ...part })).toMatchObject({ field });
  });
});
