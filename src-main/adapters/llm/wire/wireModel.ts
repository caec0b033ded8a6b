import type { JsonObject, JsonValue } from '../../../../src-shared/domain/json.ts';
import { jsonObject } from '../../../../src-shared/domain/json.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import type { Observation } from '../../../../src-shared/domain/observation.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { ChatFailure, type ChatModel, type ChatRequest } from '../chatModel.ts';
import { sendWithRetries } from '../request/sendWithRetries.ts';
import type { Timing } from '../request/timing.ts';
import type { SchemaDialect } from './adaptSchema.ts';
import { prepareWireTools, type WireTool, type WireTools } from './wireTools.ts';

/** More are refused by providers, or quietly cut by those behind them; none is left out here without a word. */
const maximumTools = 128;

export type ReadReply = Pick<Observation, 'calls' | 'text' | 'reasoning' | 'stopReason' | 'usage'>;

/** One wire format: how tools are written, a request is made and sent, an answer is read. */
export interface WireFormat<Tool, Body extends object> {
  wireApi: string;
  dialect: SchemaDialect;
  writeTool: (tool: WireTool) => Tool;
  /** `tools` is empty where none is offered: the body then leaves them out. */
  writeBody(request: ChatRequest, tools: Tool[]): Body;
  post(body: Body, signal: AbortSignal): Promise<Response>;
  /** Throws ChatFailure where the text is no answer. */
  read(text: string, tools: WireTools): { body: JsonObject; reply: ReadReply };
}

export interface WireModelParts {
  configuration: ModelConfiguration;
  sent: ChatModel['sent'];
  /** Names provider and host in every message. */
  thing: string;
  redact: (text: string) => string;
  timing: Timing;
}

/** The tool array of a wire format, for stored requests. */
export function describeWith(dialect: SchemaDialect, writeTool: (tool: WireTool) => object): (tools: readonly SnapshotTool[]) => JsonValue[] {
  return (tools) => prepareWireTools(tools, dialect).offered.map((tool) => jsonObject.parse(writeTool(tool)));
}

export function createWireModel<Tool extends object, Body extends object>(format: WireFormat<Tool, Body>, parts: WireModelParts): ChatModel {
  const { configuration, sent, thing, redact, timing } = parts;
  const describeTools = describeWith(format.dialect, format.writeTool);
  return {
    provider: configuration.provider,
    wireApi: format.wireApi,
    sent,
    describeTools,
    excludedTools: (tools) => prepareWireTools(tools, format.dialect).excluded,
    async choose(request, signal) {
      const tools = prepareWireTools(request.tools, format.dialect);
      if (tools.offered.length > maximumTools) {
        throw new ChatFailure('provider', `${tools.offered.length} tools are offered, and ${thing} takes ${maximumTools}. Nothing was sent. Choose fewer servers for this case.`);
      }
      const body = format.writeBody(request, tools.offered.map(format.writeTool));
      const options = { thing, timeoutMs: configuration.timeout * 1000, maxRetries: configuration.maxRetries, signal, timing };
      const { value: text, elapsedMs } = await sendWithRetries(async (each) => await (await format.post(body, each)).text(), options);
      const read = format.read(text, tools);
      const { excluded, relaxations } = tools;
      const details: JsonValue = { excluded: excluded.map(({ tool, reason }) => ({ tool, reason })), relaxations: [...relaxations] };
      return {
        observation: { ...read.reply, confidence: null, ...(excluded.length + relaxations.length > 0 && { details }) },
        request: withoutTools(body, redact),
        response: read.body,
        elapsedMs,
      };
    },
    async close() {
      // Connections belong to the process and close by themselves.
    },
  };
}

/** The body as it was sent, its tools left out under their name; what a case quotes of a key is not kept either. */
function withoutTools(body: object, redact: (text: string) => string): JsonObject {
  const kept = 'tools' in body ? { ...body, tools: [] } : body;
  return jsonObject.parse(JSON.parse(redact(JSON.stringify(kept))));
}
