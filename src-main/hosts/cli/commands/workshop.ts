import { exactTime } from '../../../../src-shared/display/dates.ts';
import { groupByCategory } from '../../../../src-shared/display/toolGroups.ts';
import { NOT_DEFINED } from '../../../../src-shared/display/numbers.ts';
import type { Command } from 'commander';
import {
  modelForms,
  statusTransitions,
  toolStatuses,
  type ManagedTool,
  type ModelForm,
  type ToolCategory,
  type ToolStatus,
} from '../../../../src-shared/domain/workshop.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { table } from '../output/output.ts';
import type { Client } from '../session.ts';
import { addWorkshopCategories, categoryText, readCategory } from './workshopCategories.ts';
import { addWorkshopFiles } from './workshopFiles.ts';
import { addWorkshopRuns } from './workshopRuns.ts';
import { addWorkshopServe } from './workshopServe.ts';
import { inWorkshop, readNumber } from './workshopSession.ts';

/** The JSON document of a tool, with the field names of its file. */
function toolShape(
  { id, status, categoryId, version, content, updatedAt }: ManagedTool,
  categories: readonly ToolCategory[],
) {
  return {
    id,
    name: content.name,
    display_name: content.displayName,
    description: content.description,
    status,
    version,
    category: categoryText(categories, categoryId),
    tags: content.tags,
    executor_type: content.executorType,
    executor_config: content.executorConfig,
    input_schema: content.inputSchema,
    output_schema: content.outputSchema,
    script_content: content.scriptContent,
    updated_at: updatedAt,
  };
}

function readStatus(value: string): ToolStatus {
  const found = toolStatuses.find((status) => status === value.toUpperCase());
  if (found !== undefined) return found;
  throw new UsageError(`${value}: It isn't a status. Give ${toolStatuses.join(', ')}.`);
}

