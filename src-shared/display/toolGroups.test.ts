import { describe, expect, it } from 'vitest';
import { groupByCategory } from './toolGroups.ts';

const category = (id: string, parentId: string | null) => ({
  id,
  name: id,
  description: null,
  parentId,
  createdAt: '',
  updatedAt: '',
});

describe('groupByCategory', () => {
  it('orders groups by path, keeps the order of tools, and puts those without a category last', () => {
    const tools = [
      { name: 'a', categoryId: null },
      { name: 'b', categoryId: 'Texts' },
      { name: 'c', categoryId: 'mail' },
      { name: 'd', categoryId: 'Texts' },
    ];
    const categories = [
      category('Office', null),
      category('Texts', 'Office'),
      category('mail', null),
    ];
    expect(
      groupByCategory(tools, categories).map((group) => [
        group.category,
        group.tools.map(({ name }) => name),
      ]),
    ).toEqual([
      ['mail', ['c']],
      ['Office/Texts', ['b', 'd']],
      [null, ['a']],
    ]);
  });

  it('treats a category that is gone as none', () => {
    expect(groupByCategory([{ categoryId: 'gone' }], [])).toEqual([
      { category: null, tools: [{ categoryId: 'gone' }] },
    ]);
  });
});
