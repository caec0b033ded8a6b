import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { endOf, exitText, runProgram, type ProgramResult } from '../../process/runProgram.ts';
import { SpawnFailure } from '../../process/spawnTree.ts';
import { fillText, readAgentOutput } from './agentFiles.ts';
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

/** Only bounds an agent whose run was lost: the deadline of the run aborts before. */
const maxRunMs = 6 * 3_600_000;
const maxKeptOutput = 20_000;

/** An agent that is started once for each request and prints its answer. */
export class CommandAgent implements AgentPlayer {
  readonly #parts: AgentParts;
  readonly #values: AgentValues;
  readonly #tools: readonly SnapshotTool[];
  readonly #stop = new AbortController();
  #running: Promise<ProgramResult> | null = null;

  constructor(parts: AgentParts, values: AgentValues, tools: readonly SnapshotTool[]) {
    this.#parts = parts;
    this.#values = values;
    this.#tools = tools;
  }

  describe(prompt: string): JsonObject {
    const { name, command } = this.#parts.template;
    return { agent: name, command: [command[0] ?? '', ...this.#written()], prompt };
  }

  async play(prompt: string): Promise<AgentEnd> {
    const { template, program, redact } = this.#parts;
    if (this.#running !== null && template.nextTurn === null)
      throw agentFailure(
        template,
        'takes one request a run, and this task has several user turns. Name in the nextTurn of its ' +
          'template how it goes on, or choose an agent that speaks ACP.',
      );
    const values = { ...this.#values, prompt };
    const written = this.#written();
    const inArguments = written.some((word) => word.includes('{{prompt}}'));
    this.#running = runProgram(
      {
        command: program,
        args: written.map((word) => fillText(word, values)),
        stdin: inArguments ? '' : prompt,
        cwd: values.work_dir,
        env: agentEnvironment(this.#parts, values),
        limitMs: maxRunMs,
        outputBytes: maxOutputBytes,
        redact,
      },
      this.#stop.signal,
    );
    const stdout = this.#outputOf(await this.#running.catch((error: unknown) => error as Error));
    const text = stdout.toString('utf8');
    const read = readAgentOutput(text, template.answer, this.#tools);
    if (read === null)
      throw agentFailure(
        template,
        'printed nothing that the answer of its template describes: ' +
          `${endOf(redact(text)) || 'nothing at all.'} ${tryAgent(template)}`,
      );
    return { ...read, output: redact(text).slice(-maxKeptOutput) };
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running?.catch(() => undefined);
  }

  /** The arguments of this request, before they are filled in. */
  #written(): string[] {
    const { template, model } = this.#parts;
    const [, ...first] = template.command;
    return [
      ...(this.#running === null ? first : (template.nextTurn ?? [])),
      ...(model === null ? [] : template.modelArguments),
    ];
  }

  /** What an agent wrote that ended well. Throws for every other end, which is no answer. */
  #outputOf(ended: ProgramResult | Error): Buffer {
    const { template, redact } = this.#parts;
    if (ended instanceof SpawnFailure) throw agentFailure(template, `: ${ended.message}`, true);
    if (ended instanceof Error) throw ended;
    const { outcome, exit, stderrTail, stdout } = ended;
    if (outcome === 'flooded') throw agentFailure(template, `${floodText} ${tryAgent(template)}`);
    if (outcome !== 'ended') throw agentFailure(template, 'was stopped.');
    if (exit?.code !== 0)
      throw agentFailure(
        template,
        `${exitText(exit, stderrTail.trim() || redact(stdout.toString('utf8')))} ${tryAgent(template)}`,
      );
    return stdout;
  }
}
