import { expect, it } from 'vitest';
import { removedCategoryText } from './workshopTexts.ts';

it.each([
  [0, 0, null, ''],
  [0, 0, 'office', ''],
  [1, 0, 'office', ' 1 tool moved to office.'],
  [2, 1, 'office', ' 2 tools and 1 category moved to office.'],
  [0, 2, null, ' 2 categories are at the top level now.'],
  [1, 0, null, ' 1 tool is at the top level now.'],
])(
  'says where %i tools and %i categories are now, below %s',
  (tools, categories, movedTo, moved) => {
    expect(removedCategoryText({ what: 'Category texts', tools, categories, movedTo })).toBe(
      `Category texts was removed.${moved}`,
    );
  },
);
