import { describe, expect, it } from 'vitest';
import {
  changesOfEdits,
  editedPart,
  editTool,
  essentialEdits,
  textAt,
  textEdit,
  textsOf,
  type TextEdit,
} from './textEdit.ts';

const tool = {
  server: 's',
  name: 'add',
  title: null,
  description: 'Adds.',
  inputSchema: {
    type: 'object',
    properties: {
      user: { type: 'object', properties: { id: { type: 'string', description: 'Who' } } },
      tags: { type: 'array', items: { type: 'object', properties: { name: {} } } },
    },
  },
};
const edit = (path: string, newText: string, oldText = ''): TextEdit => ({
  toolId: 's:add',
  path,
  oldText,
  newText,
});
const idPath = '/inputSchema/properties/user/properties/id/description';

describe('text edits', () => {
  it('find every text of a tool, nested parameters included', () => {
    expect(textsOf(tool).map(({ path, parameter, text }) => [path, parameter, text])).toEqual([
      ['/name', null, 'add'],
      ['/title', null, ''],
      ['/description', null, 'Adds.'],
      ['/inputSchema/properties/user/description', 'user', ''],
      [idPath, 'user.id', 'Who'],
      ['/inputSchema/properties/tags/description', 'tags', ''],
      ['/inputSchema/properties/tags/items/properties/name/description', 'tags.name', ''],
    ]);
    expect(editedPart(idPath)).toBe('description of user.id');
  });

  it('change the text at their place and nothing else', () => {
    const edited = editTool(tool, [edit(idPath, 'The user', 'Who'), edit('/title', 'Add')]);
    expect(textAt(edited, idPath)).toBe('The user');
    expect(edited).toEqual({
      ...tool,
      title: 'Add',
      inputSchema: {
        ...tool.inputSchema,
        properties: {
          ...tool.inputSchema.properties,
          user: {
            type: 'object',
            properties: { id: { type: 'string', description: 'The user' } },
          },
        },
      },
    });
    expect(textAt(tool, idPath)).toBe('Who');
    expect(editTool(tool, [{ ...edit('/title', 'x'), toolId: 's:other' }])).toBe(tool);
  });

  it('become one override and one new name in a what-if', () => {
    expect(
      changesOfEdits(
        [tool],
        [edit('/name', 'create', 'add'), edit('/description', 'Creates.', 'Adds.')],
      ),
    ).toEqual([
      {
        kind: 'override',
        toolId: 's:add',
        description: 'Creates.',
        inputSchema: tool.inputSchema,
      },
      { kind: 'rename', toolId: 's:add', name: 'create' },
    ]);
    expect(changesOfEdits([tool], [edit('/name', 'create', 'add')])).toHaveLength(1);
  });

  it('are equal in any order, without those that change nothing', () => {
    const some = [edit('/title', 'Add'), edit('/description', 'Adds.', 'Adds.')];
    expect(essentialEdits(some)).toEqual([some[0]]);
    const two = [edit('/title', 'Add'), edit('/description', 'x', 'Adds.')];
    expect(essentialEdits(two)).toEqual(essentialEdits(two.toReversed()));
  });

  it.each(['/inputSchema/type', '/annotations/title', '/__proto__/description', ''])(
    'refuse the place %j, which is no text of a tool',
    (path) => {
      expect(textEdit.safeParse(edit(path, 'x')).success).toBe(false);
    },
  );
});
