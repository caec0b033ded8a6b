import type { Command } from 'commander';
import { z } from 'zod';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { jsonObject } from '../../../../src-shared/domain/json.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ToolSnapshot } from '../../../../src-shared/domain/tool.ts';
import {
  describeAnswer,
  tooFewToCompare,
} from '../../../../src-shared/display/comparisonAnswer.ts';
import { describeChange } from '../../../../src-shared/display/whatIfTexts.ts';
import type { WhatIfChange } from '../../../../src-shared/domain/whatIf.ts';
import { readToolsFile } from '../../../services/servers/toolsFile.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { readInput } from '../input/files.ts';
import { findEvaluation } from '../input/findEvaluation.ts';
import { table } from '../output/output.ts';
import { flipsOf } from '../output/resultShapes.ts';
import { openSession } from '../session.ts';
import { watchUntilEnded } from '../watch.ts';
import { whatIfTasks, type WhatIfTasksOptions } from '../whatIfTasks.ts';
import { splitPlace } from '../input/reportInput.ts';
import { readSide } from './compare.ts';

interface WhatIfOptions extends WhatIfTasksOptions {
  without?: string[];
  with?: string;
  withServer?: string[];
  override?: string;
  rename?: string[];
}

export function addWhatIf(declared: Command, io: CommandIo): void {
  declared
    .option('--without <tool...>', 'leave out these tools (server:tool), or whole servers by name')
    .option('--with <file>', 'also offer the tools of this file')
    .option('--with-server <name...>', 'also offer the tools of these servers, as last listed')
    .option(
      '--override <file>',
      'other descriptions: {"server:tool": {"description", "title", "input_schema", "name"}}',
    )
    .option(
      '--rename <tool=name...>',
      'offer a tool under another name; expectations are renamed too',
    )
    .option(
      '--execute <mode>',
      'execution mode of tasks: stub (default; recorded results answer calls), read-only, or full',
    )
    .option('--yes', 'agree to --execute full')
    .addHelpText(
      'after',
      '\nName an evaluation by its number or ID.\n\nExample:\n  touchstone what-if 14 --without todo:update_task --json',
    )
    .action(async (text: string, options: WhatIfOptions, command: Command) => {
      const context = contextOf(command, io);
      const { output } = context;
      const files = {
        added: options.with === undefined ? [] : await readAdded(options.with, io),
        overrides: options.override === undefined ? [] : await readOverrides(options.override, io),
      };
      const session = await openSession(context, 'write');
      try {
        const { client } = session;
        const changesOf = (snapshot: ToolSnapshot | null): WhatIfChange[] => {
          const changes = [
            ...removals(options.without ?? [], snapshot),
            ...additions(options, files.added),
            ...files.overrides,
            ...(options.rename ?? []).map(readRename),
          ];
          if (changes.length > 0) return changes;
          throw new UsageError(
            'what-if: There is no change. Give --without, --with, --with-server, --override ' +
              'or --rename.',
          );
        };
        const { name } = splitPlace(text);
        const { unit, id } = await findEvaluation(client, name, context);
        if (unit === 'task') {
          const snapshot = await client.evaluations.snapshot({ unit, id });
          await whatIfTasks(client, text, changesOf(snapshot), options, context);
          return;
        }
        if (options.execute !== undefined || options.yes === true)
          throw new UsageError(`--execute and --yes apply to tasks, and ${name} is of cases.`);
        const side = await readSide(client, text, context);
        const changes = changesOf(await client.evaluations.snapshot({ id: side.id }));
        const { cases } = await client.evaluations.summary({ id: side.id });
        const tooFew = tooFewToCompare('case', cases);
        if (tooFew !== null) output.note(`warning: ${tooFew}`);
        const started = await client.evaluations.whatIf({ ...side, changes });
        await watchUntilEnded(client, started.id, started.counts.total, output, false);
        const ended = await client.evaluations.get({ id: started.id });
        const [model] = ended.models;
        const baseline = {
          id: side.id,
          modelSettingsId:
            side.modelSettingsId ?? (ended.models.length === 1 ? (model?.id ?? null) : null),
        };
        const comparison = await client.results.compare({
          baseline,
          candidates: [{ id: ended.id, modelSettingsId: null }],
        });
        const [found] = comparison.candidates;
        if (!found) throw new Error('A comparison without a candidate.');
        const flipped = flipsOf(found);
        const applied = (ended.settings.whatIf?.changes ?? []).map(describeChange);
        output.answer(
          {
            evaluation_id: ended.id,
            number: ended.number,
            base_id: comparison.baseline.evaluationId,
            status: ended.state,
            changes: ended.settings.whatIf?.changes ?? [],
            flipped,
            shared_cases: found.sharedCases,
            difference: found.difference,
            p_value: found.pValue,
            answer: found.answer,
            ...(found.needed ? { needed_cases: found.needed.cases } : {}),
          },
          () =>
            [
              `#${ended.number}: #${comparison.baseline.number} ${applied.join(', ')}`,
              describeAnswer(found),
              flipped.length === 0
                ? 'No case flips.'
                : `\n${table([['case', 'before', 'after', 'selected before', 'selected after'], ...flipped.map((one) => [one.case_id, one.before, one.after, one.selected_before.join(', '), one.selected_after.join(', ')])])}`,
            ].join('\n'),
        );
        if (ended.outcomes.not_scored + ended.outcomes.not_run > 0)
          io.setExitCode(exitCodes.incomplete);
      } finally {
        await session.close();
      }
    });
}

