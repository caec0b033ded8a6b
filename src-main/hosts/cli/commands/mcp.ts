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
import { ModelEnvironment } from '../input/modelEnvironment.ts';
import { modelFlags, readModelOptions } from '../input/modelOptions.ts';
import { readPort } from '../input/optionValues.ts';
import { openReader, type Client } from '../session.ts';
import { untilInterrupted } from '../signals.ts';

/** A shorter token can be guessed. */
const minTokenLength = 16;

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
    '--http <port>':
      'serve streamable HTTP on 127.0.0.1, to several clients at once; 0 takes a free port',
    '--token-env <name>':
      'with --http: the variable with the token that clients send as Authorization: Bearer',
  },
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
    const http = readHttp(options, running, io);
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

/** Where it serves HTTP, and the token that it asks for; null: it serves standard input. */
function readHttp(
  { http, tokenEnv }: McpOptions,
  running: Awaited<ReturnType<typeof readRunning>>,
  { env, secretGuard }: CommandContext['io'],
): { port: number; token: string | null } | null {
  if (http === undefined) {
    if (tokenEnv === undefined) return null;
    throw new UsageError('mcp: --token-env is for --http. Give --http PORT too, or leave it out.');
  }
  const port = readPort(http, '--http');
  if (tokenEnv === undefined) {
    // Every program of this computer can reach the port, those of other users, too.
    if (running?.models.some(({ provider }) => isRemote(provider)) === true)
      throw new UsageError(
        'mcp: Runs over --http can cost money. Give --token-env NAME, the variable with a token ' +
          'that clients must send.',
      );
    return { port, token: null };
  }
  const token = env[tokenEnv] ?? '';
  if (token.length < minTokenLength)
    throw new UsageError(
      `--token-env ${tokenEnv}: The variable has no token of at least ${minTokenLength} ` +
        'characters. Set it, for example to the output of `openssl rand -hex 32`.',
    );
  secretGuard.guard(token);
  return { port, token };
}

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
