import { jsonObject, type JsonObject } from '../../../../src-shared/domain/json.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import type { WireApi } from '../../../../src-shared/domain/wireFormat.ts';
import type { CallResult, ChatModel, ChatRequest, ToolMapping } from '../chatModel.ts';
import type { WireDescription } from '../providerAdapter.ts';
import type { SchemaDialect } from './adaptSchema.ts';
import type { ReadReply } from './readReply.ts';
import { prepareWireTools, type WireTool, type WireTools } from './wireTools.ts';

export interface ToolFormat<Tool extends object> {
  dialect: SchemaDialect;
  /** `tools` is never empty. */
  writeTools(tools: readonly WireTool[], sent: ChatModel['sent']): Tool[];
}

/** One wire format: writing tools and requests, sending them, and reading answers. */
export interface WireFormat<Tool extends object, Body extends object> extends ToolFormat<Tool> {
  wireApi: WireApi;
  /** Without tools where `tools` is empty. */
  writeBody(request: ChatRequest, tools: Tool[]): Body;
  /** The next request, after the calls of an answer got their results. */
  writeNext(body: Body, answer: JsonObject, results: readonly CallResult[]): Body;
  /** The next request, after an answer without calls, with what the user says then. */
  writeTurn(body: Body, answer: JsonObject, text: string): Body;
  /**
   * The same request with what its conversation needs: what makes the provider keep its beginning for
   * the next request, and what lets the model's reasoning be sent back. Absent: nothing.
   */
  prepareForMore?(body: Body): Body;
  /**
   * The request without the members of the model's own messages that an error names, because the
   * endpoint doesn't take them back; later requests leave them out too. Null: it names none.
   */
  withoutRefused?(body: Body, message: string): Body | null;
  post(body: Body, signal: AbortSignal): Promise<Response>;
  /**
   * Asks the provider how many tokens a request has, without an answer. Absent: the wire format has
   * no such call.
   */
  count?(body: Body, signal: AbortSignal): Promise<Response>;
  /** Throws ChatFailure where the text is not an answer. */
  read(text: string, tools: WireTools): { body: JsonObject; reply: ReadReply };
}

export const prepareFor = (
  tools: readonly SnapshotTool[],
  dialect: SchemaDialect,
  sent: ChatModel['sent'],
) => prepareWireTools(tools, dialect, sent['strict'] === true);

/** What stored requests and recordings need of a wire format. */
export function describeFormat<Tool extends object>(format: ToolFormat<Tool>): WireDescription {
  return {
    describeTools(tools, sent) {
      const { offered } = prepareFor(tools, format.dialect, sent);
      return offered.length === 0
        ? []
        : format.writeTools(offered, sent).map((tool) => jsonObject.parse(tool));
    },
    mapTools(tools, sent): ToolMapping {
      const { offered, excluded, relaxations, adapted } = prepareFor(tools, format.dialect, sent);
      return {
        names: offered.map(({ name, tool }) => ({
          wire: name,
          tool: toolId(tool.server, tool.name),
        })),
        excluded,
        relaxations,
        adapted,
      };
    },
  };
}
