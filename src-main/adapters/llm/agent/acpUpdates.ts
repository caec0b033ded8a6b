import { z } from 'zod';
import type { ExecutionMode } from '../../../../src-shared/domain/task.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';

const text = z.string().nullish().catch(null);
const toolCall = z.looseObject({ name: text, title: text, kind: text });
type ToolCall = z.infer<typeof toolCall>;

/** An update of a session, read tolerantly: newer agents send kinds that the SDK doesn't know. */
const acpUpdate = z.looseObject({
  update: z.looseObject({
    sessionUpdate: z.string(),
    content: z.unknown().optional(),
    ...toolCall.shape,
  }),
});

/** A question whether a tool may be used. */
export const askedPermission = z.looseObject({
  toolCall,
  options: z.array(z.looseObject({ optionId: z.string(), kind: z.string() })),
});

/** Kinds of tools that change something, reach the network, or free the agent of questions. */
const withEffect = ['edit', 'delete', 'move', 'execute', 'fetch', 'switch_mode'];

/**
 * The answer to a question. Tools of the servers are allowed, because their calls wait for the
 * execution mode behind the gateway. The agent's own tools with an effect are allowed in `full`
 * alone. An agent that offers no such answer is told that the request is canceled.
 */
export function acpPermission(
  { toolCall: { kind }, options }: z.infer<typeof askedPermission>,
  isOffered: boolean,
  mode: ExecutionMode,
): { outcome: { outcome: 'cancelled' } | { outcome: 'selected'; optionId: string } } {
  const isAllowed = isOffered || mode === 'full' || !withEffect.includes(kind ?? 'other');
  const word = isAllowed ? 'allow' : 'reject';
  const option =
    options.find((each) => each.kind === `${word}_once`) ??
    options.find((each) => each.kind === `${word}_always`);
  return {
    outcome:
      option === undefined
        ? { outcome: 'cancelled' }
        : { outcome: 'selected', optionId: option.optionId },
  };
}

const textContent = z.looseObject({ type: z.literal('text'), text: z.string() });

/** The updates of one request: the text after the last call, and calls of the agent's own tools. */
export class AcpUpdates {
  readonly #tools: readonly SnapshotTool[];
  #text = '';
  #isFinished = false;
  #ownTools: string[] = [];

  constructor(tools: readonly SnapshotTool[]) {
    this.#tools = tools;
  }

  begin(): void {
    this.#text = '';
    this.#isFinished = false;
    this.#ownTools = [];
  }

  /** Reads an update; one of another form says nothing. */
  read(params: unknown): void {
    const update = acpUpdate.safeParse(params).data?.update;
    if (update === undefined) return;
    if (update.sessionUpdate === 'agent_message_chunk') {
      const content = textContent.safeParse(update.content).data;
      if (content === undefined) return;
      if (this.#isFinished) this.#text = '';
      this.#isFinished = false;
      this.#text += content.text;
    } else if (update.sessionUpdate === 'tool_call') {
      this.#isFinished = true;
      if (!this.isOffered(update)) this.#ownTools.push(nameOf(update));
    }
  }

  get text(): string | null {
    return this.#text.trim() || null;
  }

  /** Names of the agent's own tools that it called, in order. */
  get ownTools(): readonly string[] {
    return this.#ownTools;
  }

  /**
   * Whether a call is one of an offered tool. Agents name it in their own way, such as
   * `mcp__todo__add_task` or `add_task (todo MCP Server)`. The title of a command or a file may
   * hold the name of a tool as well, so a call of such a kind has to name the server, too.
   */
  isOffered({ name, title, kind }: ToolCall): boolean {
    const given = name ?? title ?? '';
    const needsServer = name == null && withEffect.includes(kind ?? 'other');
    return this.#tools.some(
      (tool) => names(given, tool.name) && (!needsServer || names(given, tool.server)),
    );
  }
}

/** Whether a text holds a name that no further letter or digit touches. */
const names = (text: string, name: string): boolean =>
  text.split(name).some((before, at, parts) => {
    const after = parts[at + 1];
    return after !== undefined && !/[a-z\d]$/i.test(before) && !/^[a-z\d]/i.test(after);
  });

/** A tool by its name, else by its kind: titles hold arguments. */
const nameOf = ({ name, kind, title }: ToolCall): string =>
  name ?? (kind != null && kind !== 'other' ? kind : (title ?? 'other'));
