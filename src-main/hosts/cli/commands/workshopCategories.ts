import type { Command } from 'commander';
import { removedCategoryText } from '../../../../src-shared/display/workshopTexts.ts';
import { categoryPath, type ToolCategory } from '../../../../src-shared/domain/workshop.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { table } from '../output/output.ts';
import type { Client } from '../session.ts';
import { inWorkshop } from './workshopSession.ts';

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

export function addWorkshopCategories(workshop: Command, io: CommandIo): void {
  const category = workshop.command('category').description('categories of tools');
  category.addHelpText('after', '\nExample:\n  touchstone workshop category list');
  const example = (command: Command, text: string) =>
    command.addHelpText('after', `\nExample:\n  touchstone workshop category ${text}`);
  const answer = async (
    client: Client,
    output: { answer: (document: unknown, text: () => string) => void },
    changed: ToolCategory,
    text: string,
  ) => {
    const categories = await client.workshop.categories();
    output.answer(categoryShape(categories, changed), () => text);
  };

  example(category.command('list').description('all categories, by name'), 'list --json').action(
    async (_options: object, command: Command) =>
      inWorkshop(contextOf(command, io), 'read', async (client, output) => {
        const categories = await client.workshop.categories();
        const shapes = categories.map((each) => categoryShape(categories, each));
        output.answer({ categories: shapes }, () =>
          shapes.length === 0
            ? 'No categories. `touchstone workshop category create NAME` creates one.'
            : table([
                ['category', 'description'],
                ...shapes.map(({ path, description }) => [path ?? '', description ?? '']),
              ]),
        );
      }),
  );

  example(
    category.command('create <name>').description('creates a category'),
    "create texts --description 'Tools that change text'",
  )
    .option('--description <text>', 'what belongs in it')
    .option('--parent <category>', 'the category above it')
    .action(
      async (name: string, options: { description?: string; parent?: string }, command: Command) =>
        inWorkshop(contextOf(command, io), 'write', async (client, output) => {
          const created = await client.workshop.createCategory({
            name,
            description: options.description ?? null,
            parentId: await readCategory(client, options.parent ?? ''),
          });
          await answer(client, output, created, `Created the category ${name}.`);
        }),
    );

  example(
    category
      .command('update <category>')
      .description('changes the description of a category, or moves it'),
    'update texts --parent office',
  )
    .option('--description <text>', 'what belongs in it; "" removes the description')
    .option('--parent <category>', 'the category above it; "" moves it to the top level')
    .action(
      async (
        given: string,
        options: { description?: string; parent?: string },
        command: Command,
      ) => {
        if (options.description === undefined && options.parent === undefined)
          throw new UsageError(
            'workshop category update: There is nothing to change. Give --description or --parent.',
          );
        await inWorkshop(contextOf(command, io), 'write', async (client, output) => {
          const old = await existing(client, given);
          const updated = await client.workshop.updateCategory({
            id: old.id,
            name: old.name,
            description:
              options.description === undefined ? old.description : options.description || null,
            parentId:
              options.parent === undefined
                ? old.parentId
                : await readCategory(client, options.parent),
          });
          await answer(client, output, updated, `Changed the category ${updated.name}.`);
        });
      },
    );

  example(
    category.command('rename <category> <name>').description('gives a category another name'),
    'rename texts writing',
  ).action(async (given: string, name: string, _options: object, command: Command) =>
    inWorkshop(contextOf(command, io), 'write', async (client, output) => {
      const { id, description, parentId, name: old } = await existing(client, given);
      const renamed = await client.workshop.updateCategory({ id, name, description, parentId });
      await answer(client, output, renamed, `Renamed the category ${old} to ${name}.`);
    }),
  );

  example(
    category
      .command('remove <category>')
      .description('deletes a category; its tools and categories move up one level'),
    'remove texts',
  ).action(async (given: string, _options: object, command: Command) =>
    inWorkshop(contextOf(command, io), 'write', async (client, output) => {
      const { id, name } = await existing(client, given);
      const removed = await client.workshop.removeCategory({ id });
      const { tools, categories, movedTo } = removed;
      output.answer({ removed: name, id, tools, categories, moved_to: movedTo }, () =>
        removedCategoryText(removed),
      );
    }),
  );
}

async function existing(client: Client, given: string): Promise<ToolCategory> {
  const id = await readCategory(client, given);
  const found = (await client.workshop.categories()).find((each) => each.id === id);
  if (found === undefined) throw new UsageError('A category needs a name.');
  return found;
}
