import { suiteSize } from '../../../../src-shared/display/suiteTexts.ts';
import type { Command } from 'commander';
import { caseFormats, type ExportFormat } from '../../../../src-shared/contract/suites.ts';
import { validateSuiteText } from '../../../services/suites/suiteFile.ts';
import { contextOf } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { writeAnswer } from '../output/answerText.ts';
import { readInput } from '../input/files.ts';
import { readImportSource, type ImportOptions } from '../input/importSource.ts';
import { table } from '../output/output.ts';
import { openSession } from '../session.ts';
import { lossLines, parseFormat, parseMap, reportLines } from '../input/suiteExchange.ts';
import { addSuiteItems } from './suiteItems.ts';
import { checkOutput, writeOutput } from '../output/writeOutput.ts';

type Problem = { line: number | null; column: number | null; path: string; message: string };
const problemLine = (file: string, { line, column, path, message }: Problem) =>
  `${file}:${line ?? 1}:${column ?? 1}: ${path ? `${path}: ` : ''}${message}`;

export function addSuite(suite: Command, io: CommandIo): void {
  suite.addHelpText('after', '\nExample:\n  touchstone suite list');

  suite
    .command('list')
    .description('every suite of the workspace')
    .addHelpText('after', '\nExample:\n  touchstone suite list --json')
    .action(async (_options: object, command: Command) => {
      const context = contextOf(command, io);
      const session = await openSession(context, 'read');
      try {
        const suites = await session.client.suites.list();
        context.output.answer(
          {
            suites: suites.map(({ id, name, servers, caseCount, taskCount }) => ({
              id,
              name,
              servers,
              cases: caseCount,
              tasks: taskCount,
            })),
          },
          () =>
            suites.length === 0
              ? 'No suites yet. `touchstone suite import FILE` imports one.'
              : table([
                  ['name', 'cases', 'tasks', 'servers'],
                  ...suites.map(({ name, caseCount, taskCount, servers }) => [
                    name,
                    String(caseCount),
                    String(taskCount),
                    servers.join(', '),
                  ]),
                ]),
        );
      } finally {
        await session.close();
      }
    });

  addSuiteItems(suite, io);

  suite
    .command('import <file>')
    .description(
      'imports all cases of a file or none, and lists what could not be ' + 'imported unchanged',
    )
    .option('--from <format>', caseFormats.join(', '), 'touchstone')
    .option('--map <fields>', 'columns of csv and jsonl: query=prompt,tool=expected_tool,…')
    .option('--server <name>', 'the server of tools without one in the file')
    .option('--name <name>', 'the name of the suite (default: the one in the file)')
    .option('--replace', 'replace the suite with the same name')
    .option('--answers <file>', 'bfcl: the file with the accepted answers')
    .option(
      '--tools-out <file>',
      'bfcl: write the functions of the questions as a tools file, for `eval --tools`',
    )
    .addHelpText(
      'after',
      '\nExample:\n  touchstone suite import todo.suite.yaml --replace\n  touchstone suite ' +
        'import cases.csv --from csv --map query=prompt,tool=expected_tool --server todo\n  ' +
        'touchstone suite import BFCL_v4_multiple.json --from bfcl --answers answers.json ' +
        '--tools-out tools.json',
    )
    .action(async (file: string, options: ImportOptions, command: Command) => {
      const format = parseFormat('--from', options.from);
      const context = contextOf(command, io);
      const { output } = context;
      const map = parseMap(options.map);
      const { text, tools } = await readImportSource(file, options, context);
      const given = {
        fileName: file,
        text,
        format,
        map,
        server: options.server,
        name: options.name,
      };
      const session = await openSession(context, 'write');
      try {
        const preview = await session.client.suites.previewImport(given);
        for (const line of reportLines(preview.report, preview.columns)) output.note(line);
        if (preview.problems.length > 0) {
          for (const problem of preview.problems) output.error(problemLine(file, problem));
          io.setExitCode(exitCodes.usage);
          return;
        }
        if (preview.replaces && !options.replace) {
          throw new UsageError(
            `${file}: The workspace has a suite ${preview.replaces.name} already ` +
              `(${suiteSize(preview.replaces)}). Give --replace to replace ` +
              'it, or the file another name inside.',
          );
        }
        for (const { name, suggestion } of preview.unknownServers)
          output.note(
            `warning: server ${name} is not registered yet` +
              (suggestion === null ? '' : ` (${suggestion} has all its tools)`),
          );
        const made = await session.client.suites.import({
          ...given,
          replace: options.replace ?? false,
        });
        const { converter, sourceHash, exact, approximated, skipped, unreadFields, assumedServer } =
          preview.report;
        const report = {
          converter,
          source_hash: sourceHash,
          exact,
          approximated,
          skipped,
          unread_fields: unreadFields,
          assumed_server: assumedServer,
          columns_not_used: preview.columns?.unused ?? [],
        };
        if (options.toolsOut !== undefined) {
          await writeOutput(options.toolsOut, `${JSON.stringify({ tools }, null, 2)}\n`);
          output.note(`Wrote ${options.toolsOut}.`);
        }
        output.answer(
          {
            id: made.id,
            name: made.name,
            cases: made.caseCount,
            tasks: made.taskCount,
            unknown_servers: preview.unknownServers.map(({ name }) => name),
            report,
          },
          () => `Imported ${made.name}: ${suiteSize(made)}.`,
        );
      } finally {
        await session.close();
      }
    });

  suite
    .command('export <name>')
    .description(
      'writes a suite to a file; if the format would lose something, lists it and ' +
        'writes only with --yes',
    )
    .option('--to <format>', caseFormats.join(', '), 'touchstone')
    .option('--format <format>', 'of touchstone: yaml or json', 'yaml')
    .option('--out <file>', 'where to (default: standard output)')
    .option('--yes', 'write even if something is lost')
    .addHelpText(
      'after',
      '\nExample:\n  touchstone suite export todo-sample --out todo.suite.yaml\n  touchstone ' +
        'suite export todo-sample --to promptfoo --yes --out promptfooconfig.yaml',
    )
    .action(
      async (
        name: string,
        options: { to: string; format: string; out?: string; yes?: boolean },
        command: Command,
      ) => {
        const to = parseFormat('--to', options.to);
        if (options.format !== 'yaml' && options.format !== 'json')
          throw new UsageError(`--format ${options.format}: Unknown value. Give yaml or json.`);
        const format: ExportFormat = to === 'touchstone' ? options.format : to;
        const context = contextOf(command, io);
        const { output } = context;
        const out = options.out === '-' ? undefined : options.out;
        if (out !== undefined) await checkOutput(out);
        const session = await openSession(context, 'read');
        try {
          const found = (await session.client.suites.list()).find(
            (each) => each.name === name || each.id === name,
          );
          if (!found)
            throw new UsageError(
              `Suite ${name}: It isn't in the workspace. \`touchstone suite list\` ` +
                'shows them.',
            );
          const { text, losses } = await session.client.suites.export({ id: found.id, format });
          for (const line of lossLines(losses)) output.note(line);
          if (losses.length > 0 && options.yes !== true)
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
        } finally {
          await session.close();
        }
      },
    );

  suite
    .command('validate <file>')
    .description(
      'lists the problems of a suite file by line and column; exit code 2 if there are any',
    )
    .addHelpText('after', '\nExample:\n  touchstone suite validate todo.suite.yaml')
    .action(async (file: string, _options: object, command: Command) => {
      const { output } = contextOf(command, io);
      const { valid, problems } = validateSuiteText(await readInput(file, io));
      output.answer({ valid, problems }, () =>
        valid
          ? `${file}: no problems.`
          : problems.map((problem) => problemLine(file, problem)).join('\n'),
      );
      if (!valid) io.setExitCode(exitCodes.usage);
    });
}
