import { dirname, resolve } from 'node:path';
import {
  knownTexts,
  nothingNewText,
  suiteSize,
} from '../../../../src-shared/display/suiteTexts.ts';
import {
  lastOutcomesText,
  lastOutcomeText,
} from '../../../../src-shared/display/lastOutcomeTexts.ts';
import type { LastOutcome } from '../../../../src-shared/domain/lastOutcomes.ts';
import { alternatives, type ExpectedCall } from '../../../../src-shared/domain/testCase.ts';
import {
  caseFormats,
  maxSuiteFileBytes,
  type CaseFormat,
  type ExportFormat,
} from '../../../../src-shared/contract/suites.ts';
import { z } from 'zod';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { CarriedTool } from '../../../services/suites/exchange/bfclFiles.ts';
import type { WorkbookTable } from '../../../services/suites/exchange/workbook.ts';
import { guessFormat } from '../../../../src-shared/display/guessFormat.ts';
import { isWorkbook } from '../../../../src-shared/display/fileKinds.ts';
import { escapeControls } from '../../../../src-shared/display/visibleText.ts';
import type { CommandContext } from '../commandContext.ts';
import { validateSuiteText } from '../../../services/suites/suiteFile.ts';
import { suiteSolution } from './suiteSolution.ts';
import { group, inSession, member, type OptionsOf } from '../declare.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { writeAnswer } from '../output/answerText.ts';
import { findSuite } from '../input/evaluationSource.ts';
import { decodeInput, readBytes, readInput, releaseBytes } from '../input/files.ts';
import { withCommand } from '../input/otherFile.ts';
import { table, type Output } from '../output/output.ts';
import { withImportProgress } from '../input/importProgress.ts';
import { importLog, isLog } from '../input/suiteLog.ts';
import { promptfooFiles } from '../input/promptfooFiles.ts';
import { isFolder, joinTaskFiles, joinTaskFolders } from '../input/taskFiles.ts';
import { lossLines, readMap, reportLines } from '../input/suiteExchange.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';

type Problem = { line: number | null; column: number | null; path: string; message: string };
const problemLines = (file: string, text: string, problems: readonly Problem[]): string => {
  const expected = { role: 'suite', kind: 'a suite' } as const;
  return problems
    .map(
      ({ line, column, path, message }) =>
        `${file}:${line ?? 1}:${column ?? 1}: ${path ? `${path}: ` : ''}` +
        withCommand(message, { name: file, text, expected }),
    )
    .join('\n');
};

/** The tools that one expected call accepts, such as `todo:add_task`. */
const accepted = (call: ExpectedCall): string[] =>
  alternatives(call).map(({ server, tool }) => `${server}:${tool}`);

const lastToJson = ({ model, number, outcome, passed, scored, changed }: LastOutcome) => ({
  ...{ model, result: number, outcome, passed, scored, changed },
});

const formatFlag = {
  about: caseFormats.join(', '),
  default: 'touchstone',
  of: z.enum(caseFormats),
} as const;

const importFlags = {
  '--from <format>': {
    about: `${caseFormats.join(', ')}, log (default: recognized from the text)`,
    of: z.enum([...caseFormats, 'log']),
  },
  '--sheet <name>': 'of a workbook (XLSX): the sheet (default: the one that looks most like cases)',
  '--map <roles>':
    'columns of csv and jsonl: query=prompt,tool=expected_tool,…, or a file of them (YAML or JSON)',
  '--server <name>': 'the server of tools without one in the file',
  '--name <name>': 'the name of the suite (default: the one in the file)',
  '--replace': 'replace the suite with the same name',
  '--into <suite>': 'add the cases that this suite doesn’t have yet, under new IDs',
  '--answers <file>':
    'the file with the right answers, or with the results of a batch, by the ID of each request',
  '--tools-out <file>':
    'bfcl: write the functions of the questions as a tools file, for `eval --tools`',
  '--out <file>': 'log: write its proposed cases as a suite to review',
  '--limit <n>': 'log: at most so many cases, of as many different tools as it has (default: 200)',
} as const;

