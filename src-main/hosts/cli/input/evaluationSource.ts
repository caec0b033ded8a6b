import { counted } from '../../../../src-shared/display/numbers.ts';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { InlineSources } from '../../../../src-shared/domain/evaluation.ts';
import { openProblem } from '../../../services/suites/openCases.ts';
import {
  casesOfFile,
  tasksOfFile,
  type SuiteFile,
} from '../../../../src-shared/domain/suiteFile.ts';
import { readSuiteFile } from '../../../services/suites/suiteFile.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import type { Client } from '../session.ts';
import { readInput } from './files.ts';
import { unreadableFile } from './otherFile.ts';
import { readToolsAt } from './toolsAt.ts';
import { didYouMean } from '../../../../src-shared/display/nearest.ts';
import { asSentence } from '../../../../src-shared/domain/asSentence.ts';

/** Where an evaluation takes its cases and tools from: the workspace, or files. */
export interface EvaluationSource {
  /** The name of a suite, or a file. */
  suite: string;
  /** A file of tools, in place of servers. */
  tools?: string;
  server?: string[];
}

/**
 * A name with a slash is a file if that file exists: `<(command)` works, and a suite may be named
 * a/b.
 */
const looksLikeFile = (text: string) =>
  text === '-' ||
  /\.(ya?ml|json)$/i.test(text) ||
  // What is no suite is read as well, to say what it is.
  ((text.includes('/') || /\.[a-z]\w{0,7}$/i.test(text)) && existsSync(text));

/** Reads suite and tools that are files. `onText` is given the text of the suite. */
export async function readInlineSources(
  options: EvaluationSource,
  io: CommandIo,
  onText?: (text: string) => void,
): Promise<InlineSources> {
  const inline: InlineSources = {};
  if (options.tools !== undefined) {
    if (options.server)
      throw new UsageError("eval: --tools and --server can't be combined. Choose one.");
    const { tools, rejected } = await readToolsAt(options.tools, io);
    if (rejected.length > 0) {
      throw new UsageError(
        `${options.tools}: ${counted(rejected.length, 'tool')} can't be offered, the first ` +
          `is ${rejected[0]?.name ?? ''}: ${asSentence(rejected[0]?.reason ?? '')} Fix the file.`,
      );
    }
    inline.tools = tools;
  }
  if (looksLikeFile(options.suite)) {
    const text = await readInput(options.suite, io);
    const { file, problems } = readSuiteFile(text);
    if (!file)
      throw unreadableFile({
        ...{ name: options.suite, text, problems },
        expected: { role: 'suite', kind: 'a suite' },
        lister: `touchstone suite validate ${options.suite}`,
      });
    refuseOpen(file, options.suite, text);
    onText?.(text);
    inline.suite = file;
  }
  return inline;
}

/** Refuses proposed cases that nobody has written or reviewed yet: they would measure nothing. */
function refuseOpen(file: SuiteFile, name: string, text: string): void {
  const open = openProblem(file, text);
  if (open !== null) throw new UsageError(`${name}:${open.line ?? 1}:1: ${open.message}`);
}

export async function findSuite(
  client: Client,
  name: string,
): Promise<{ id: string; name: string }> {
  const all = await client.suites.list();
  const suite = all.find((each) => each.name === name || each.id === name);
  if (suite) return suite;
  const names = all.map((each) => each.name);
  throw new UsageError(
    `Suite ${name}: It isn't in the workspace.${didYouMean(name, names)} \`touchstone suite ` +
      'list` shows them; a file ends in .yaml or .json.',
  );
}

/** The id of the named suite; null if the suite is a file. */
export const suiteIdOf = async (
  client: Client,
  name: string,
  inline: InlineSources,
): Promise<string | null> => (inline.suite ? null : (await findSuite(client, name)).id);

/** Where the files of a suite that is a file are; null: the workspace knows it, or nobody does. */
export const folderOf = (suite: string, inline: InlineSources): string | null =>
  inline.suite && suite !== '-' ? dirname(resolve(suite)) : null;

/** How many entries of each kind a command runs; 0 for those that it leaves out. */
export async function entriesToRun(
  client: Client,
  { suite, only }: EvaluationSource & { only?: string },
  suiteId: string | null,
  inline: InlineSources,
): Promise<{ cases: boolean; tasks: number }> {
  const size = inline.suite
    ? { cases: casesOfFile(inline.suite).length, tasks: tasksOfFile(inline.suite).length }
    : await client.suites
        .get({ id: suiteId ?? '' })
        .then(({ caseCount, taskCount }) => ({ cases: caseCount, tasks: taskCount }));
  if (only === 'tasks') {
    if (size.tasks === 0)
      throw new UsageError(`--only tasks: The suite ${suite} has no task, only test cases.`);
    return { cases: false, tasks: size.tasks };
  }
  if (only === 'cases') return { cases: true, tasks: 0 };
  return { cases: size.cases > 0 || size.tasks === 0, tasks: size.tasks };
}

/** Plans use the last listings, so servers that were never listed are asked first. */
export async function listNewServers(client: Client, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  for (const { id, name, toolCount } of await client.servers.list())
    if (toolCount === null && names.includes(name)) await client.servers.refreshTools({ id });
}

/** Reports a server that is not registered before all errors that follow from it. */
export async function rejectUnregisteredServer(
  client: Client,
  options: EvaluationSource,
): Promise<void> {
  if (!options.server || options.tools !== undefined) return;
  const names = (await client.servers.list()).map(({ name }) => name);
  const unknown = options.server.find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(
    `--server ${unknown}: No server with this name is registered.${didYouMean(unknown, names)} ` +
      `\`touchstone servers list\` shows them, \`touchstone servers add\` registers one.`,
  );
}
