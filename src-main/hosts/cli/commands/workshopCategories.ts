import { removedCategoryText } from '../../../../src-shared/display/workshopTexts.ts';
import { categoryPath, type ToolCategory } from '../../../../src-shared/domain/workshop.ts';
import { group, inSession, member } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { table, type Output } from '../output/output.ts';
import type { Client } from '../session.ts';

/** Names from the top level down, as in the file of a tool; null without a category. */
export function categoryText(categories: readonly ToolCategory[], id: string | null) {
  const names = categoryPath(categories, id);
  return names.length === 0 ? null : names.join('/');
}

/**
 * The ID of a category named by `texts` or by its path, `work/texts`. Names are unique, so the path
 * is only checked. "" means no category.
 */
export async function readCategory(client: Client, given: string): Promise<string | null> {
  const name = given.split('/').at(-1)?.trim() ?? '';
  if (given.trim() === '') return null;
  const categories = await client.workshop.categories();
  const found = categories.find((category) => category.name === name);
  if (found !== undefined && `/${categoryText(categories, found.id)}`.endsWith(`/${given.trim()}`))
    return found.id;
  throw new UsageError(
    `${given}: There is no category with this name. \`touchstone workshop category list\` shows ` +
      'them.',
  );
}

const categoryShape = (categories: readonly ToolCategory[], category: ToolCategory) => ({
  id: category.id,
  name: category.name,
  description: category.description,
  parent: categories.find(({ id }) => id === category.parentId)?.name ?? null,
  path: categoryText(categories, category.id),
});

async function answer(
  { client, output }: { client: Client; output: Output },
  changed: ToolCategory,
  text: string,
): Promise<void> {
  output.answer(categoryShape(await client.workshop.categories(), changed), () => text);
}

const members = [
  member('list', 'all categories, by name', {
    example: 'workshop category list --json',
    opens: 'read',
    async run({ client, output }) {
      const all = await client.workshop.categories();
      const categories = all.map((each) => categoryShape(all, each));
      output.answer({ categories }, () =>
        categories.length === 0
          ? 'No categories. `touchstone workshop category create NAME` creates one.'
          : table([
              ['category', 'description'],
              ...categories.map(({ path, description }) => [path ?? '', description ?? '']),
            ]),
      );
    },
  }),
  member('create <name>', 'creates a category', {
    flags: {
      '--description <text>': 'what belongs in it',
      '--parent <category>': 'the category above it',
    },
    example: "workshop category create texts --description 'Tools that change text'",
    opens: 'write',
    async run(run, name: string) {
      const { client } = run;
      const { description = null, parent = '' } = run.options;
      const parentId = await readCategory(client, parent);
      const created = await client.workshop.createCategory({ name, description, parentId });
      await answer(run, created, `Created the category ${name}.`);
    },
  }),
  member('update <category>', 'changes the description of a category, or moves it', {
    flags: {
      '--description <text>': 'what belongs in it; "" removes the description',
      '--parent <category>': 'the category above it; "" moves it to the top level',
    },
    example: 'workshop category update texts --parent office',
    async run({ options: { description, parent }, ...context }, given: string) {
      if (description === undefined && parent === undefined)
        throw new UsageError(
          'workshop category update: There is nothing to change. Give --description or --parent.',
        );
      await inSession(context, 'write', async ({ client }) => {
        const old = await existing(client, given);
        const updated = await client.workshop.updateCategory({
          id: old.id,
          name: old.name,
          description: description === undefined ? old.description : description || null,
          parentId: parent === undefined ? old.parentId : await readCategory(client, parent),
        });
        const text = `Changed the category ${updated.name}.`;
        await answer({ ...context, client }, updated, text);
      });
    },
  }),
  member('rename <category> <name>', 'gives a category another name', {
    example: 'workshop category rename texts writing',
    opens: 'write',
    async run(run, given: string, name: string) {
      const { id, description, parentId, name: old } = await existing(run.client, given);
      const changed = { id, name, description, parentId };
      const renamed = await run.client.workshop.updateCategory(changed);
      await answer(run, renamed, `Renamed the category ${old} to ${name}.`);
    },
  }),
  member('remove <category>', 'deletes a category; its tools and categories move up one level', {
    example: 'workshop category remove texts',
    opens: 'write',
    async run({ client, output }, given: string) {
      const { id, name } = await existing(client, given);
      const removed = await client.workshop.removeCategory({ id });
      const { tools, categories, movedTo } = removed;
      output.answer({ removed: name, id, tools, categories, moved_to: movedTo }, () =>
        removedCategoryText(removed),
      );
    },
  }),
];

export const workshopCategories = {
  usage: 'category',
  about: 'categories of tools',
  define: group({ example: 'workshop category list' }, members),
};

async function existing(client: Client, given: string): Promise<ToolCategory> {
  const id = await readCategory(client, given);
  const found = (await client.workshop.categories()).find((each) => each.id === id);
  if (found === undefined) throw new UsageError('A category needs a name.');
  return found;
}