export const suite = group({ example: 'suite list' }, [
  member('list', 'every suite of the workspace', {
    example: 'suite list --json',
    opens: 'read',
    async run({ client, output }) {
      const suites = (await client.suites.list()).map(
        ({ id, name, servers, caseCount: cases, taskCount: tasks }) => ({
          id,
          name,
          servers,
          cases,
          tasks,
        }),
      );
      output.answer({ suites }, () =>
        suites.length === 0
          ? 'No suites yet. `touchstone suite import FILE` imports one.'
          : table([
              ['name', 'cases', 'tasks', 'servers'],
              ...suites.map(({ name, cases, tasks, servers }) => [
                name,
                String(cases),
                String(tasks),
                servers.join(', '),
              ]),
            ]),
      );
    },
  }),
  member('show <name>', 'lists the cases and tasks of a suite, and how they came out last', {
    example: 'suite show todo-sample --json',
    opens: 'read',
    async run({ client, output }, name: string) {
      const { id } = await findSuite(client, name);
      const shown = await client.suites.get({ id });
      const cases = await client.suites.cases({ suiteId: id });
      const tasks = await client.suites.tasks({ suiteId: id });
      const last = await client.results.lastOutcomes({ suiteId: id });
      const lastOf = (entry: string): LastOutcome[] =>
        last.entries.find((each) => each.id === entry)?.last ?? [];
      const lastText = (entry: string): string => lastOf(entry).map(lastOutcomeText).join(', ');
      output.answer(
        {
          id,
          name: shown.name,
          servers: shown.servers,
          cases: cases.map((each) => ({
            id: each.key,
            name: each.name,
            query: each.query,
            tags: each.tags,
            expected_calls: each.expectedCalls.map(accepted),
            last_outcomes: lastOf(each.id).map(lastToJson),
          })),
          tasks: tasks.map(({ id: taskId, key, content }) => ({
            id: key,
            name: content.name,
            last_outcomes: lastOf(taskId).map(lastToJson),
          })),
          last_outcomes: last.models.map(({ results, ...model }) => ({
            ...model,
            results: results.map(({ number }) => number),
          })),
        },
        () =>
          [
            `${shown.name}: ${suiteSize(shown)}`,
            ...last.models.map(lastOutcomesText),
            table([
              ...cases.map(({ id: caseId, key, name: title, expectedCalls }) => [
                key,
                title,
                expectedCalls.map((call) => accepted(call).join(' or ')).join(', ') || 'no tool',
                lastText(caseId),
              ]),
              ...tasks.map(({ id: taskId, key, content }) => [
                key,
                content.name,
                'task',
                lastText(taskId),
              ]),
            ]),
          ].join('\n'),
      );
    },
  }),
  member('rename <name> <new-name>', 'gives a suite another name', {
    example: 'suite rename todo-sample todo',
    opens: 'write',
    async run({ client, output }, name: string, newName: string) {
      const { id } = await findSuite(client, name);
      const { system, messages, servers, argumentsMode } = await client.suites.get({ id });
      const kept = { system, messages, servers, argumentsMode };
      const renamed = await client.suites.update({ id, name: newName, ...kept });
      output.answer({ id, name: renamed.name }, () => `Renamed ${name} to ${renamed.name}.`);
    },
  }),
  suiteSolution,
  member('remove <name>', 'removes a suite with its cases and tasks; its evaluations stay', {
    example: 'suite remove todo-sample',
    opens: 'write',
    async run({ client, output }, name: string) {
      const { id } = await findSuite(client, name);
      const removed = await client.suites.get({ id });
      await client.suites.remove({ id });
      output.answer(
        { removed: removed.name, cases: removed.caseCount, tasks: removed.taskCount },
        () => `Removed ${removed.name}: ${suiteSize(removed)}.`,
      );
    },
  }),
  member(
    'import <file>',
    'imports all cases of a file (or the tasks of a folder of MCPMark) or none, and lists what ' +
      'could not be imported unchanged',
    {
      flags: importFlags,
      example:
        'suite import todo.suite.yaml --replace\n  touchstone suite ' +
        'import cases.csv --from csv --map query=prompt,tool=expected_tool --server todo\n  ' +
        'touchstone suite import BFCL_v4_multiple.json --from bfcl --answers answers.json ' +
        '--tools-out tools.json\n  touchstone suite import agent.jsonl --from log --out agent.suite.yaml',
      async run({ options, ...context }, file: string) {
        const { io, output } = context;
        const { from, server, name, toolsOut, replace = false } = options;
        if (from === 'log' || (await isLog(file, from ?? 'touchstone')))
          return importLog(context, file, options);
        const isMany = await isFolder(file);
        const map = await readMap(options.map, io);
        const source: ImportSource = isMany
          ? { text: await joinTaskFolders(file, context), tools: [] }
          : await readImportSource(file, options, context);
        const { text, tools, format = from ?? guessFormat(file, text) } = source;
        if (options.into !== undefined && (replace || name !== undefined))
          throw new UsageError(
            'suite import: --into adds to a suite as it is. Leave out --replace and --name.',
          );
        await inSession(context, 'write', async ({ client }) => {
          const into =
            options.into === undefined ? undefined : (await findSuite(client, options.into)).id;
          const given = {
            ...{ fileName: file, text, format, server, name },
            ...(format === 'promptfoo' && { files: await promptfooFiles(file, text, context) }),
            ...(map && { map }),
            ...(into !== undefined && { into }),
            // Files and programs of its tasks are found from there.
            ...(file !== '-' && { folder: isMany ? resolve(file) : dirname(resolve(file)) }),
          };
          const preview = await withImportProgress({ client, output }, () =>
            client.suites.previewImport(given),
          );
          for (const line of reportLines(preview.report, preview.columns)) output.note(line);
          const isAlone = format === 'bfcl' && options.answers === undefined;
          if (isAlone && preview.report.skipped.length > 0)
            output.note(
              '--answers FILE joins a file of accepted answers to that of the questions.',
            );
          if (preview.problems.length > 0) {
            output.error(problemLines(file, text, preview.problems));
            io.setExitCode(exitCodes.usage);
            return;
          }
          const isSame = preview.replaces?.isSame === true;
          if (preview.replaces && !replace && !isSame) {
            throw new UsageError(
              `${file}: The workspace has a suite ${preview.replaces.name} already ` +
                `(${suiteSize(preview.replaces)}). Give --replace to replace ` +
                'it, or the file another name inside.',
            );
          }
          for (const known of knownTexts(preview)) output.note(escapeControls(known));
          for (const { name: unknown, suggestion } of preview.unknownServers)
            output.note(
              `warning: server ${unknown} is not registered yet` +
                (suggestion === null ? '' : ` (${suggestion} has all its tools)`),
            );
          const made =
            preview.replaces !== null && isSame
              ? preview.replaces
              : await withImportProgress({ client, output }, () =>
                  client.suites.import({ ...given, replace }),
                );
          const { converter, exact, approximated, skipped, ...report } = preview.report;
          if (toolsOut !== undefined) {
            await writeOutput(toolsOut, `${JSON.stringify({ tools }, null, 2)}\n`);
            output.note(`Wrote ${toolsOut}.`);
          }
          output.answer(
            {
              id: made.id,
              name: made.name,
              cases: made.caseCount,
              tasks: made.taskCount,
              nothing_new: isSame,
              already_known: preview.into?.known ?? 0,
              near_duplicates: preview.into?.similar ?? null,
              unknown_servers: preview.unknownServers.map((unknown) => unknown.name),
              report: {
                converter,
                source_hash: report.sourceHash,
                exact,
                approximated,
                skipped,
                unread_fields: report.unreadFields,
                assumed_server: report.assumedServer,
                columns: preview.columns?.mapped ?? null,
                columns_not_used: preview.columns?.unused ?? [],
                lists_read_as_all: preview.columns?.allOf ?? null,
              },
            },
            () =>
              isSame
                ? nothingNewText(made, preview)
                : into === undefined
                  ? `Imported ${made.name}: ${suiteSize(made)}.`
                  : `Added ${suiteSize({ caseCount: preview.cases, taskCount: preview.tasks })} to ${made.name}. It has ${suiteSize(made)} now.`,
          );
        });
      },
    },
  ),
  member(
    'export <name>',
    'writes a suite to a file; if the format would lose something, lists it and ' +
      'writes only with --yes',
    {
      flags: {
        '--to <format>': formatFlag,
        '--format <format>': {
          about: 'of touchstone: yaml or json',
          default: 'yaml',
          of: z.enum(['yaml', 'json']),
        },
        '--out <file>': 'where to (default: standard output)',
        '--yes': 'write even if something is lost',
      },
      example:
        'suite export todo-sample --out todo.suite.yaml\n  touchstone ' +
        'suite export todo-sample --to promptfoo --yes --out promptfooconfig.yaml',
      async run({ options, ...context }, name: string) {
        const { io, output } = context;
        const { to, yes = false } = options;
        const format: ExportFormat = to === 'touchstone' ? options.format : to;
        const out = options.out === '-' ? undefined : options.out;
        if (out !== undefined) await checkOutput(out);
        await inSession(context, 'read', async ({ client }) => {
          const found = await findSuite(client, name);
          const { text, losses } = await client.suites.export({ id: found.id, format });
          for (const line of lossLines(losses)) output.note(line);
          if (losses.length > 0 && !yes)
            throw new UsageError(
              `${name}: As ${to} it would lose ` +
                `${losses.length === 1 ? 'one thing' : `${losses.length} things`}. Nothing was ` +
                'written. Use --yes to write it anyway.',
            );
          if (out !== undefined) {
            await writeOutput(out, text);
            output.note(`Wrote ${out}.`);
          }
          if (output.json)
            output.answer(
              {
                name: found.name,
                format,
                losses: losses.map(({ case: id, what }) => ({ case: id, what })),
                ...(out === undefined ? { text } : { out }),
              },
              () => '',
            );
          else if (out === undefined) await writeAnswer(text, io);
        });
      },
    },
  ),
  member(
    'validate <file>',
    'lists the problems of a suite file by line and column; exit code 2 if there are any',
    {
      example: 'suite validate todo.suite.yaml',
      async run({ io, output }, file: string) {
        const text = await readInput(file, io);
        const { valid, problems } = validateSuiteText(text);
        output.answer({ valid, problems }, () =>
          valid ? `${file}: no problems.` : problemLines(file, text, problems),
        );
        if (!valid) io.setExitCode(exitCodes.usage);
      },
    },
  ),
]);

