import { isJsonObject, type JsonObject, type JsonValue } from '../../../src-shared/domain/json.ts';
import type { ExecutionMode, TaskStub } from '../../../src-shared/domain/task.ts';
import type { ToolOverride } from '../../../src-shared/domain/toolOverride.ts';
import { effectsOf } from '../../scoring/tasks/trajectoryFacts.ts';
import { stubbedResult } from '../tasks/renderResult.ts';

export interface MessageRulesParts {
  server: string;
  mode: ExecutionMode;
  /** Results that answer calls in mode `stub`. */
  stubs: readonly TaskStub[];
  findStub: (stubs: readonly TaskStub[], args: JsonObject) => Promise<TaskStub | null>;
  /** What is offered in place of what the server says, by the server's name of the tool. */
  overrides: ReadonlyMap<string, ToolOverride>;
}

/** A message is passed on as it is now, or answered in place of its receiver. */
export type Passage = { pass: JsonObject } | { answer: JsonObject };

/** What a server may ask of its client besides its answers, and what a call in `full` may need. */
const asksOfServer: ReadonlySet<string> = new Set(['sampling/createMessage', 'elicitation/create']);

interface KnownTool {
  readOnly: boolean;
  hasOutputSchema: boolean;
}

/**
 * What a gateway changes of the messages between a client and a server: nothing in mode `full`
 * without overrides. It knows tools by the lists that it passed on, so that one that was never
 * listed isn't executed in `read-only`.
 */
export class MessageRules {
  readonly #parts: MessageRulesParts;
  readonly #known = new Map<string, KnownTool>();
  /** The server's name of a tool by the one that is offered. */
  readonly #renamed: ReadonlyMap<string, string>;
  readonly #applied = new Set<string>();

  constructor(parts: MessageRulesParts) {
    this.#parts = parts;
    this.#renamed = new Map(
      [...parts.overrides].flatMap(([tool, { name }]) =>
        name === undefined ? [] : [[name, tool]],
      ),
    );
  }

  /** Tools with an override that no list had. */
  get unused(): string[] {
    return [...this.#parts.overrides.keys()].filter((tool) => !this.#applied.has(tool));
  }

  async fromClient(message: JsonObject): Promise<Passage> {
    const { method, params, id = null } = message;
    if (method !== 'tools/call' || !isJsonObject(params ?? null)) return { pass: message };
    const call = params as JsonObject;
    const offered = call['name'];
    if (typeof offered !== 'string') return { pass: message };
    const name = this.#renamed.get(offered) ?? offered;
    const passed = name === offered ? message : { ...message, params: { ...call, name } };
    const { mode } = this.#parts;
    const known = this.#known.get(name);
    if (mode === 'full' || (mode === 'read-only' && known?.readOnly === true))
      return { pass: passed };
    const answer = (result: JsonObject): Passage => ({ answer: { jsonrpc: '2.0', id, result } });
    if (mode === 'stub') {
      const stub = await this.#stubOf(name, call['arguments']);
      if (stub !== null) return answer(resultOfStub(stub));
    }
    return answer({
      content: [
        {
          type: 'text',
          text: mode === 'stub' ? 'accepted, not executed' : 'not executed in this mode',
        },
      ],
      // A client refuses a result without the structured content that the tool promises.
      isError: known?.hasOutputSchema === true,
    });
  }

  /** @param method of the request that the message answers; null if it answers none */
  fromServer(message: JsonObject, method: string | null): Passage {
    const { method: asked, id, result } = message;
    if (typeof asked === 'string' && id !== undefined && asksOfServer.has(asked))
      return this.#parts.mode === 'full'
        ? { pass: message }
        : { answer: failure(id, `${asked} isn't passed on in mode ${this.#parts.mode}.`) };
    if (method !== 'tools/list' || !isJsonObject(result ?? null)) return { pass: message };
    const { tools, ...rest } = result as JsonObject;
    if (!Array.isArray(tools)) return { pass: message };
    const offered = tools.map((tool) => this.#offer(tool));
    return offered.every((tool, at) => tool === tools[at])
      ? { pass: message }
      : { pass: { ...message, result: { ...rest, tools: offered } } };
  }

  #offer(tool: JsonValue): JsonValue {
    if (!isJsonObject(tool) || typeof tool['name'] !== 'string') return tool;
    const { annotations } = tool;
    const name = tool['name'];
    this.#known.set(name, {
      readOnly: effectsOf(isJsonObject(annotations ?? null) ? (annotations as JsonObject) : null)
        .readOnly,
      hasOutputSchema: isJsonObject(tool['outputSchema'] ?? null),
    });
    const override = this.#parts.overrides.get(name);
    if (override === undefined) return tool;
    this.#applied.add(name);
    return { ...tool, ...override };
  }

  #stubOf(tool: string, args: JsonValue | undefined): Promise<TaskStub | null> {
    const { stubs, server, findStub } = this.#parts;
    const ofTool = stubs.filter((stub) => stub.server === server && stub.tool === tool);
    return findStub(ofTool, isJsonObject(args ?? null) ? (args as JsonObject) : {});
  }
}

function resultOfStub({ result, isError }: TaskStub): JsonObject {
  const { text, structured } = stubbedResult(result, isError);
  return {
    content: [{ type: 'text', text }],
    isError,
    ...(isJsonObject(structured) && { structuredContent: structured }),
  };
}

const serverError = -32_000;

/** An answer that says why there is none. */
export const failure = (id: JsonValue, message: string): JsonObject => ({
  jsonrpc: '2.0',
  id,
  error: { code: serverError, message },
});
