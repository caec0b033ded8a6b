import type OpenAI from 'openai';
import { ServiceError } from '../../../../src-shared/contract/errors.ts';
import { locateCommand } from '../../process/locateCommand.ts';
import { exitText, runProgram, type ProgramResult } from '../../process/runProgram.ts';
import { SpawnFailure } from '../../process/spawnTree.ts';
import { ChatFailure, type ChatModel } from '../chatModel.ts';
import { chatTools, createChatFormat } from '../compatible/chatFormat.ts';
import type { ProviderAdapter } from '../providerAdapter.ts';
import { noAdditions } from '../request/additions.ts';
import { RepeatableFailure } from '../request/endpointErrors.ts';
import { ToolTexts } from '../request/toolTexts.ts';
import { describeFormat } from '../wire/wireFormat.ts';
import { createWireModel } from '../wire/wireModel.ts';

const provider = 'command';
/** As much as an endpoint may answer. */
const maxOutputBytes = 32 * 1024 * 1024;

/**
 * A program in place of an endpoint: each request is one start of it, with a Chat Completions
 * request as JSON on standard input and the reply on standard output. It gets none of the keys.
 */
export const commandProvider: ProviderAdapter = {
  provider,
  wireFormats: { 'openai-chat': describeFormat(chatTools) },
  async open(configuration, parts) {
    const { model, command, temperature, confidence } = configuration;
    const [name, ...args] = command ?? [];
    if (name === undefined) throw invalid('No command is set.', 'Enter the command to run.');
    const found = await locateCommand(name);
    if (found === null)
      throw invalid(`There is no program ${JSON.stringify(name)}.`, 'Enter its full path.');
    const thing = `command (${name})`;
    const sent: ChatModel['sent'] = {
      temperature,
      tool_choice: 'auto',
      confidence: confidence === 'none' ? null : confidence,
      max_turns: parts.maxTurns > 1 ? parts.maxTurns : null,
    };
    const toolTexts = new ToolTexts();
    const settings = { model, temperature, reasoningEffort: null, sent };
    return createWireModel(
      {
        // The client of the SDK is what this replaces: nothing is sent over a network.
        ...createChatFormat(undefined as unknown as OpenAI, settings, thing),
        async post(body, signal) {
          const run = {
            command: found,
            args,
            stdin: toolTexts.fill(JSON.stringify(body)),
            // The attempt's own deadline aborts the signal before; this only bounds a lost one.
            limitMs: (configuration.timeout + 60) * 1000,
            outputBytes: maxOutputBytes,
            redact: parts.secrets.redact,
          };
          return new Response(readOutput(thing, await start(thing, run, signal)));
        },
      },
      {
        configuration,
        sent,
        thing,
        timing: parts.timing,
        throttle: parts.throttleOf(thing),
        redactValue: parts.secrets.redactValue,
        toolTexts,
        refused: parts.refused,
        additions: noAdditions,
      },
    );
  },
};

const invalid = (cause: string, nextStep: string) =>
  new ServiceError('INVALID', { thing: 'Provider command', cause, nextStep, field: 'command' });

async function start(
  thing: string,
  run: Parameters<typeof runProgram>[0],
  signal: AbortSignal,
): Promise<ProgramResult> {
  try {
    return await runProgram(run, signal);
  } catch (error) {
    if (!(error instanceof SpawnFailure)) throw error;
    throw new ChatFailure('provider', `${thing}: ${error.message}`, { fatal: true, cause: error });
  }
}

/** Standard output of a run that ended well. Another exit is tried again, like a server's error. */
function readOutput(thing: string, result: ProgramResult): Uint8Array<ArrayBuffer> {
  const { outcome, exit, stdout, stderrTail } = result;
  if (outcome === 'flooded')
    throw new ChatFailure(
      'provider',
      `${thing} wrote more than ${maxOutputBytes / 1024 / 1024} MB.`,
    );
  if (outcome !== 'ended') throw new ChatFailure('provider', `${thing} was stopped.`);
  if (exit?.code === 0) return new Uint8Array(stdout);
  throw new RepeatableFailure(
    new ChatFailure('provider', `${thing} ${exitText(exit, stderrTail)}`),
  );
}