interface ImportSource {
  text: string;
  tools: CarriedTool[];
  /** Of two files that were joined. */
  format?: CaseFormat;
}

/**
 * The text to import, and the tools that it brings along. Throws a UsageError for options that don't
 * go together, and for answers that can't be read.
 */
async function readImportSource(
  file: string,
  { from, server, answers, toolsOut, sheet }: OptionsOf<typeof importFlags>,
  context: CommandContext,
): Promise<ImportSource> {
  const { io, output } = context;
  const isJoined = answers !== undefined || toolsOut !== undefined;
  if (toolsOut !== undefined && from !== 'bfcl')
    throw new UsageError('suite import: --tools-out is for --from bfcl.');
  if (toolsOut !== undefined && server !== undefined)
    throw new UsageError(
      'suite import: With --tools-out, each question has a server of its own. Leave out --server.',
    );
  if (toolsOut !== undefined) await checkOutput(toolsOut);
  const bytes = await readBytes(file, io, maxSuiteFileBytes);
  if (isWorkbook(bytes, file)) {
    const table = await tableOf(file, bytes, sheet ?? null);
    if (table.sheets.length > 1)
      output.note(
        `${file}: Reads the sheet ${JSON.stringify(table.sheet)} of ${table.sheets.map((each) => JSON.stringify(each)).join(', ')}. --sheet NAME reads another one.`,
      );
    return { text: table.text, tools: [] };
  }
  if (sheet !== undefined)
    throw new UsageError(`--sheet ${sheet}: ${file} isn’t a workbook (XLSX).`);
  const text = decodeInput(bytes, file, io);
  releaseBytes(bytes);
  if (!isJoined) return { text: await joinTaskFiles(file, text, context), tools: [] };
  const given = answers === undefined ? null : await readInput(answers, io, maxSuiteFileBytes);
  const format = from === undefined || from === 'log' ? guessFormat(file, text) : from;
  if (toolsOut === undefined && answers !== undefined && given !== null) {
    const { joinAnswers, UnreadableRecords } =
      await import('../../../services/suites/exchange/answersFile.ts');
    try {
      const join = { fileName: file, text, format };
      const joined = joinAnswers(join, { fileName: answers, text: given });
      noteUnused(answers, joined.unused, output);
      return { ...joined, tools: [] };
    } catch (error) {
      if (!(error instanceof UnreadableRecords)) throw error;
      throw new UsageError(`--answers: ${error.message}`, { cause: error });
    }
  }
  try {
    const { joinBfclFiles } = await import('../../../services/suites/exchange/bfclFiles.ts');
    const joined = joinBfclFiles(text, given, true);
    noteUnused(answers ?? '', joined.unused, output);
    return joined;
  } catch (error) {
    throw new UsageError(`${answers}: ${errorText(error)}`, { cause: error });
  }
}

function noteUnused(answers: string, unused: readonly string[], output: Output): void {
  if (unused.length > 0)
    output.note(
      `${answers}: ${counted(unused.length, 'answer')} to no question of the file: ` +
        `${unused.slice(0, 5).join(', ')}${unused.length > 5 ? ', …' : ''}.`,
    );
}

async function tableOf(
  file: string,
  bytes: Uint8Array,
  sheet: string | null,
): Promise<WorkbookTable> {
  const { readWorkbook, WorkbookProblem } =
    await import('../../../services/suites/exchange/workbook.ts');
  try {
    return readWorkbook(bytes, sheet);
  } catch (error) {
    if (!(error instanceof WorkbookProblem)) throw error;
    throw new UsageError(`${file}: ${error.message}`, { cause: error });
  }
}
