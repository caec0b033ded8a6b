import { z } from 'zod';
import { exactTime } from '../../../../src-shared/display/dates.ts';
import { groupByCategory } from '../../../../src-shared/display/toolGroups.ts';
import { NOT_DEFINED } from '../../../../src-shared/display/numbers.ts';
import {
  modelForms,
  statusTransitions,
  toolStatuses,
  type ManagedTool,
  type ToolCategory,
  type ToolStatus,
} from '../../../../src-shared/domain/workshop.ts';
import { group, member } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { oneOf, wholeNumber } from '../input/optionValues.ts';
import { table, type Output } from '../output/output.ts';
import type { Client } from '../session.ts';
import { categoryText, readCategory, workshopCategories } from './workshopCategories.ts';
import { workshopFileCommands } from './workshopFiles.ts';
import { versionNumber, workshopRunCommands } from './workshopRuns.ts';
import { workshopServe } from './workshopServe.ts';

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

/** `openai`, `ACTIVE` or `active`. */
const statusOf = (value: string, flag: string): ToolStatus =>
  oneOf(value.toUpperCase(), flag, toolStatuses);

const formFlag = (about: string) => ({ about, of: z.enum(modelForms) });

async function answerTool(
  { client, output }: { client: Client; output: Output },
  tool: ManagedTool,
  text?: string,
): Promise<void> {
  const shape = toolShape(tool, await client.workshop.categories());
  output.answer(shape, () => text ?? JSON.stringify(shape, null, 2));
}

export const workshop = group({ example: 'workshop list' }, [
  member('list', 'the tools, by category and name', {
    flags: {
      '--search <words>': 'words in name, display name or description',
      '--status <status>': { about: 'only tools with this status', words: toolStatuses },
      '--category <category>': 'only this category and those below it; "": without one',
      '--deleted': 'deleted tools instead',
      '--form <form>': formFlag('the active tools in the format of openai, anthropic or mcp'),
    },
    example: 'workshop list --status ACTIVE --json',
    opens: 'read',
    async run({ client, output, options }) {
      const { form, search = '', deleted = false, status, category } = options;
      if (form !== undefined) {
        const { tools, omitted } = await client.workshop.models({ form });
        for (const { name, reason } of omitted) output.note(`${name} is left out. ${reason}`);
        const documents = tools.map(({ tool }) => tool);
        output.answer({ tools: documents, omitted }, () => JSON.stringify(documents, null, 2));
        return;
      }
      const rows = await listAllTools(client, {
        search,
        deleted,
        ...(status === undefined ? {} : { status: [statusOf(status, '--status')] }),
        ...(category === undefined ? {} : { categoryId: await readCategory(client, category) }),
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
                ...groupByCategory(rows, categories).flatMap(({ category: name, tools }) =>
                  tools.map((row) => [
                    name ?? NOT_DEFINED,
                    row.name,
                    row.status,
                    String(row.version),
                    row.executorType,
                    (row.description.split('\n', 1)[0] ?? '').slice(0, 80),
                  ]),
                ),
              ]),
      );
    },
  }),
  member('show <name>', "one tool, in Touchstone's format or that of models and clients", {
    flags: {
      '--tool-version <n>': { about: 'this version instead of the latest', of: versionNumber },
      '--form <form>': formFlag('openai, anthropic or mcp (active tools)'),
    },
    example: 'workshop show word_count --form openai',
    opens: 'read',
    async run(run, name: string) {
      const { client, output, options } = run;
      const { form, toolVersion: version } = options;
      if (form !== undefined) {
        const document = await client.workshop.model({ form, name });
        output.answer(document, () => JSON.stringify(document, null, 2));
        return;
      }
      const tool = await client.workshop.getByName({ name });
      const own = version && (await client.workshop.version({ id: tool.id, version }));
      await answerTool(run, { ...tool, ...own });
    },
  }),
  member('status <name> <status>', 'changes the status of a tool', {
    example: 'workshop status word_count ACTIVE',
    opens: 'write',
    async run({ client, output }, name: string, status: string) {
      const { id } = await client.workshop.getByName({ name });
      const tool = await client.workshop.setStatus({ id, status: statusOf(status, 'status') });
      output.answer(
        { name, status: tool.status, may_become: statusTransitions[tool.status] },
        () => `${name} is ${tool.status}.`,
      );
    },
  }),
  member('remove <name>', 'deletes a tool; --restore restores it', {
    flags: {
      '--restore': 'restores a deleted tool',
      '--purge': 'removes a deleted tool permanently, with its versions, executions and secrets',
    },
    example: 'workshop remove word_count',
    opens: 'write',
    async run(run, name: string) {
      const { client, output, options } = run;
      const { restore = false, purge = false } = options;
      if (restore && purge)
        throw new UsageError(
          "workshop remove: --restore and --purge can't be combined. Choose one.",
        );
      if (!restore && !purge) {
        const { id } = await client.workshop.getByName({ name });
        await client.workshop.remove({ id });
        output.answer(
          { removed: name, id },
          () => `Deleted ${name}. \`touchstone workshop remove ${name} --restore\` brings it back.`,
        );
        return;
      }
      const found = (await listAllTools(client, { search: '', deleted: true })).findLast(
        (row) => row.name === name,
      );
      if (found === undefined)
        throw new UsageError(
          `${name}: There is no deleted tool with this name. \`touchstone workshop list ` +
            `--deleted\` shows them.`,
        );
      const { id } = found;
      if (restore) {
        await answerTool(run, await client.workshop.undelete({ id }), `Restored ${name}.`);
        return;
      }
      await client.workshop.purge({ id });
      output.answer({ removed: name, id, for_good: true }, () => `Removed ${name} for good.`);
    },
  }),
  member('versions <name>', 'all versions, newest first', {
    example: 'workshop versions word_count',
    opens: 'read',
    async run({ client, output }, name: string) {
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
    },
  }),
  member('restore <name> <version>', 'creates a new version with the content of an old one', {
    flags: { '--changelog <text>': 'changelog of the version' },
    example: 'workshop restore word_count 3',
    opens: 'write',
    async run(run, name: string, given: string) {
      const { client, options } = run;
      const { id } = await client.workshop.getByName({ name });
      const version = wholeNumber(given, 'version', versionNumber) ?? 1;
      const tool = await client.workshop.restore({ id, version, ...options });
      const text = `${name} is at version ${tool.version}, with the content of version ${given}.`;
      await answerTool(run, tool, text);
    },
  }),
  workshopCategories,
  ...workshopFileCommands,
  ...workshopRunCommands,
  workshopServe,
]);

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