/** A name that is a server and not a tool removes the whole server. */
function removals(names: readonly string[], snapshot: ToolSnapshot | null): WhatIfChange[] {
  const tools = new Set(snapshot?.tools.map(({ server, name }) => toolId(server, name)));
  const servers = new Set(snapshot?.servers.map(({ server }) => server));
  return names.map((name): WhatIfChange =>
    !tools.has(name) && servers.has(name)
      ? { kind: 'remove_server', server: name }
      : { kind: 'remove_tool', toolId: name },
  );
}

function additions({ withServer }: WhatIfOptions, added: WhatIfChange[]): WhatIfChange[] {
  return [
    ...added,
    ...(withServer ?? []).map((server): WhatIfChange => ({ kind: 'add_server', server })),
  ];
}

async function readAdded(file: string, io: CommandIo): Promise<WhatIfChange[]> {
  const { tools, rejected } = readToolsFile(await readInput(file, io), file);
  const [bad] = rejected;
  if (bad) throw new UsageError(`${file}: ${bad.name}: ${bad.reason} Fix the file.`);
  return [{ kind: 'add_tools', tools }];
}

const override = z.strictObject({
  description: z.string().optional(),
  title: z.string().optional(),
  input_schema: jsonObject.optional(),
  inputSchema: jsonObject.optional(),
  name: z.string().min(1).optional(),
});

async function readOverrides(file: string, io: CommandIo): Promise<WhatIfChange[]> {
  const text = await readInput(file, io);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file}: It isn't valid JSON (${errorText(error)}).`);
  }
  const read = z.record(z.string(), override).safeParse(parsed);
  if (!read.success)
    throw new UsageError(
      `${file}: ${read.error.issues[0]?.path.join('.') ?? ''}: ` +
        `${read.error.issues[0]?.message ?? 'It does not fit.'} It needs {"server:tool": ` +
        '{"description": "…"}}.',
    );
  return Object.entries(read.data).flatMap(
    ([id, { name, description, title, input_schema, inputSchema }]): WhatIfChange[] => {
      const schema = input_schema ?? inputSchema;
      const parts = {
        ...(description === undefined ? {} : { description }),
        ...(title === undefined ? {} : { title }),
        ...(schema === undefined ? {} : { inputSchema: schema }),
      };
      return [
        ...(Object.keys(parts).length > 0
          ? [{ kind: 'override' as const, toolId: id, ...parts }]
          : []),
        ...(name === undefined ? [] : [{ kind: 'rename' as const, toolId: id, name }]),
      ];
    },
  );
}

function readRename(text: string): WhatIfChange {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new UsageError(`--rename ${text}: It needs the form SERVER:TOOL=NAME.`);
  return { kind: 'rename', toolId: text.slice(0, at), name: text.slice(at + 1) };
}
