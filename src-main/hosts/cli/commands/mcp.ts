import { z } from 'zod';
import { isRemote, providers } from '../../../../src-shared/domain/provider.ts';
import {
  modelConfiguration,
  type ModelConfiguration,
} from '../../../../src-shared/domain/model.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import type { CommandContext } from '../commandContext.ts';
import { define, inSession, type OptionsOf } from '../declare.ts';
import { UsageError } from '../exitCodes.ts';
import { httpFlags, readHttpOptions } from '../input/httpOptions.ts';
import { ModelEnvironment } from '../input/modelEnvironment.ts';
import { modelFlags, readModelOptions } from '../input/modelOptions.ts';
import { openReader, type Client } from '../session.ts';
import { untilInterrupted } from '../signals.ts';

const flags = [
  {
    '--folder <dir>':
      'let the agent read suites, listings and reports below this folder, and no other file',
    '--allow-runs': 'let the agent run evaluations; without it, it only reads',
    '--provider <provider>': {
      about: `a model it may run: ${providers.join(', ')}`,
      of: z.enum(providers),
    },
    '--model <name...>': 'names of the models of --provider (TOUCHSTONE_MODEL)',
    '--budget <usd>': 'what all runs of the session may cost together',
  },
  httpFlags,
  modelFlags,
] as const;
type McpOptions = OptionsOf<typeof flags>;

export const mcp = define({
  flags,
  example:
    'mcp\n  touchstone mcp --allow-runs --provider openai --model ' + 'gpt-5-mini --budget 2',
  async run({ options, ...context }) {
    const { io, output } = context;
    const environment = new ModelEnvironment(io);
    const running = await readRunning(options, environment);
    const costs = running?.models.some(({ provider }) => isRemote(provider)) === true;
    const http = readHttpOptions(
      'mcp',
      options,
      io,
      costs ? 'Runs over --http can cost money.' : null,
    );
    environment.note(output);
    const reader = await openReader(context);
    const writing = writeWith(context);
    try {
      await environment.checkAddress(reader.client);
      const [{ serveAgentOverHttp, serveAgentOverStdio }, { allowedFolder }] = await Promise.all([
        import('../../../servers/agent/serveAgent.ts'),
        import('../../../servers/agent/allowedFolder.ts'),
      ]);
      const agent = {
        backend: { reader: reader.client, write: writing.write },
        readFile: allowedFolder(options.folder ?? null),
        running,
        version: programFiles.version,
        redact: io.secretGuard.redactValue,
      };
      if (http === null) await serveAgentOverStdio(agent);
      else {
        const server = await serveAgentOverHttp(agent, http);
        output.answer({ url: server.url }, () => server.url);
        await untilInterrupted();
        await server.close();
      }
    } finally {
      // A run whose client is gone is canceled, and its results are kept.
      await writing.idle();
      await reader.close();
    }
  },
});

/** The workspace is locked, or its window asked, only while an evaluation runs: one at a time. */
function writeWith(context: CommandContext) {
  let last: Promise<unknown> = Promise.resolve();
  return {
    write: <Result>(work: (client: Client) => Promise<Result>): Promise<Result> => {
      const turn = last.then(() => inSession(context, 'write', ({ client }) => work(client)));
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
  { provider, model: names, ...options }: McpOptions,
  environment: ModelEnvironment,
): ModelConfiguration[] {
  if (provider === undefined) {
    if (names !== undefined) throw new UsageError('mcp: --model needs --provider.');
    return [];
  }
  if (provider === 'builtin') return [];
  if (provider === 'agent')
    throw new UsageError('--provider agent: A client can’t start other agents. Choose a model.');
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
