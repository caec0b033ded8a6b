import type { Command } from 'commander';
import { validateSuiteText } from '../../../services/suites/suiteFile.ts';
import { exitCodes, UsageError, type SetExit } from '../exitCodes.ts';
import { readInput, writeOutput } from '../files.ts';
import type { GlobalOptions } from '../output.ts';
import { createOutput, table } from '../output.ts';
import { openSession } from '../session.ts';

type Problem = { line: number | null; column: number | null; path: string; message: string };
const problemLine = (file: string, { line, column, path, message }: Problem) => `${file}:${line ?? 1}:${column ?? 1}: ${path ? `${path}: ` : ''}${message}`;

export function addSuite(program: Command, exit: SetExit): void {
  const suite = program.command('suite').description('suites of test cases');

  suite
    .command('list')
    .description('every suite of the workspace')
    .addHelpText('after', '\nExample:\n  touchstone suite list --json')
    .action(async (_options: object, command: Command) => {
      const globals = command.optsWithGlobals<GlobalOptions>();
      const session = await openSession(globals, 'read');
      try {
        const suites = await session.client.suites.list();
        createOutput(globals).answer(
          { suites: suites.map(({ id, name, servers, caseCount }) => ({ id, name, servers, cases: caseCount })) },
          () => (suites.length === 0 ? 'No suites yet. `touchstone suite import FILE` brings one in.' : table([['name', 'cases', 'servers'], ...suites.map(({ name, caseCount, servers }) => [name, String(caseCount), servers.join(', ')])])),
        );
      } finally {
        await session.close();
      }
    });

  suite
    .command('import <file>')
    .description('brings a suite file into the workspace, all of it or nothing')
    .option('--from <format>', 'touchstone (YAML or JSON)', 'touchstone')
    .option('--replace', 'replace the suite of the same name')
    .addHelpText('after', '\nExample:\n  touchstone suite import todo.suite.yaml --replace')
    .action(async (file: string, options: { from: string; replace?: boolean }, command: Command) => {
      if (options.from !== 'touchstone') throw new UsageError(`--from ${options.from}: It is not known. Give touchstone.`);
      const globals = command.optsWithGlobals<GlobalOptions>();
      const output = createOutput(globals);
      const text = await readInput(file);
      const session = await openSession(globals, 'write');
      try {
        const preview = await session.client.suites.previewImport({ fileName: file, text });
        if (preview.problems.length > 0) {
          for (const problem of preview.problems) output.error(problemLine(file, problem));
          exit(exitCodes.usage);
          return;
        }
        for (const server of preview.unknownServers) output.note(`warning: server ${server} is not registered yet`);
        const made = await session.client.suites.import({ fileName: file, text, replace: options.replace ?? false });
        output.answer({ id: made.id, name: made.name, cases: made.caseCount, unknown_servers: preview.unknownServers }, () => `Imported ${made.name}: ${made.caseCount} cases.`);
      } finally {
        await session.close();
      }
    });

  suite
    .command('export <name>')
    .description('writes a suite as a file that reads back without loss')
    .option('--to <format>', 'touchstone, as yaml or json', 'touchstone')
    .option('--format <format>', 'yaml or json', 'yaml')
    .option('--out <file>', 'where to (default: standard output)')
    .addHelpText('after', '\nExample:\n  touchstone suite export todo-sample --out todo.suite.yaml')
    .action(async (name: string, options: { to: string; format: string; out?: string }, command: Command) => {
      if (options.to !== 'touchstone') throw new UsageError(`--to ${options.to}: It is not known. Give touchstone.`);
      if (options.format !== 'yaml' && options.format !== 'json') throw new UsageError(`--format ${options.format}: It is not known. Give yaml or json.`);
      const globals = command.optsWithGlobals<GlobalOptions>();
      const output = createOutput(globals);
      const session = await openSession(globals, 'read');
      try {
        const found = (await session.client.suites.list()).find((each) => each.name === name || each.id === name);
        if (!found) throw new UsageError(`Suite ${name}: The workspace has none of this name. \`touchstone suite list\` shows them.`);
        const { text } = await session.client.suites.export({ id: found.id, format: options.format });
        if (options.out === undefined) process.stdout.write(text);
        else {
          await writeOutput(options.out, text);
          output.note(`Wrote ${options.out}.`);
        }
      } finally {
        await session.close();
      }
    });

  suite
    .command('validate <file>')
    .description('says what is wrong with a suite file, by line and column; 2 where something is')
    .addHelpText('after', '\nExample:\n  touchstone suite validate todo.suite.yaml')
    .action(async (file: string, _options: object, command: Command) => {
      const output = createOutput(command.optsWithGlobals<GlobalOptions>());
      const { valid, problems } = validateSuiteText(await readInput(file));
      output.answer({ valid, problems }, () => (valid ? `${file}: no problems.` : problems.map((problem) => problemLine(file, problem)).join('\n')));
      if (!valid) exit(exitCodes.usage);
    });
}
