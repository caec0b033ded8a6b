import { describe, expect, it } from 'vitest';
import { contentTerms, stem } from './tokenizer.ts';
import { groupsOf } from './relatedWords.ts';

describe('stem', () => {
  it.each([
    [['task', 'tasks'], 'task'],
    [['complete', 'completes', 'completed', 'completing', 'completion'], 'complet'],
    [['add', 'adds', 'added', 'adding'], 'add'],
    [['delete', 'deleted', 'deleting', 'deletion'], 'delet'],
    [['run', 'runs', 'running'], 'run'],
    [['directory', 'directories'], 'directory'],
    [['search', 'searches', 'searching'], 'search'],
    [['status'], 'status'],
    [['string'], 'string'],
    [['sha256'], 'sha256'],
  ])('reduces forms of one word to one stem: %j', (forms, expected) => {
    expect(forms.map(stem)).toEqual(forms.map(() => expected));
  });
});

describe('contentTerms', () => {
  it('leaves out function words', () => {
    expect(
      contentTerms('Could you please show me all of my tasks?').map((term) => term.word),
    ).toEqual(['show', 'tasks']);
  });

  it('keeps function words if nothing else is left', () => {
    expect(contentTerms('what is this').length).toBe(3);
    expect(contentTerms('')).toEqual([]);
  });
});

it('finds related words by their stem', () => {
  expect(groupsOf(stem('removing'))).toEqual(groupsOf(stem('deletes')));
  expect(groupsOf(stem('banana'))).toEqual([]);
});
