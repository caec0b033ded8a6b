import { describe, expect, it } from 'vitest';
import type { Candidate } from '../domain/candidate.ts';
import type { TextEdit } from '../domain/textEdit.ts';
import { candidateState } from './candidateState.ts';

const tool = (name: string, description: string, title: string | null = null) => ({
  server: 's',
  name,
  title,
  description,
  inputSchema: { type: 'object', properties: { id: { type: 'string', description: 'An ID.' } } },
});
const edit = (path: string, oldText: string, newText: string, toolId = 's:add'): TextEdit => ({
  toolId,
  path,
  oldText,
  newText,
});
const description = edit('/description', 'Old.', 'New.');
const parameter = edit('/inputSchema/properties/id/description', 'An ID.', '');
const name = edit('/name', 'add', 'add_task');

const stored: Candidate['state'][] = ['draft', 'searched', 'accepted', 'rejected', 'cannot_tell'];

describe('the state of a candidate', () => {
  it.each(stored)('stays %s while the server offers the text that it was made from', (state) => {
    expect(candidateState(state, [description], () => [tool('add', 'Old.')])).toBe(state);
  });

  it.each([
    ['applied', 'the text is the new one', [description], [tool('add', 'New.')]],
    ['applied', 'the tool has its new name', [name, description], [tool('add_task', 'New.')]],
    ['applied', 'other texts of the tool changed too', [description], [tool('add', 'New.', 'T')]],
    ['out_of_date', 'the text is a third one', [description], [tool('add', 'Other.')]],
    ['out_of_date', 'one of two texts is applied', [description, parameter], [tool('add', 'New.')]],
    ['out_of_date', 'the tool is gone', [description], [tool('remove', 'Old.')]],
    [
      'out_of_date',
      'one of two tools is applied',
      [description, edit('/description', 'B.', 'C.', 's:remove')],
      [tool('add', 'New.'), tool('remove', 'B.')],
    ],
    [
      'accepted',
      'a text was removed from a parameter that still has it',
      [parameter],
      [tool('add', 'Old.')],
    ],
  ] as const)('is %s where %s', (state, _why, edits, tools) => {
    expect(candidateState('accepted', edits, () => tools)).toBe(state);
  });

  it.each(['searching', 'proving'] as const)('stays %s until its runs end', (state) => {
    expect(candidateState(state, [description], () => [tool('add', 'New.')])).toBe(state);
  });

  it('stays what it is where nothing is known of the server', () => {
    expect(candidateState('accepted', [description], () => null)).toBe('accepted');
  });
});
