import { z } from 'zod';
import type { OwnCall } from '../../../../src-shared/domain/ownTools.ts';
import type { ExecutionMode } from '../../../../src-shared/domain/task.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';

const text = z.string().nullish().catch(null);
/** Where agents put the name of a tool that their version of the protocol has no place for. */
const meta = z
  .looseObject({
    toolName: text,
    claudeCode: z.looseObject({ toolName: text }).nullish().catch(null),
  })
  .nullish()
  .catch(null);
const toolCall = z
  .looseObject({ toolCallId: text, name: text, title: text, kind: text, _meta: meta })
  .transform(({ toolCallId: id, name, title, kind, _meta }) => ({
    id: id ?? '',
    name: name ?? _meta?.toolName ?? _meta?.claudeCode?.toolName ?? null,
    title: title ?? null,
    kind: kind ?? null,
  }));
type ToolCall = z.infer<typeof toolCall>;

/** An update of a session, read tolerantly: newer agents send kinds that the SDK doesn't know. */
const acpUpdate = z.looseObject({
  update: z.looseObject({
    sessionUpdate: z.string(),
    content: z.unknown().optional(),
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
  readonly #calls = new Map<string, ToolCall>();

  constructor(tools: readonly SnapshotTool[]) {
    this.#tools = tools;
  }

  begin(): void {
    this.#text = '';
    this.#isFinished = false;
    this.#calls.clear();
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
    } else if (['tool_call', 'tool_call_update'].includes(update.sessionUpdate)) {
      // Some agents send no `tool_call` before its updates, and the name of the tool with the last.
      const call = toolCall.safeParse(update).data;
      if (call === undefined) return;
      const known = this.#calls.get(call.id);
      this.#isFinished ||= known === undefined;
      this.#calls.set(call.id, {
        id: call.id,
        name: call.name ?? known?.name ?? null,
        title: call.title ?? known?.title ?? null,
        kind: call.kind ?? known?.kind ?? null,
      });
    }
  }

  get text(): string | null {
    return this.#text.trim() || null;
  }

  /** Calls of the agent's own tools, in order. */
  get ownTools(): OwnCall[] {
    return [...this.#calls.values()]
      .filter((call) => !this.isOffered(call))
      .map((call) => ({ name: nameOf(call), ...(call.kind !== null && { kind: call.kind }) }));
  }

  /**
   * Whether a call is one of an offered tool. Agents name it in their own way, such as
   * `mcp__todo__add_task` or `add_task (todo MCP Server)`. The title of a command or a file may
   * hold the name of a tool as well, so a call of such a kind has to name the server, too.
   */
  isOffered({ name, title, kind }: ToolCall): boolean {
    const given = name ?? title ?? '';
    const needsServer = name === null && withEffect.includes(kind ?? 'other');
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
  name ?? (kind !== null && kind !== 'other' ? kind : (title ?? 'other'));
