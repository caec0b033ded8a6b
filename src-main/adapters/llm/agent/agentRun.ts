import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { answered, type Observation } from '../../../../src-shared/domain/observation.ts';
import { programFiles } from '../../../runtime/programFiles.ts';
import { createProgramFolder, removeProgramFolder } from '../../process/programFolder.ts';
import type {
  CallResult,
  ChatFailure,
  ChatInput,
  ChatReply,
  Conversation,
  ConversationRequest,
} from '../chatModel.ts';
import { fillText, writeServersFile } from './agentFiles.ts';
import { AgentGateway, type WaitingCall } from './agentGateway.ts';
import {
  agentFailure,
  tryAgent,
  type AgentEnd,
  type AgentParts,
  type AgentPlayer,
  type AgentValues,
} from './agentPlayer.ts';
import { CommandAgent } from './commandAgent.ts';

interface Started {
  folder: string;
  gateway: AgentGateway;
  player: AgentPlayer;
}

/**
 * One run of an agent as a conversation: the agent calls tools by itself, and each of its calls is a
 * reply that the run answers. It works in a home and a folder of its own, which are removed at the
 * end, with every process that it started.
 */
export class AgentRun implements Conversation {
  readonly #parts: AgentParts;
  readonly #request: ConversationRequest;
  /** Calls that no reply has told yet. */
  #called: WaitingCall[] = [];
  readonly #waiting = new Map<string, WaitingCall>();
  #wake: () => void = () => undefined;
  #started: Promise<Started> | null = null;
  #ended: AgentEnd | Error | null = null;
  #isFirst = true;

  constructor(parts: AgentParts, request: ConversationRequest) {
    this.#parts = parts;
    this.#request = request;
  }

  /**
   * The next calls of the agent, or its answer when it has ended. `settleMs` is how long calls may
   * follow the first one to count as made together with it.
   */
  async next(
    input: ChatInput,
    signal: AbortSignal,
    _account?: unknown,
    settleMs = 0,
  ): Promise<ChatReply> {
    signal.throwIfAborted();
    const startedAt = performance.now();
    const request = input.by === 'user' ? await this.#begin(input.text) : {};
    if (input.by === 'tools') this.#answer(input.results);
    await this.#event(signal);
    if (settleMs > 0 && this.#called.length > 0 && this.#ended === null)
      await new Promise((resolve) => setTimeout(resolve, settleMs));
    signal.throwIfAborted();
    const told = this.#tell();
    return { ...told, request, elapsedMs: performance.now() - startedAt };
  }

  /** Ends the agent with all that it started. */
  async close(): Promise<void> {
    const started = await this.#started?.catch(() => null);
    if (started == null) return;
    await started.player.end();
    await started.gateway[Symbol.asyncDispose]();
    await removeProgramFolder(started.folder);
  }

  async #begin(text: string): Promise<JsonObject> {
    const prompt = this.#isFirst ? promptOf(this.#request, text) : text;
    this.#isFirst = false;
    this.#ended = null;
    this.#started ??= this.#prepare(prompt);
    const { player } = await this.#started;
    const request = player.describe(prompt);
    const end = (ended: AgentEnd | Error): void => {
      this.#ended = ended;
      this.#wake();
    };
    void player.play(prompt).then(end, end);
    return request;
  }

