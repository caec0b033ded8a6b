import { lstat, open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { namedValues } from '../../../../src-shared/domain/server.ts';
import { maxServerFileLength } from '../../../../src-shared/contract/servers.ts';
import {
  serverExportFormat,
  type ServerImportEntry,
} from '../../../../src-shared/domain/serverImport.ts';
import { counted } from '../../../../src-shared/display/numbers.ts';
import { notCarriedText, startTimeoutText } from '../../../../src-shared/display/serverTexts.ts';
import { readNamedFiles } from '../../../services/servers/import/namedFiles.ts';
import { skillsNextTo } from '../../../services/servers/skillsFolder.ts';
import type { CommandIo } from '../commandIo.ts';
import { inSession, member } from '../declare.ts';
import { recognizeFile } from '../../../../src-shared/display/knownFiles.ts';
import { findServer } from '../input/listTools.ts';
import { exitCodes, UsageError } from '../exitCodes.ts';
import { writeAnswer } from '../output/answerText.ts';
import { asFileError } from '../output/fileErrors.ts';
import { decodeInput, readBytes } from '../input/files.ts';
import { didYouMean } from '../../../../src-shared/display/nearest.ts';
import type { Client } from '../session.ts';
import { checkOutput } from '../output/writeOutput.ts';

const isLink = (file: string): boolean =>
  /^(?:cursor|lmstudio|vscode|vscode-insiders|https):\S/i.test(file);

interface ImportSource {
  fileName: string;
  text: string;
  files?: Record<string, string>;
}

/** Reads a file, a bundle, standard input or an install link. */
async function readSource(file: string, io: CommandIo): Promise<ImportSource> {
  if (isLink(file)) return { fileName: 'link', text: file };
  const bytes = await readBytes(file, io, (maxServerFileLength / 4) * 3);
  const isZip = bytes.length > 4 && bytes.readUInt32LE(0) === 0x04034b50;
  return { fileName: file, text: isZip ? bytes.toString('base64') : decodeInput(bytes, file, io) };
}

async function previewWithFiles(client: Client, file: string, read: ImportSource) {
  let source = read;
  let preview = await client.servers.previewImport(source);
  // A file that is named may name others: a plugin names its servers, and those their variables.
  for (let depth = 0; depth < 2 && preview.named.length > 0 && file !== '-'; depth += 1) {
    const files = await readNamedFiles(file, preview.named);
    if (Object.keys(files).length === 0) break;
    source = { ...source, files: { ...source.files, ...files } };
    preview = await client.servers.previewImport(source);
  }
  return { source, preview };
}

const shape = (entry: ServerImportEntry) => ({
  name: entry.name,
  state: entry.state,
  ...(entry.reason === null ? {} : { reason: entry.reason }),
  ...(entry.registersAs === null ? {} : { registers_as: entry.registersAs }),
  ...(entry.replaces === null ? {} : { replaces: entry.replaces }),
  command: entry.command,
  config: entry.config,
  marks: entry.marks,
  warnings: entry.warnings,
  not_carried: entry.notCarried,
  variables: entry.variables,
  secrets: entry.secrets,
  line: entry.line,
  column: entry.column,
});

/**
 * Warns about secrets that will be lost: without a keychain they live only as long as this command.
 */
async function warnAboutLostSecrets(
  client: Client,
  imported: readonly { id: string; name: string }[],
): Promise<string[]> {
  const details = await Promise.all(imported.map(({ id }) => client.servers.get({ id })));
  return details.flatMap(({ server, variables }) =>
    variables
      .filter(({ password, place }) => password && (place === 'memory' || place === null))
      .map(
        ({ reference, place }) =>
          `warning: ${server.name}: ${reference} ` +
          `${place === null ? 'has no value yet' : 'is kept in memory only: there is no keychain, and no encrypted file is open'}. ` +
          `Set ${variableOfReference(reference)}, or enter it on the server's page.`,
      ),
  );
}

const variableOfReference = (reference: string): string => {
  const [, kind = '', name = ''] = /^\$\{(secret|input):(.+)\}$/.exec(reference) ?? [];
  return `TOUCHSTONE_${kind.toUpperCase()}_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
};

/**
 * Escapes everything invisible, even the joiner inside emoji: nothing may disguise the command that
 * would be started. Stricter than `visible`.
 */
const escapeInvisible = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );

/** Describes an entry with its whole command, which is never shortened. */
function describe(entry: ServerImportEntry): string {
  const named = entry.config === null ? {} : namedValues(entry.config);
  const startTimeout = startTimeoutText(entry.config);
  const missing = entry.variables
    .filter(({ resolved }) => !resolved)
    .map(({ reference }) => reference);
  return [
    `${entry.name}: ${entry.state}${entry.reason === null ? '' : ` (${entry.reason})`}`,
    ...(entry.command === null ? [] : [`  ${entry.command}`]),
    ...(entry.config?.transport === 'stdio' && entry.config.cwd !== null
      ? [`  in ${entry.config.cwd}`]
      : []),
    ...Object.entries(named).map(([name, value]) => `  ${name}=${value}`),
    ...(startTimeout === null ? [] : [`  ${startTimeout}`]),
    ...entry.marks.map(
      ({ severity, reason }) => `  ${severity === 'danger' ? 'DANGER' : 'note'}: ${reason}`,
    ),
    ...entry.warnings.map((warning) => `  warning: ${warning}`),
    ...(entry.notCarried.length > 0
      ? [`  ${notCarriedText(entry.notCarried).replace('N', 'n')}`]
      : []),
    ...(entry.secrets.length > 0 ? [`  kept as secrets: ${entry.secrets.join(', ')}`] : []),
    ...(missing.length > 0 ? [`  without a value now: ${missing.join(', ')}`] : []),
  ]
    .map(escapeInvisible)
    .join('\n');
}

/** The entries whose hidden values a person says are no credentials. */
function markedEntries(
  entries: readonly ServerImportEntry[],
  names: readonly string[] = [],
): { entry: string; secret: string }[] {
  return names.map((secret) => {
    const entry = entries.find(({ secrets }) => secrets.includes(secret));
    if (entry === undefined)
      throw new UsageError(
        `--not-secret ${secret}: ` +
          didYouMean(
            secret,
            entries.flatMap(({ secrets }) => secrets),
          ).trimStart() +
          ' The import without --yes shows what is hidden.',
      );
    return { entry: entry.name, secret };
  });
}

/** Proposes the folder of skills next to a configuration, unless a server has it already. */
async function proposeSkills(client: Client, file: string): Promise<string | null> {
  if (file === '-' || isLink(file)) return null;
  const found = await skillsNextTo(file, new AbortController().signal);
  if (found === null) return null;
  const { folder, skills } = found;
  const known = (await client.servers.list()).some(
    ({ config }) => 'folder' in config && resolve(config.folder) === folder,
  );
  return known
    ? null
    : `${folder} has ${counted(skills, 'skill')}. ` +
        `\`touchstone servers add skills --skills "${folder}"\` registers them.`;
}

export const serverFileCommands = [
  member(
    'import <file>',
    "shows the servers in another program's configuration, a bundle or an install link; " +
      '--yes registers them without starting any',
    {
      flags: {
        '--yes': 'register what is new',
        '--name <names...>': 'only these entries of the file',
        '--replace': 'replace servers that conflict with entries',
        '--not-secret <names...>':
          'hidden credentials that are none, by the names that the preview shows (github/CLIENT_ID)',
      },
      example:
        'servers import ~/.cursor/mcp.json\n  touchstone servers ' +
        'import ~/.cursor/mcp.json --yes --name github',
      async run({ options, ...context }, file: string) {
        const { io, output } = context;
        const read = await readSource(file, io);
        await inSession(context, options.yes ? 'write' : 'read', async ({ client }) => {
          const { source, preview } = await previewWithFiles(client, file, read);
          const { format, entries, problems } = preview;
          for (const { line, column, message } of problems)
            output.error(`${source.fileName}:${line ?? 1}:${column ?? 1}: ${message}`);
          if (problems.length > 0 && recognizeFile(read.text)?.role === 'tools')
            output.note(
              `To use the list as it is, give it as --tools: \`touchstone lint --tools ${file}\`.`,
            );
          const isComplete = problems.length === 0;
          const chosen = selectEntries(entries, options.name, source.fileName, isComplete);
          const replace = options.replace
            ? chosen
                .filter(({ state, replaces }) => state === 'conflict' && replaces !== null)
                .map(({ name }) => name)
            : [];
          const names = chosen
            .filter(({ state, registersAs }) => state === 'same' || registersAs !== null)
            .map(({ name }) => name);
          const written =
            options.yes && isComplete && names.length + replace.length > 0
              ? await client.servers.import({
                  ...source,
                  names,
                  replace,
                  notSecret: markedEntries(chosen, options.notSecret),
                })
              : null;
          const isNew = replace.length > 0 || chosen.some((each) => each.registersAs !== null);
          const nextStep = !isComplete
            ? 'Correct the file, then import it again.'
            : isNew
              ? 'Use --yes to register what is new.'
              : 'Nothing in it is new.';
          if (written !== null)
            for (const line of await warnAboutLostSecrets(client, written.imported))
              output.note(line);
          const imported = written?.imported.map(({ name }) => name) ?? [];
          output.answer({ format, entries: chosen.map(shape), problems, imported }, () =>
            [
              ...chosen.map(describe),
              '',
              written === null
                ? `Nothing was written. ${nextStep}`
                : `Registered: ${imported.join(', ') || 'nothing new'}. No server was started.`,
            ].join('\n'),
          );
          const skills = await proposeSkills(client, file);
          if (skills !== null) output.note(skills);
          if (!isComplete) io.setExitCode(exitCodes.usage);
        });
      },
    },
  ),
  member('export', 'writes servers as the configuration of another program', {
    flags: {
      '--to <format>': {
        about: serverExportFormat.options.join(', '),
        required: true,
        of: serverExportFormat,
      },
      '--name <names...>': 'only these servers',
      '--out <file>': 'output file (default: standard output); an existing file is never replaced',
    },
    example: 'servers export --to .mcp.json --out .mcp.json',
    async run({ options: { to: format, name, out }, ...context }) {
      const { io, output } = context;
      if (out !== undefined) await checkIsNew(out);
      await inSession(context, 'read', async ({ client }) => {
        const all = await client.servers.list();
        const chosen = name?.map((each) => findServer(all, each));
        const ids = all.filter((each) => chosen?.includes(each) ?? true).map(({ id }) => id);
        if (ids.length === 0)
          throw new UsageError(
            'There are no servers to export. `touchstone servers add` registers one.',
          );
        const { fileName, text, losses } = await client.servers.export({ ids, format });
        for (const { server, message } of losses) output.note(`warning: ${server}: ${message}`);
        if (out !== undefined) await writeNew(out, text);
        if (output.json)
          output.answer(
            { file_name: fileName, losses, ...(out === undefined ? { text } : { out }) },
            () => '',
          );
        else if (out === undefined) await writeAnswer(text, io);
        else output.note(`Wrote ${out}.`);
      });
    },
  }),
];

function selectEntries(
  entries: readonly ServerImportEntry[],
  names: readonly string[] | undefined,
  fileName: string,
  complete: boolean,
): ServerImportEntry[] {
  const unknown = complete
    ? names?.find((name) => !entries.some((entry) => entry.name === name))
    : undefined;
  if (unknown !== undefined)
    throw new UsageError(
      `--name ${unknown}: ${fileName} has no server with this name. It has ` +
        `${entries.map(({ name }) => name).join(', ') || 'none'}.`,
    );
  return entries.filter(({ name }) => names?.includes(name) ?? true);
}

/** Never overwrites the configuration of another program. */
async function checkIsNew(file: string): Promise<void> {
  if (
    await lstat(file).then(
      () => true,
      () => false,
    )
  )
    throw fileExists(file);
  await checkOutput(file);
}

async function writeNew(file: string, text: string): Promise<void> {
  let created = false;
  try {
    const handle = await open(file, 'wx');
    created = true;
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (created) await rm(file, { force: true });
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw asFileError(error, file, 'write') ?? error;
    throw fileExists(file);
  }
}

const fileExists = (file: string) =>
  new UsageError(`${file}: It already exists and was not changed. Choose another name.`);
