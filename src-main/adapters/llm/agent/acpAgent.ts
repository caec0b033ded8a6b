import { Readable, Transform, Writable } from 'node:stream';
import {
  client,
  methods,
  ndJsonStream,
  RequestError,
  type AnyMessage,
  type ClientConnection,
  type McpServer,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk/unstable';
import { z } from 'zod';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { ExecutionMode } from '../../../../src-shared/domain/task.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { waitAtMost } from '../../../runtime/deadline.ts';
import { hastyGraces, type Graces } from '../../process/endTree.ts';
import { exitText, wrapProgram } from '../../process/runProgram.ts';
import { TextRing } from '../../process/textRing.ts';
import { SpawnFailure, spawnTree, type ProcessTree } from '../../process/spawnTree.ts';
import { acpPermission, AcpUpdates, askedPermission } from './acpUpdates.ts';
import { fillText } from './agentFiles.ts';
import type { AgentGateway } from './agentGateway.ts';
import {
  agentEnvironment,
  agentFailure,
  floodText,
  maxOutputBytes,
  tryAgent,
  type AgentEnd,
  type AgentParts,
  type AgentPlayer,
  type AgentValues,
} from './agentPlayer.ts';

/** The version of the protocol that is spoken here. */
const protocolVersion = 1;
const maxPermissions = 1_000;
/** How long the exit of a program may come after the end of its output. */
const exitMs = 300;
/** An agent may end by itself after it was canceled and its input was closed. */
const endGraces: Graces = { ...hastyGraces, stdinMs: 1_000 };

/** What the evaluation offers, and how its calls are executed. */
interface Offered {
  gateway: Pick<AgentGateway, 'commands' | 'addresses'>;
  tools: readonly SnapshotTool[];
  mode: ExecutionMode;
}

interface Session {
  connection: ClientConnection;
  id: string;
}

/**
 * An agent that speaks the Agent Client Protocol (agentclientprotocol.com): started once, it gets
 * the MCP servers with its session, and each request as a prompt. What it may do with its own tools
 * is decided by the execution mode when it asks.
 */
export class AcpAgent implements AgentPlayer {
  readonly #parts: AgentParts;
  readonly #values: AgentValues;
  readonly #offered: Offered;
  readonly #updates: AcpUpdates;
  /** Rejects when the agent can't answer anymore. */
  readonly #broken = Promise.withResolvers<never>();
  #tree: Promise<ProcessTree> | null = null;
  #session: Promise<Session> | null = null;
  #prompts = 0;
  #reported: AgentEnd['usage'] = null;
  /** What the agent calls its ways to log in. */
  #logins: string[] = [];
  #permissions = 0;
  /** The end of its standard output, where some say what is wrong. */
  readonly #printed = new TextRing(4_096);

  constructor(parts: AgentParts, values: AgentValues, offered: Offered) {
    this.#parts = parts;
    this.#values = values;
    this.#offered = offered;
    this.#updates = new AcpUpdates(offered.tools);
    this.#broken.promise.catch(() => undefined);
  }

  describe(prompt: string): JsonObject {
    const { name } = this.#parts.template;
    return { agent: name, protocol: 'acp', command: this.#command(), prompt };
  }

  async play(prompt: string): Promise<AgentEnd> {
    this.#updates.begin();
    this.#prompts += 1;
    const response = await this.#orBroken(this.#prompt(prompt));
    const { stopReason } = response;
    if (stopReason === 'cancelled') throw this.#failure('canceled the request by itself.');
    const { text, ownTools } = this.#updates;
    const cut = stopReason === 'max_tokens' || stopReason === 'max_turn_requests';
    return {
      text,
      ownTools,
      usage: this.#usageOfTurn(usageOf(response)),
      output: `stop reason: ${stopReason}`,
      ...(cut && { stopReason: 'cut_off' }),
      ...(stopReason === 'refusal' && { stopReason: 'refused' }),
    };
  }

  /** The protocol says "for this turn" of the report, and "across session" of its members. */
  #usageOfTurn(reported: AgentEnd['usage']): AgentEnd['usage'] {
    const before = this.#reported;
    this.#reported = reported;
    const { usage } = this.#parts.template;
    if (this.#prompts === 1 || usage === 'turn') return reported;
    if (usage === undefined || reported === null || before === null) return null;
    const [input, output] = [reported.input - before.input, reported.output - before.output];
    return input < 0 || output < 0 ? null : { ...reported, input, output };
  }

  async end(): Promise<void> {
    const tree = await this.#tree?.catch(() => null);
    if (tree == null) return;
    // A session that never began can't be canceled.
    await waitAtMost(exitMs, this.#cancel());
    this.#broken.reject(this.#failure('was stopped.'));
    await tree.end(endGraces);
  }

  async #cancel(): Promise<void> {
    const session = await this.#session?.catch(() => null);
    if (session == null) return;
    const { connection, id } = session;
    await connection.agent
      .notify(methods.agent.session.cancel, { sessionId: id })
      .catch(() => undefined);
  }

  async #prompt(text: string): Promise<PromptResponse> {
    this.#tree ??= this.#start();
    const tree = await this.#tree;
    this.#session ??= this.#open(tree);
    const { connection, id } = await this.#session;
    return connection.agent.request(methods.agent.session.prompt, {
      sessionId: id,
      prompt: [{ type: 'text', text }],
    });
  }

  async #start(): Promise<ProcessTree> {
    const { program } = this.#parts;
    const [, ...args] = this.#command();
    const values = this.#values;
    return spawnTree({
      ...wrapProgram({ command: program, args: args.map((word) => fillText(word, values)) }),
      cwd: values.work_dir,
      ownFolder: true,
      env: {
        // What it leaves there goes with the run.
        ...{ TMPDIR: values.home, TEMP: values.home, TMP: values.home },
        ...agentEnvironment(this.#parts, values),
      },
    });
  }

  async #open(tree: ProcessTree): Promise<Session> {
    const { redact } = this.#parts;
    void tree.ended.then((exit) => {
      const said = tree.log.tail({ redact }) || withoutMessages(this.#printed.tail({ redact }));
      this.#broken.reject(this.#failure(`${exitText(exit, said)} ${this.#tryIt}`));
    });
    const connection = this.#connect(tree);
    const { agent } = connection;
    const told = await agent.request(methods.agent.initialize, {
      protocolVersion,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'touchstone', version: '1.0.0' },
    });
    if (told.protocolVersion !== protocolVersion)
      throw this.#failure(
        `speaks version ${told.protocolVersion} of the Agent Client Protocol, and Touchstone ` +
          `version ${protocolVersion}. Use a version of the agent that speaks it.`,
      );
    this.#logins = (told.authMethods ?? []).map(({ name }) => name);
    const takesHttp = told.agentCapabilities?.mcpCapabilities?.http === true;
    const { sessionId }: NewSessionResponse = await agent.request(methods.agent.session.new, {
      cwd: this.#values.work_dir,
      mcpServers: await this.#servers(takesHttp),
    });
    return { connection, id: sessionId };
  }

  /** By their addresses where the agent takes that: some take no server that they have to start. */
  async #servers(takesHttp: boolean): Promise<McpServer[]> {
    const { gateway } = this.#offered;
    if (takesHttp)
      return Object.entries(await gateway.addresses()).map(([name, { url, headers }]) => ({
        ...{ type: 'http', name, url },
        headers: listed(headers),
      }));
    return Object.entries(gateway.commands).map(([name, { command, args, env }]) => ({
      ...{ name, command, args },
      env: listed(env),
    }));
  }

  #connect(tree: ProcessTree): ClientConnection {
    const stream = ndJsonStream(
      Writable.toWeb(tree.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(tree.stdout.pipe(this.#bounded())) as ReadableStream<Uint8Array>,
      { maxMessageBytes: maxOutputBytes },
    );
    return client({ name: 'touchstone' })
      .onRequest(methods.client.session.requestPermission, askedPermission, ({ params }) => {
        this.#permissions += 1;
        if (this.#permissions > maxPermissions)
          this.#broken.reject(
            this.#failure(
              `asked for permission more than ${formatCount(maxPermissions)} times. ${this.#tryIt}`,
            ),
          );
        const { mode } = this.#offered;
        const isOffered = this.#updates.isOffered(params.toolCall);
        return acpPermission(params, isOffered, mode) satisfies RequestPermissionResponse;
      })
      .connect({ ...stream, readable: stream.readable.pipeThrough(this.#messages()) });
  }

  /**
   * What the SDK reads: it prints other lines of an agent, and updates of kinds that are newer than
   * the SDK, so that updates are read here.
   */
  #messages(): TransformStream<AnyMessage, AnyMessage> {
    return new TransformStream({
      transform: (message, controller) => {
        if ('method' in message && message.method === methods.client.session.update)
          this.#updates.read(message.params);
        else if ('method' in message || ('id' in message && message.id !== null))
          controller.enqueue(message);
      },
    });
  }

  /** Passes on what the agent writes, up to the limit. */
  #bounded(): Transform {
    let left = maxOutputBytes;
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        left -= chunk.length;
        this.#printed.push(chunk);
        if (left >= 0) return done(null, chunk);
        this.#broken.reject(this.#failure(`${floodText} ${this.#tryIt}`));
        return done();
      },
    });
  }

  async #orBroken<T>(work: Promise<T>): Promise<T> {
    try {
      return await Promise.race([work, this.#broken.promise]);
    } catch (error) {
      if (error instanceof SpawnFailure) throw this.#failure(`: ${error.message}`, true);
      // A connection breaks before the exit of its program is known, which says more.
      if (!(error instanceof RequestError) && this.#tree !== null)
        await waitAtMost(exitMs, this.#broken.promise);
      if (error instanceof RequestError && error.code === authRequired)
        throw this.#failure(this.#loginText(error), true);
      if (error instanceof RequestError || (error instanceof Error && error.name !== 'ChatFailure'))
        throw this.#failure(`refused the request: ${this.#parts.redact(textOf(error))}`);
      throw error;
    }
  }

  #command(): string[] {
    const { template, model } = this.#parts;
    return [...template.command, ...(model === null ? [] : template.modelArguments)];
  }

  /** A login of the person isn't used, so that a key is the only way in. */
  #loginText(error: RequestError): string {
    const { env } = this.#parts.template;
    const missing = Object.keys(env).filter((name) => !Object.hasOwn(this.#parts.env, name));
    const ways = this.#logins.length === 0 ? '' : ` It offers: ${this.#logins.join(', ')}.`;
    const key =
      missing.length === 0
        ? 'Check the key, or name the variable of its key in the env of a template of your own.'
        : `A login in your home folder isn't used. Set a key: of its variables, ${missing.join(', ')} ${missing.length === 1 ? 'has' : 'have'} no value.`;
    return this.#parts.redact(`needs a login (${errorText(error)}).${ways} ${key}`);
  }

  get #tryIt(): string {
    return tryAgent(this.#parts.template);
  }

  #failure(what: string, fatal = false): Error {
    return agentFailure(this.#parts.template, what, fatal);
  }
}

/** What is printed without being a message of the protocol. */
const withoutMessages = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n');

/** Variables or headers as the protocol has them. */
const listed = (values: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

const authRequired = -32_000;
const internalError = -32_603;
/** What went wrong inside an agent is in the data of its error, if anywhere. */
const textOf = (error: Error): string =>
  error instanceof RequestError && error.code === internalError && error.data != null
    ? `${error.message}: ${JSON.stringify(error.data).slice(0, 500)}`
    : errorText(error);

/** Where Gemini CLI reports the tokens of a turn. */
const quota = z.looseObject({
  quota: z.looseObject({
    token_count: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
  }),
});

/** Tokens that came from a cache count as input; those of thoughts as output. */
function usageOf({ usage, _meta }: PromptResponse): AgentEnd['usage'] {
  if (usage == null) {
    const counted = quota.safeParse(_meta).data?.quota.token_count;
    return counted === undefined
      ? null
      : { input: counted.input_tokens, output: counted.output_tokens, source: 'measured' };
  }
  const output = usage.outputTokens + (usage.thoughtTokens ?? 0);
  return { input: Math.max(0, usage.totalTokens - output), output, source: 'measured' };
}