  async #prepare(prompt: string): Promise<Started> {
    const { template, model } = this.#parts;
    const { tools, instructions = [] } = this.#request;
    const gateway = await AgentGateway.open(tools, instructions, (call) => {
      this.#called.push(call);
      this.#wake();
    });
    let folder: string | null = null;
    try {
      folder = await createProgramFolder();
      const home = join(folder, 'home');
      const values = {
        mcp_config: join(home, template.mcp.file),
        work_dir: join(folder, 'work'),
        home,
        datasets: programFiles.datasets,
        ...(model !== null && { model }),
      };
      await mkdir(values.work_dir);
      await this.#writeFiles(home, gateway, { ...values, prompt });
      const player = await this.#playerOf(values, gateway);
      return { folder, gateway, player };
    } catch (error) {
      await gateway[Symbol.asyncDispose]();
      if (folder !== null) await removeProgramFolder(folder);
      throw error;
    }
  }

  async #playerOf(values: AgentValues, gateway: AgentGateway): Promise<AgentPlayer> {
    const { tools, mode = 'stub' } = this.#request;
    if (this.#parts.template.protocol !== 'acp')
      return new CommandAgent(this.#parts, values, tools);
    // The SDK of the protocol is large, and nobody else needs it.
    const { AcpAgent } = await import('./acpAgent.ts');
    return new AcpAgent(this.#parts, values, { gateway, tools, mode });
  }

  async #writeFiles(
    home: string,
    gateway: AgentGateway,
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { mcp, files, protocol } = this.#parts.template;
    await mkdir(home);
    const all: [string, JsonValue][] = [
      // An agent that speaks ACP gets the servers with its session.
      ...(protocol === 'acp'
        ? []
        : [[mcp.file, writeServersFile(mcp, gateway.commands, values)] as [string, JsonValue]]),
      ...Object.entries(files),
    ];
    for (const [name, content] of all) {
      const path = join(home, name);
      await mkdir(dirname(path), { recursive: true });
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      await writeFile(path, name === mcp.file ? text : fillText(text, values), { mode: 0o600 });
    }
  }

  #answer(results: readonly CallResult[]): void {
    for (const result of results) {
      this.#waiting.get(result.id)?.answer(result);
      this.#waiting.delete(result.id);
    }
  }

  /** Waits until the agent calls a tool or ends. */
  async #event(signal: AbortSignal): Promise<void> {
    if (this.#called.length > 0 || this.#ended !== null) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { timeoutMs } = this.#parts;
    const timer = setTimeout(
      () =>
        reject(
          this.#failure(
            `made no call and gave no answer within ${timeoutMs / 1000} s. Raise its timeout if it ` +
              `works for longer. ${tryAgent(this.#parts.template)}`,
          ),
        ),
      timeoutMs,
    );
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#wake = resolve;
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  #tell(): { observation: Observation; response: JsonValue } {
    if (this.#called.length > 0) {
      const calls = this.#called;
      this.#called = [];
      for (const each of calls) this.#waiting.set(each.call.id, each);
      const told = calls.map(({ call }) => call);
      return {
        // What it does with its own tools is known at the end of its turn.
        observation: answered({ calls: told, stopReason: 'called', details: { ownTools: null } }),
        response: { calls: told.map(({ id, server, name }) => ({ id, server, name })) },
      };
    }
    if (this.#ended === null) throw this.#failure('was stopped.');
    if (this.#ended instanceof Error) throw this.#ended;
    const { text, usage, ownTools, output, stopReason = 'answered' } = this.#ended;
    return {
      observation: answered({
        ...{ text, usage, stopReason },
        details: { ownTools },
      }),
      response: { own_tools: ownTools, output },
    };
  }

  /** Throws if a server never heard of the agent, so that its silence says nothing about tools. */
  async checkConnected(): Promise<void> {
    const missed = (await this.#started)?.gateway.missed ?? null;
    if (missed !== null)
      throw this.#failure(
        `never connected to the server ${JSON.stringify(missed)}, so that it had no tools. ` +
          'Check how its template hands over the MCP servers.',
      );
  }

  #failure(what: string): ChatFailure {
    return agentFailure(this.#parts.template, what);
  }
}

/** System prompt, earlier messages and request as one text: an agent takes nothing else. */
function promptOf({ system, messages }: ConversationRequest, text: string): string {
  const earlier = messages.map(({ role, content }) => `${role}: ${content}`).join('\n');
  return [system ?? '', earlier, text].filter((part) => part !== '').join('\n\n');
}
