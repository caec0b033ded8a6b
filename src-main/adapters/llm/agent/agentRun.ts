import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { AgentTemplate } from '../../../../src-shared/domain/agentTemplate.ts';
import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { answered, type Observation } from '../../../../src-shared/domain/observation.ts';
import { formatCount } from '../../../../src-shared/display/numbers.ts';
import { createProgramFolder, removeProgramFolder } from '../../process/programFolder.ts';
import { runProgram, type ProgramResult } from '../../process/runProgram.ts';
import { SpawnFailure } from '../../process/spawnTree.ts';
import {
  ChatFailure,
  type CallResult,
  type ChatInput,
  type ChatReply,
  type Conversation,
  type ConversationRequest,
} from '../chatModel.ts';
import { fillText, readAgentOutput, writeServersFile } from './agentFiles.ts';
import { AgentGateway, type WaitingCall } from './agentGateway.ts';

const megabyte = 1024 * 1024;
const maxOutputBytes = 32 * megabyte;
/** Only bounds an agent whose run was lost: the deadline of the run aborts before. */
const maxRunMs = 6 * 3_600_000;
const maxKeptOutput = 20_000;

export interface AgentParts {
  template: AgentTemplate;
  /** The file of its program. */
  program: string;
  /** The model that it is started with; null: its own choice. */
  model: string | null;
  /** Its variables, with the values of references. */
  env: Readonly<Record<string, string>>;
  timeoutMs: number;
  redact: (text: string) => string;
}

/**
 * One run of an agent as a conversation: the agent calls tools by itself, and each of its calls is a
 * reply that the run answers. It works in a home and a folder of its own, which are removed at the
 * end, with every process that it started.
 */