export function addWorkshop(workshop: Command, io: CommandIo): void {
  workshop.addHelpText('after', '\nExample:\n  touchstone workshop list');
  const example = (command: Command, text: string) =>
    command.addHelpText('after', `\nExample:\n  touchstone workshop ${text}`);

  example(
    workshop.command('list').description('the tools, by category and name'),
    'list --status ACTIVE --json',
  )
    .option('--search <words>', 'words in name, display name or description')
    .option('--status <status>', 'only tools with this status')
    .option('--category <category>', 'only this category and those below it; "": without one')
    .option('--deleted', 'deleted tools instead')
    .option('--form <form>', 'the active tools in the format of openai, anthropic or mcp')
    .action(
      async (
        options: {
          search?: string;
          status?: string;
          category?: string;
          deleted?: boolean;
          form?: string;
        },
        command: Command,
      ) =>
        inWorkshop(contextOf(command, io), 'read', async (client, output) => {
          if (options.form !== undefined) {
            const { tools, omitted } = await client.workshop.models({
              form: readForm(options.form),
            });
            for (const { name, reason } of omitted) output.note(`${name} is left out. ${reason}`);
            const documents = tools.map(({ tool }) => tool);
            output.answer({ tools: documents, omitted }, () => JSON.stringify(documents, null, 2));
            return;
          }
          const rows = await listAllTools(client, {
            search: options.search ?? '',
            deleted: options.deleted ?? false,
            ...(options.status === undefined ? {} : { status: [readStatus(options.status)] }),
            ...(options.category === undefined
              ? {}
              : { categoryId: await readCategory(client, options.category) }),
          });
          const categories = await client.workshop.categories();
          output.answer(
            {
              tools: rows.map((row) => ({
                id: row.id,
                name: row.name,
                display_name: row.displayName,
                status: row.status,
                version: row.version,
                executor_type: row.executorType,
                category: categoryText(categories, row.categoryId),
                tags: row.tags,
              })),
            },
            () =>
              rows.length === 0
                ? 'No tools. `touchstone workshop save FILE` creates one.'
                : table([
                    ['category', 'name', 'status', 'version', 'executor', 'description'],
                    ...groupByCategory(rows, categories).flatMap(({ category, tools }) =>
                      tools.map((row) => [
                        category ?? NOT_DEFINED,
                        row.name,
                        row.status,
                        String(row.version),
                        row.executorType,
                        (row.description.split('\n', 1)[0] ?? '').slice(0, 80),
                      ]),
                    ),
                  ]),
          );
        }),
    );

  example(
    workshop
      .command('show <name>')
      .description("one tool, in Touchstone's format or that of models and clients"),
    'show word_count --form openai',
  )
    .option('--tool-version <n>', 'this version instead of the latest')
    .option('--form <form>', 'openai, anthropic or mcp (active tools)')
    .action(
      async (name: string, options: { toolVersion?: string; form?: string }, command: Command) =>
        inWorkshop(contextOf(command, io), 'read', async (client, output) => {
          if (options.form !== undefined) {
            const document = await client.workshop.model({ form: readForm(options.form), name });
            output.answer(document, () => JSON.stringify(document, null, 2));
            return;
          }
          const tool = await client.workshop.getByName({ name });
          const shown =
            options.toolVersion === undefined
              ? tool
              : {
                  ...tool,
                  ...(await client.workshop.version({
                    id: tool.id,
                    version: readNumber(options.toolVersion, '--tool-version'),
                  })),
                };
          const shape = toolShape(shown, await client.workshop.categories());
          output.answer(shape, () => JSON.stringify(shape, null, 2));
        }),
    );

  example(
    workshop.command('status <name> <status>').description('changes the status of a tool'),
    'status word_count ACTIVE',
  ).action(async (name: string, status: string, _options: object, command: Command) =>
    inWorkshop(contextOf(command, io), 'write', async (client, output) => {
      const { id } = await client.workshop.getByName({ name });
      const tool = await client.workshop.setStatus({ id, status: readStatus(status) });
      output.answer(
        { name, status: tool.status, may_become: statusTransitions[tool.status] },
        () => `${name} is ${tool.status}.`,
      );
    }),
  );

  example(
    workshop.command('remove <name>').description('deletes a tool; --restore restores it'),
    'remove word_count',
  )
    .option('--restore', 'restores a deleted tool')
    .option(
      '--purge',
      'removes a deleted tool permanently, with its versions, executions and secrets',
    )
    .action(
      async (name: string, options: { restore?: boolean; purge?: boolean }, command: Command) =>
        inWorkshop(contextOf(command, io), 'write', async (client, output) => {
          if (options.restore && options.purge)
            throw new UsageError(
              "workshop remove: --restore and --purge can't be combined. Choose one.",
            );
          if (options.restore || options.purge) {
            const found = (await listAllTools(client, { search: '', deleted: true })).findLast(
              (row) => row.name === name,
            );
            if (found === undefined)
              throw new UsageError(
                `${name}: There is no deleted tool with this name. \`touchstone workshop list ` +
                  `--deleted\` shows them.`,
              );
            if (options.purge) {
              await client.workshop.purge({ id: found.id });
              output.answer(
                { removed: name, id: found.id, for_good: true },
                () => `Removed ${name} for good.`,
              );
              return;
            }
            const tool = await client.workshop.undelete({ id: found.id });
            const shape = toolShape(tool, await client.workshop.categories());
            output.answer(shape, () => `Restored ${name}.`);
            return;
          }
          const { id } = await client.workshop.getByName({ name });
          await client.workshop.remove({ id });
          output.answer(
            { removed: name, id },
            () =>
              `Deleted ${name}. \`touchstone workshop remove ${name} --restore\` brings it back.`,
          );
        }),
    );

  example(
    workshop.command('versions <name>').description('all versions, newest first'),
    'versions word_count',
  ).action(async (name: string, _options: object, command: Command) =>
    inWorkshop(contextOf(command, io), 'read', async (client, output) => {
      const { id } = await client.workshop.getByName({ name });
      const versions = await client.workshop.versions({ id });
      output.answer(
        {
          name,
          versions: versions.map(({ version, changelog, isLatest, createdAt }) => ({
            version,
            changelog,
            is_latest: isLatest,
            created_at: createdAt,
          })),
        },
        () =>
          table([
            ['version', 'saved', 'changelog'],
            ...versions.map((row) => [
              String(row.version),
              exactTime(row.createdAt) ?? NOT_DEFINED,
              row.changelog,
            ]),
          ]),
      );
    }),
  );

  example(
    workshop
      .command('restore <name> <version>')
      .description('creates a new version with the content of an old one'),
    'restore word_count 3',
  )
    .option('--changelog <text>', 'changelog of the version')
    .action(
      async (name: string, version: string, options: { changelog?: string }, command: Command) =>
        inWorkshop(contextOf(command, io), 'write', async (client, output) => {
          const { id } = await client.workshop.getByName({ name });
          const tool = await client.workshop.restore({
            id,
            version: readNumber(version, 'version'),
            ...(options.changelog === undefined ? {} : { changelog: options.changelog }),
          });
          output.answer(
            toolShape(tool, await client.workshop.categories()),
            () => `${name} is at version ${tool.version}, with the content of version ${version}.`,
          );
        }),
    );

  addWorkshopCategories(workshop, io);
  addWorkshopFiles(workshop, io);
  addWorkshopRuns(workshop, io);
  addWorkshopServe(workshop, io);
}

function readForm(value: string): ModelForm {
  const found = modelForms.find((form) => form === value);
  if (found !== undefined) return found;
  throw new UsageError(`--form ${value}: Unknown value. Give ${modelForms.join(', ')}.`);
}

async function listAllTools(
  client: Client,
  query: {
    search: string;
    deleted: boolean;
    status?: ToolStatus[];
    categoryId?: string | null;
  },
) {
  const rows = [];
  for (;;) {
    const page = await client.workshop.list({ ...query, offset: rows.length, limit: 500 });
    rows.push(...page.rows);
    if (page.rows.length === 0 || rows.length >= page.total) return rows;
  }
}
