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

describe('the form of an entry', () => {
  it('loses a field of an entry that is opened and saved', () => {
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
  ])('takes %j, or blames another field than %s', (part, field) => {
    expect(entryOfForm({ ...emptyEntryForm, id: 'a', ...part })).toMatchObject({ field });
  });
});
