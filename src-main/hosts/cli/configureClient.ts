import { asSentence } from '../../../src-shared/domain/asSentence.ts';
import {
  choicesText,
  mcpClientLabels,
  type ClientConfig,
  type McpClient,
} from '../../../src-shared/domain/clientConfig.ts';
import { orElse } from '../../../src-shared/domain/orElse.ts';
import type { CommandContext } from './commandContext.ts';
import { exitCodes, UsageError } from './exitCodes.ts';
import type { Client } from './session.ts';
import { inSession } from './declare.ts';

interface ClientOptions {
  config?: McpClient;
  add?: boolean;
  undo?: boolean;
  yes?: boolean;
}

/** The procedures that read and change the files of clients. */
interface ClientFiles {
  read(): Promise<ClientConfig[]>;
  add(input: { client: McpClient; revision: string }): Promise<ClientConfig>;
  undo(input: { client: McpClient }): Promise<ClientConfig>;
}

/** With `--config`, a command prints what an MCP client needs to start it, or adds that. */
export async function configureClient(
  context: CommandContext,
  command: string,
  { config: client, add = false, undo = false, yes = false }: ClientOptions,
  filesOf: (client: Client) => ClientFiles,
): Promise<void> {
  if (client === undefined)
    throw new UsageError(`${command}: --add and --undo need --config CLIENT.`);
  if (add && undo)
    throw new UsageError(`${command}: --add and --undo can't be combined. Choose one.`);
  const { output } = context;
  await inSession(context, 'read', async ({ client: session }) => {
    const files = filesOf(session);
    const found = await find(files, client);
    if (undo) {
      const undone = await files.undo({ client });
      output.answer(shapeOf(undone), () =>
        found.undo?.isPart === true && undone.exists
          ? `Took the entry back in ${found.file}${choicesText(client, found.undo.choices)}. ` +
            'Everything else in it stays.'
          : undone.exists
            ? `Restored ${found.file} from its backup.`
            : `Removed ${found.file}, which there was none of before.`,
      );
    } else if (!add) {
      output.answer(shapeOf(found), () => found.text.trimEnd());
      output.note(noteOf(found));
    } else await addTo(files, context, found, yes);
  });
}

async function addTo(
  files: ClientFiles,
  { io, output }: CommandContext,
  found: ClientConfig,
  yes: boolean,
): Promise<void> {
  const { client, file, act, change, problem } = found;
  if (problem !== null || act === null) throw new UsageError(noteOf(found));
  if (act === 'same') {
    output.answer(shapeOf(found), () => `${file} has the entry already.`);
    return;
  }
  output.note(`${file}\n${changeText(change)}`);
  if (!yes) {
    const answer = await io.ask('Write this? Type yes: ');
    if (answer?.trim().toLowerCase() !== 'yes') {
      output.error(
        `${file}: Nothing was written. Type yes at the terminal, or add --yes to the command.`,
      );
      io.setExitCode(exitCodes.usage);
      return;
    }
  }
  const added = await files.add({ client, revision: found.revision });
  output.answer(shapeOf(added), () =>
    !found.exists
      ? `Created ${file}. Restart ${mcpClientLabels[client]} to read it.`
      : `Changed ${file}${added.undo?.backup == null ? '' : `; the backup is ${added.undo.backup}`}. ` +
        `Restart ${mcpClientLabels[client]} to read it.`,
  );
}

async function find(files: ClientFiles, client: McpClient): Promise<ClientConfig> {
  const found = (await files.read()).find((each) => each.client === client);
  if (found === undefined) throw new Error(`${client} is not listed.`);
  return found;
}

const shapeOf = ({ client, file, exists, act, text, problem, undo }: ClientConfig) => ({
  client,
  file,
  exists,
  action: act,
  // TOML and YAML are given as they are written.
  config: orElse(() => JSON.parse(text) as unknown, text),
  problem,
  backup: undo?.backup ?? null,
});

/** Where the configuration belongs, and what would happen to the file. */
function noteOf({ client, file, exists, act, problem }: ClientConfig): string {
  const label = mcpClientLabels[client];
  if (problem !== null) {
    const place = problem.line === null ? '' : `:${problem.line}:${problem.column ?? 1}`;
    return `${file}${place}: ${asSentence(problem.message)} It is left unchanged.`;
  }
  if (act === 'same') return `${file} has it already.`;
  return (
    `${label} reads it from ${file}${exists ? '' : ', which doesn’t exist yet'}. ` +
    'Add --add to put it there.'
  );
}

function changeText(change: ClientConfig['change']): string {
  if (change === null) return '';
  const lines = (mark: string, texts: readonly string[]) => texts.map((text) => `${mark}${text}`);
  return [
    ...lines('  ', change.above),
    ...lines('- ', change.removed),
    ...lines('+ ', change.added),
    ...lines('  ', change.below),
  ].join('\n');
}
