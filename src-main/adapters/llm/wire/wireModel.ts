import { errorText } from '../../../../src-shared/domain/errorText.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { jsonObject } from '../../../../src-shared/domain/json.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import type { Observation, ObservationDetails } from '../../../../src-shared/domain/observation.ts';
import { wireFormats, type WireApi } from '../../../../src-shared/domain/wireFormat.ts';
import type { SnapshotTool } from '../../../../src-shared/domain/tool.ts';
import { ChatFailure, type ChatModel, type ChatRequest, type ToolMapping } from '../chatModel.ts';
import type { WireDescription } from '../providerAdapter.ts';
import { contextTokensOf, tooLarge } from '../request/contextSize.ts';
import { sendWithRetries } from '../request/sendWithRetries.ts';
import type { Throttle } from '../request/throttle.ts';
import type { ToolTexts } from '../request/toolTexts.ts';
import type { Timing } from '../request/timing.ts';
import type { SchemaDialect } from './adaptSchema.ts';
import type { ReadReply } from './readReply.ts';
import { joinReplies } from './joinReplies.ts';
import { askHowSure, readHowSure } from './selfReport.ts';
import { stubResultOf, type StubbedResult } from './stubResults.ts';
import { estimateUsage, readCount, textsOf, textsOfTurn } from './usage.ts';
import { prepareWireTools, type WireTool, type WireTools } from './wireTools.ts';

/** A count is no answer: nobody waits long for one. */
const maxCountMs = 10_000;

/** How tools are written in one wire format. */
export interface ToolFormat<Tool extends object> {
  dialect: SchemaDialect;
  /** `tools` is never empty. */
  writeTools(tools: readonly WireTool[], sent: ChatModel['sent']): Tool[];
}

/** One wire format: how tools are written, a request is made and sent, an answer is read. */
export interface WireFormat<Tool extends object, Body extends object> extends ToolFormat<Tool> {
  wireApi: WireApi;
  /** `tools` is empty where none is offered: the body then leaves them out. */
  writeBody(request: ChatRequest, tools: Tool[]): Body;
  /** The request that goes on after the calls of an answer were answered. */
  writeNext(body: Body, answer: JsonObject, results: readonly StubbedResult[]): Body;
  post(body: Body, signal: AbortSignal): Promise<Response>;
  /**
   * Asks the provider how many tokens a request takes; nothing is answered. Absent: this wire
   * format has no such call.
   */
  count?(body: Body, signal: AbortSignal): Promise<Response>;
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
  throttle: Throttle;
  toolTexts: ToolTexts;
}

const preparedFor = (
  tools: readonly SnapshotTool[],
  dialect: SchemaDialect,
  sent: ChatModel['sent'],
) => prepareWireTools(tools, dialect, sent['strict'] === true);

/** A wire format as stored requests and recordings need it. */
export function describeFormat<Tool extends object>(format: ToolFormat<Tool>): WireDescription {
  return {
    describeTools(tools, sent) {
      const { offered } = preparedFor(tools, format.dialect, sent);
      return offered.length === 0
        ? []
        : format.writeTools(offered, sent).map((tool) => jsonObject.parse(tool));
    },
    mapTools(tools, sent): ToolMapping {
      const { offered, excluded, relaxations } = preparedFor(tools, format.dialect, sent);
      return {
        names: offered.map(({ name, tool }) => ({
          wire: name,
          tool: toolId(tool.server, tool.name),
        })),
        excluded,
        relaxations,
      };
    },
  };
}

