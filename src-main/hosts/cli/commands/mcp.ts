import type { Command } from 'commander';
import { isRemote, providers } from '../../../../src-shared/domain/provider.ts';
import {
  modelConfiguration,
  type ModelConfiguration,
} from '../../../../src-shared/domain/model.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { contextOf, type CommandContext } from '../commandContext.ts';
import type { CommandIo } from '../commandIo.ts';
import { UsageError } from '../exitCodes.ts';
import { ModelEnvironment } from '../input/modelEnvironment.ts';
import { addModelOptions, readModelOptions, type ModelOptions } from '../input/modelOptions.ts';
import { oneOf } from '../input/optionValues.ts';
import { openReader, openSession, type Client } from '../session.ts';

interface McpOptions extends ModelOptions {
  allowRuns?: boolean;
  budget?: string;
  provider?: string;
  model?: string[];
}

export function addMcp(declared: Command, io: CommandIo): void {
  addModelOptions(
    declared
      .option('--allow-runs', 'let the agent run evaluations; without it, it only reads')
      .option('--provider <provider>', `a model it may run: ${providers.join(', ')}`)
      .option('--model <name...>', 'names of the models of --provider (TOUCHSTONE_MODEL)')
      .option('--budget <usd>', 'what all runs of the session may cost together'),
  )
    .addHelpText(
      'after',
      '\nExample:\n  touchstone mcp\n  touchstone mcp --allow-runs --provider openai --model ' +
        'gpt-5-mini --budget 2',
    )
    .action(async (options: McpOptions, command: Command) => {
      const context = contextOf(command, io);
      const environment = new ModelEnvironment(io);
      const running = await readRunning(options, environment);
      environment.note(context.output);
      const reader = await openReader(context);
      const writing = writeWith(context);
      try {
        await environment.checkAddress(reader.client);
        const { serveAgentOverStdio } = await import('../../../servers/agent/stdio.ts');
        await serveAgentOverStdio({
          backend: { reader: reader.client, write: writing.write },
          running,
          version: programFiles.version,
          redact: io.secretGuard.redactValue,
        });
      } finally {
        // A run whose client is gone is canceled, and its results are kept.
        await writing.idle();
        await reader.close();
      }
    });
}

/** The workspace is locked, or its window asked, only while an evaluation runs: one at a time. */
function writeWith(context: CommandContext) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    write: <Result>(work: (client: Client) => Promise<Result>): Promise<Result> => {
      const turn = last.then(async () => {
        const session = await openSession(context, 'write');
        try {
          return await work(session.client);
        } finally {
          await session.close();
        }
      });
      last = turn.catch(() => undefined);
      return turn;
    },
    idle: () => last,
  };
}

async function readRunning(options: McpOptions, environment: ModelEnvironment) {
  const models = readModels(options, environment);
  if (options.allowRuns !== true) {
    if (models.length > 0 || options.budget !== undefined)
      throw new UsageError(
        'mcp: --provider and --budget are for runs. Give --allow-runs too, or leave them out.',
      );
    return null;
  }
  const budget = readBudget(options.budget);
  const paid = models.find(({ provider }) => isRemote(provider));
  if (paid && budget === null)
    throw new UsageError(
      `mcp: ${paid.provider} can cost money. Give --budget USD, the most that all runs of the ` +
        'session may cost together.',
    );
  const { SessionBudget } = await import('../../../servers/agent/sessionBudget.ts');
  return { models, budget: new SessionBudget(budget) };
}

function readModels(
  { provider: name, model: names, ...options }: McpOptions,
  environment: ModelEnvironment,
): ModelConfiguration[] {
  if (name === undefined) {
    if (names !== undefined) throw new UsageError('mcp: --model needs --provider.');
    return [];
  }
  const provider = oneOf(name, '--provider', providers);
  if (provider === 'builtin') return [];
  if (provider === 'replay')
    throw new UsageError('--provider replay: An agent can only run models. Choose another.');
  const chosen = environment.modelsOf(provider, names);
  if (chosen.length === 0)
    throw new UsageError(`--provider ${provider}: It needs a model. Give --model NAME.`);
  return chosen.map((model) => {
    const read = modelConfiguration.safeParse({
      provider,
      model,
      ...environment.complete(provider, readModelOptions(options)),
    });
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw new UsageError(
      `mcp: ${String(issue?.path.at(-1) ?? 'The options')}: ${issue?.message ?? ''}`,
    );
  });
}

function readBudget(text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new UsageError(`--budget ${text}: It needs an amount in US dollars above 0.`);
  return value;
}