export class AgentRun implements Conversation {
  readonly #parts: AgentParts;
  readonly #request: ConversationRequest;
  readonly #stop = new AbortController();
  /** Calls that no reply has told yet. */
  #called: WaitingCall[] = [];
  /** Calls that wait for their result, by id. */
  readonly #waiting = new Map<string, WaitingCall>();
  #wake: () => void = () => undefined;
  #started: Promise<{ folder: string; gateway: AgentGateway }> | null = null;
  #running: Promise<ProgramResult> | null = null;
  #ended: ProgramResult | Error | null = null;
  #turn = 0;

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
    this.#stop.abort();
    await this.#running?.catch(() => undefined);
    const started = await this.#started?.catch(() => null);
    if (started == null) return;
    await started.gateway[Symbol.asyncDispose]();
    await removeProgramFolder(started.folder);
  }

  async #begin(text: string): Promise<JsonObject> {
    const { template, program, model, redact } = this.#parts;
    const isFirst = this.#turn === 0;
    this.#turn += 1;
    if (!isFirst && template.nextTurn === null)
      throw this.#failure('takes one request a run, and this task has several user turns.');
    this.#ended = null;
    this.#started ??= this.#prepare();
    const { folder, gateway } = await this.#started;
    const prompt = isFirst ? promptOf(this.#request, text) : text;
    const home = join(folder, 'home');
    const values = {
      prompt,
      mcp_config: join(home, template.mcp.file),
      work_dir: join(folder, 'work'),
      home,
      ...(model !== null && { model }),
    };
    if (isFirst) await this.#writeFiles(home, gateway, values);
    const [, ...first] = template.command;
    const written = [
      ...(isFirst ? first : (template.nextTurn ?? [])),
      ...(model === null ? [] : template.modelArguments),
    ];
    const inArguments = written.some((word) => word.includes('{{prompt}}'));
    const running = runProgram(
      {
        command: program,
        args: written.map((word) => fillText(word, values)),
        stdin: inArguments ? '' : prompt,
        cwd: values.work_dir,
        env: { ...homeVariables(home), ...this.#filledEnv(values) },
        limitMs: maxRunMs,
        outputBytes: maxOutputBytes,
        redact,
      },
      this.#stop.signal,
    );
    this.#running = running;
    const end = (result: ProgramResult | Error): void => {
      this.#ended = result;
      this.#wake();
    };
    void running.then(end, end);
    return { agent: template.name, command: [template.command[0] ?? '', ...written], prompt };
  }

  async #prepare(): Promise<{ folder: string; gateway: AgentGateway }> {
    const { tools, instructions = [] } = this.#request;
    const gateway = await AgentGateway.open(tools, instructions, (call) => {
      this.#called.push(call);
      this.#wake();
    });
    try {
      const folder = await createProgramFolder();
      await mkdir(join(folder, 'work'));
      return { folder, gateway };
    } catch (error) {
      await gateway[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #writeFiles(
    home: string,
    gateway: AgentGateway,
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { mcp, files } = this.#parts.template;
    const all: [string, JsonValue][] = [
      [mcp.file, writeServersFile(mcp, gateway.commands, values)],
      ...Object.entries(files),
    ];
    for (const [name, content] of all) {
      const path = join(home, name);
      await mkdir(dirname(path), { recursive: true });
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      await writeFile(path, name === mcp.file ? text : fillText(text, values), { mode: 0o600 });
    }
  }

  #filledEnv(values: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.#parts.env).map(([name, value]) => [name, fillText(value, values)]),
    );
  }

  /** Gives results to the calls that wait for them. */
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
      () => reject(this.#failure(`made no call and gave no answer within ${timeoutMs / 1000} s.`)),
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
        observation: answered({ calls: told, stopReason: 'called' }),
        response: { calls: told.map(({ id, server, name }) => ({ id, server, name })) },
      };
    }
    const stdout = this.#outputOf(this.#ended).toString('utf8');
    const { text, usage, ownTools } = readAgentOutput(stdout, this.#parts.template.answer);
    return {
      observation: answered({ text, usage, ...(ownTools.length > 0 && { details: { ownTools } }) }),
      response: {
        own_tools: ownTools,
        output: this.#parts.redact(stdout).slice(-maxKeptOutput),
      },
    };
  }

  /** What an agent wrote that ended well. Throws for every other end, which is no answer. */
  #outputOf(ended: ProgramResult | Error | null): Buffer {
    if (ended === null) throw this.#failure('was stopped.');
    if (ended instanceof SpawnFailure) throw this.#failure(`: ${ended.message}`, true);
    if (ended instanceof Error) throw ended;
    const { outcome, exit, stderrTail, stdout } = ended;
    if (outcome === 'flooded')
      throw this.#failure(`wrote more than ${formatCount(maxOutputBytes / megabyte)} MB.`);
    if (outcome !== 'ended') throw this.#failure('was stopped.');
    if (exit?.code !== 0) {
      const how = exit?.signal
        ? `was ended by ${exit.signal}`
        : `ended with exit code ${exit?.code ?? 'unknown'}`;
      const said = (stderrTail.trim() || this.#parts.redact(stdout.toString('utf8')).trim()).slice(
        -500,
      );
      throw this.#failure(said === '' ? `${how}.` : `${how}: ${said}`);
    }
    return stdout;
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

  #failure(what: string, fatal = false): ChatFailure {
    const gap = what.startsWith(':') ? '' : ' ';
    return new ChatFailure('provider', `Agent ${this.#parts.template.name}${gap}${what}`, {
      fatal,
    });
  }
}

/** System prompt, earlier messages and request as one text: an agent takes nothing else. */
function promptOf({ system, messages }: ConversationRequest, text: string): string {
  const earlier = messages.map(({ role, content }) => `${role}: ${content}`).join('\n');
  return [system ?? '', earlier, text].filter((part) => part !== '').join('\n\n');
}

/** Everything that programs take for the folder of the person. */
const homeVariables = (home: string): Record<string, string> => ({
  HOME: home,
  USERPROFILE: home,
  APPDATA: join(home, 'AppData', 'Roaming'),
  LOCALAPPDATA: join(home, 'AppData', 'Local'),
  // The Node of this program is there for agents that are started by it.
  PATH: [process.env['PATH'] ?? '', dirname(process.execPath)].filter(Boolean).join(delimiter),
});