export function createWireModel<Tool extends object, Body extends object>(
  format: WireFormat<Tool, Body>,
  parts: WireModelParts,
): ChatModel {
  const { configuration, sent, thing, redact } = parts;
  const described = describeFormat(format);
  const written = new WeakMap<WireTools, Tool[]>();
  const write = (tools: WireTools): Tool[] => {
    const known =
      written.get(tools) ??
      (tools.offered.length === 0 ? [] : format.writeTools(tools.offered, sent));
    written.set(tools, known);
    return known;
  };
  const send = async (body: Body, tools: WireTools, signal: AbortSignal) => {
    const { timing, throttle } = parts;
    const options = {
      thing,
      timeoutMs: configuration.timeout * 1000,
      maxRetries: configuration.maxRetries,
      signal,
      timing,
      throttle,
      requestsPerMinute: configuration.requestsPerMinute,
    };
    const marked = parts.toolTexts.mark(body);
    const { value: text, elapsedMs } = await sendWithRetries(
      async (each) => await (await format.post(marked, each)).text(),
      options,
    );
    return { ...format.read(text, tools), elapsedMs };
  };

  const count = async (body: Body, signal: AbortSignal): Promise<number> => {
    const { timing, throttle } = parts;
    const options = {
      thing,
      timeoutMs: Math.min(maxCountMs, configuration.timeout * 1000),
      maxRetries: 0,
      signal,
      timing,
      throttle,
      requestsPerMinute: configuration.requestsPerMinute,
    };
    const { value: text } = await sendWithRetries(async (each) => {
      if (!format.count)
        throw new ChatFailure('provider', `${thing} has no call that counts tokens.`);
      return await (await format.count(parts.toolTexts.mark(body), each)).text();
    }, options);
    return readCount(text, thing);
  };

  /** Where an endpoint that leaves usage out could not count either, it is not asked again. */
  let counts = format.count !== undefined;
  /**
   * The reply with its tokens: as measured, else with the input counted by the endpoint, else
   * estimated.
   */
  const withUsage = async (
    reply: ReadReply,
    body: Body,
    shown: readonly object[],
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadReply> => {
    if (reply.usage) return reply;
    const usage = estimateUsage(shown, texts, reply);
    if (!counts) return { ...reply, usage };
    try {
      return { ...reply, usage: { ...usage, input: await count(body, signal), source: 'counted' } };
    } catch {
      signal.throwIfAborted();
      counts = false;
      return { ...reply, usage };
    }
  };
  // Deferred tools are not put before the model.
  const shownOf = (written: readonly object[]): readonly object[] =>
    sent['defer_tools'] === true ? [] : written;

  /**
   * What the model itself says of its choice, asked in a conversation of its own; trouble there is
   * no trouble of the run.
   */
  const report = async (request: ChatRequest, reply: ReadReply, signal: AbortSignal) => {
    try {
      const none = prepareWireTools([], format.dialect);
      const question = askHowSure(request, reply);
      const body = format.writeBody(question, []);
      const said = await withUsage(
        (await send(body, none, signal)).reply,
        body,
        [],
        textsOf(question),
        signal,
      );
      return {
        confidence: readHowSure(said.text),
        followUp: said.text,
        followUpTokens: said.usage,
      };
    } catch (error) {
      signal.throwIfAborted();
      return {
        confidence: null,
        followUp: `It could not be asked: ${errorText(error)}`,
        followUpTokens: null,
      };
    }
  };

  return {
    provider: configuration.provider,
    wireApi: format.wireApi,
    sent,
    describeTools: (tools) => described.describeTools(tools, sent),
    excludedTools: (tools) => described.mapTools(tools, sent).excluded,
    async countInput(request, signal) {
      const tools = preparedFor(request.tools, format.dialect, sent);
      refuseOversize(request, format.wireApi, tools, write(tools), parts);
      return count(format.writeBody(request, write(tools)), signal);
    },
    async choose(request, signal) {
      const tools = preparedFor(request.tools, format.dialect, sent);
      const written = write(tools);
      refuseOversize(request, format.wireApi, tools, written, parts);
      const texts = textsOf(request);
      let body = format.writeBody(request, written);
      const maximum = request.turns?.maximum ?? 1;
      const answers: JsonObject[] = [];
      const replies: ReadReply[] = [];
      let elapsedMs = 0;
      for (;;) {
        const answer = await send(body, tools, signal);
        elapsedMs += answer.elapsedMs;
        answers.push(answer.body);
        const reply = await withUsage(answer.reply, body, shownOf(written), texts, signal);
        replies.push(reply);
        if (reply.calls.length === 0 || reply.stopReason !== 'called' || replies.length >= maximum)
          break;
        const results = reply.calls.map((call) => stubResultOf(call, request.turns?.stubs ?? []));
        body = format.writeNext(body, answer.body, results);
        texts.push(...textsOfTurn(reply, results));
      }
      const reply = joinReplies(replies);
      const reported =
        sent['confidence'] === 'self_report' ? await report(request, reply, signal) : null;
      const details: Partial<ObservationDetails> = {
        ...(tools.excluded.length > 0 && {
          excluded: tools.excluded.map(({ tool, reason }) => ({ tool, reason })),
        }),
        ...(tools.relaxations.length > 0 && { relaxations: [...tools.relaxations] }),
        ...(replies.length > 1 && { turns: replies.length }),
        ...(maximum > 1 &&
          replies.length >= maximum &&
          (replies.at(-1)?.calls.length ?? 0) > 0 && {
            stopped: `It went on calling tools when its ${maximum} turns were over.`,
          }),
        ...(reply.loaded !== undefined && {
          loaded: reply.loaded.map((name) => toolOf(name, tools)),
        }),
        ...(reported && { followUp: reported.followUp, followUpTokens: reported.followUpTokens }),
      };
      const { loaded: _, confidence = null, ...observed } = reply;
      const observation: Observation = {
        ...observed,
        confidence: reported?.confidence ?? confidence,
      };
      return {
        observation: Object.keys(details).length > 0 ? { ...observation, details } : observation,
        request: withoutTools(body, redact),
        response: answers.length === 1 ? (answers[0] ?? null) : { turns: answers },
        elapsedMs,
      };
    },
    async close() {
      // Connections belong to the process and close by themselves.
    },
  };
}

function refuseOversize(
  request: ChatRequest,
  wireApi: WireApi,
  tools: WireTools,
  written: readonly object[],
  { configuration, sent, thing }: WireModelParts,
): void {
  const { maxTools, maxDeferredTools } = wireFormats[wireApi];
  const limit = sent['defer_tools'] === true ? maxDeferredTools : maxTools;
  if (tools.offered.length > limit) {
    throw new ChatFailure(
      'provider',
      `${tools.offered.length} tools are offered, and ${thing} takes ${limit}. Nothing was ` +
        'sent. Choose fewer servers for this case.',
    );
  }
  // Deferred tools are not put before the model.
  const large = tooLarge(
    sent['defer_tools'] === true ? [] : written,
    textsOf(request),
    contextTokensOf(configuration),
  );
  if (large !== null)
    throw new ChatFailure(
      'provider',
      `${large} Nothing was sent. Choose fewer servers for this case, or a model that takes more.`,
    );
}

function toolOf(wire: string, { byName }: WireTools): string {
  const found = byName.get(wire)?.tool;
  return found ? toolId(found.server, found.name) : wire;
}

/**
 * The body as it was sent, its tools left out under their name; what a case quotes of a key is not
 * kept either.
 */
function withoutTools(body: object, redact: (text: string) => string): JsonObject {
  const kept = 'tools' in body ? { ...body, tools: [] } : body;
  return JSON.parse(redact(JSON.stringify(kept))) as JsonObject;
}
