import { errorFacts } from '../request/errorFacts.ts';
import { errorText } from '../../../../src-shared/domain/errorText.ts';
import { parseJson } from '../../../../src-shared/domain/exactNumber.ts';
import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import { toolId } from '../../../../src-shared/domain/labels.ts';
import type { ModelConfiguration } from '../../../../src-shared/domain/model.ts';
import type {
  Observation,
  ObservationDetails,
  TokenUsage,
} from '../../../../src-shared/domain/observation.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import {
  ChatFailure,
  type ChatInput,
  type ChatModel,
  type ChatRequest,
  type ConversationRequest,
} from '../chatModel.ts';
import { answeredError, UnusableAnswer } from '../request/endpointErrors.ts';
import { excerpt } from '../request/excerpt.ts';
import { readBody } from '../request/readBody.ts';
import type { RequestAccount, SentRequest } from '../request/requestAccount.ts';
import { findRefusal, type RefusedSettings } from '../request/refusedSettings.ts';
import { sendWithRetries } from '../request/sendWithRetries.ts';
import { replyTrouble, type AskedWith } from '../replyTrouble.ts';
import type { Throttle } from '../request/throttle.ts';
import type { ToolTexts } from '../request/toolTexts.ts';
import type { Timing } from '../request/timing.ts';
import type { Additions } from '../request/additions.ts';
import type { ReadReply } from './readReply.ts';
import { readStream } from './readStream.ts';
import { joinReplies } from './joinReplies.ts';
import { selfReportRequest, parseSelfReport } from './selfReport.ts';
import { rejectOversize } from './rejectOversize.ts';
import { stubResultOf } from './stubResults.ts';
import {
  estimateUsage,
  inputTexts,
  readCount,
  replyTexts,
  requestTexts,
  readUsage,
} from './usage.ts';
import { prepareFor, describeFormat, type WireFormat } from './wireFormat.ts';
import { prepareWireTools, type WireTools } from './wireTools.ts';

/** A count is not worth a long wait. */
const countTimeoutMs = 10_000;

export interface WireModelParts {
  configuration: ModelConfiguration;
  sent: ChatModel['sent'];
  /** Names provider and host in every message. */
  thing: string;
  /** Takes secrets out of what was sent and received. */
  redactValue: Secrets['redactValue'];
  timing: Timing;
  throttle: Throttle;
  toolTexts: ToolTexts;
  refused: RefusedSettings;
  additions: Additions;
}

/**
 * A model over one wire format: it prepares the tools, sends each turn with retries, answers calls
 * with stubs, and adds usage and a self-report where they are asked for.
 */
export function createWireModel<Tool extends object, Body extends object>(
  format: WireFormat<Tool, Body>,
  parts: WireModelParts,
): ChatModel {
  const { configuration, sent, thing, redactValue, refused, additions } = parts;
  const described = describeFormat(format);
  const written = new WeakMap<WireTools, Tool[]>();
  const write = (tools: WireTools): Tool[] => {
    const known =
      written.get(tools) ??
      (tools.offered.length === 0 ? [] : format.writeTools(tools.offered, sent));
    written.set(tools, known);
    return known;
  };
  const loose = new WeakMap<WireTools, Tool[]>();
  /** The same request with tools as they are sent where strict mode is off. */
  const withLooseTools = (body: Body, tools: WireTools): Body => {
    if (!('tools' in body) || tools.offered.length === 0) return body;
    const written =
      loose.get(tools) ??
      format.writeTools(
        tools.offered.map((each) => ({ ...each, strict: null })),
        sent,
      );
    loose.set(tools, written);
    return { ...body, tools: written };
  };
  const send = async (
    body: Body,
    tools: WireTools,
    signal: AbortSignal,
    account: RequestAccount | undefined,
    mark: (body: Body) => Body = (each) => each,
  ) => {
    const { timing, throttle } = parts;
    const options = {
      thing,
      timeoutMs: configuration.timeout * 1000,
      maxRetries: configuration.maxRetries,
      maxWaitMs: configuration.maxWait === null ? null : configuration.maxWait * 1000,
      signal,
      timing,
      throttle,
      requestsPerMinute: configuration.requestsPerMinute,
      account,
    };
    const whole = withAdditions(mark(body), additions.body, {
      stream: configuration.stream,
      withUsage: format.wireApi === 'openai-chat',
    });
    for (;;) {
      const known = new Set(refused.list.map(({ setting }) => setting));
      const adapted = refused.adapt(refused.has('strict') ? withLooseTools(whole, tools) : whole);
      const marked = parts.toolTexts.mark(adapted);
      try {
        const {
          value,
          elapsedMs,
          sent: request,
        } = await sendWithRetries(async (each, received) => {
          const response = await format.post(marked, each);
          let text = await response.text();
          received();
          try {
            text = readStream(format.wireApi, text, thing);
            // The text was redacted as it came. What its strings hold is only seen once it is parsed.
            return redactValue(format.read(text, tools));
          } catch (error) {
            throw new UnusableAnswer(error, response.headers, readUsage(readBody(text)));
          }
        }, options);
        return { ...value, askedBody: body, sentBody: adapted, elapsedMs, request };
      } catch (error) {
        const answered = answeredError(error);
        const found = answered && findRefusal(answered.status, answered.text, adapted);
        // Repeated once without the setting. What was left out already is about something else.
        if (found === null || known.has(found.setting)) throw error;
        refused.learn([found]);
        signal.throwIfAborted();
      }
    }
  };
  /** Sends once more without what the endpoint refuses of its own earlier messages. */
  const sendAgain: typeof send = async (body, ...rest) => {
    try {
      return await send(body, ...rest);
    } catch (error) {
      const taken =
        error instanceof ChatFailure && !error.fatal
          ? format.withoutRefused?.(body, [error.message, ...refusedPaths(error)].join(' '))
          : null;
      if (!taken) throw error;
      return sendAgain(taken, ...rest);
    }
  };

  const count = async (body: Body, signal: AbortSignal): Promise<number> => {
    const { timing, throttle } = parts;
    const options = {
      thing,
      timeoutMs: Math.min(countTimeoutMs, configuration.timeout * 1000),
      maxRetries: 0,
      signal,
      timing,
      throttle,
      requestsPerMinute: configuration.requestsPerMinute,
    };
    const { value: text } = await sendWithRetries(async (each) => {
      if (!format.count)
        throw new ChatFailure('provider', `${thing} has no API that counts tokens.`);
      return await (await format.count(parts.toolTexts.mark(body), each)).text();
    }, options);
    return readCount(text, thing);
  };

  /** False once the endpoint could not count: it is not asked again. */
  let counts = format.count !== undefined;
  /**
   * The reply with its tokens: measured, or else with the input counted by the endpoint, or else
   * estimated.
   */
  const withUsage = async (
    reply: ReadReply,
    body: Body,
    shown: readonly object[],
    texts: readonly string[],
    signal: AbortSignal,
    request: SentRequest | undefined,
  ): Promise<ReadReply> => {
    if (reply.usage) {
      request?.answered(reply.usage);
      return reply;
    }
    const usage = estimateUsage(shown, texts, reply);
    let input: number | null = null;
    if (counts)
      try {
        input = await count(body, signal);
      } catch {
        // The endpoint can’t count: the estimate stays, and it isn’t asked again.
        counts = false;
      }
    const known: TokenUsage = input === null ? usage : { ...usage, input, source: 'counted' };
    request?.answered(known);
    signal.throwIfAborted();
    return { ...reply, usage: known };
  };
  // The model doesn't see deferred tools.
  const shownOf = (written: readonly object[]): readonly object[] =>
    sent['defer_tools'] === true ? [] : written;

  /**
   * The model's own confidence in its choice, asked in a conversation of its own. An error there
   * doesn't fail the run.
   */
  const report = async (
    request: ChatRequest,
    reply: ReadReply,
    signal: AbortSignal,
    account: RequestAccount | undefined,
  ) => {
    try {
      const none = prepareWireTools([], format.dialect);
      const question = selfReportRequest(request, reply);
      const body = format.writeBody(question, []);
      const answer = await send(body, none, signal, account);
      const texts = [...requestTexts(question), question.query];
      const said = await withUsage(answer.reply, body, [], texts, signal, answer.request);
      return {
        confidence: parseSelfReport(said.text),
        followUp: said.text,
        followUpTokens: said.usage,
      };
    } catch (error) {
      signal.throwIfAborted();
      return {
        confidence: null,
        followUp: `It could not be reached: ${errorText(error)}`,
        followUpTokens: null,
      };
    }
  };

  const rejectEmpty = (reply: ReadReply, answer: JsonObject, asked: AskedWith): void => {
    if (!isEmpty(reply)) return;
    const trouble = replyTrouble(reply, asked);
    if (trouble !== null) throw new ChatFailure('model', trouble, { response: answer });
    throw new ChatFailure(
      'provider',
      `${thing} gave an empty answer, without a call or a text: ${excerpt(JSON.stringify(answer))}`,
      { response: answer },
    );
  };

  /**
   * A conversation with what `choose` needs of each of its answers. `checkFirst` may reject the
   * first one before its tokens are counted. `mark` changes each request as it is sent.
   */
  const begin = (
    request: ConversationRequest,
    { checkFirst, mark }: { checkFirst?: typeof rejectEmpty; mark?: (body: Body) => Body },
  ) => {
    const tools = prepareFor(request.tools, format.dialect, sent);
    const offered = write(tools);
    const texts = requestTexts(request);
    let last: { body: Body; answer: JsonObject } | null = null;
    const nextBody = (input: ChatInput): Body => {
      if (last === null) {
        if (input.by !== 'user') throw new Error('A conversation begins with the user.');
        return format.writeBody({ ...request, query: input.text }, offered);
      }
      return input.by === 'user'
        ? format.writeTurn(last.body, last.answer, input.text)
        : format.writeNext(last.body, last.answer, input.results);
    };
    return {
      tools,
      async next(input: ChatInput, signal: AbortSignal, account?: RequestAccount) {
        texts.push(...inputTexts(input));
        rejectOversize(texts, format.wireApi, tools, offered, parts);
        const answer = await sendAgain(nextBody(input), tools, signal, account, mark);
        const body = answer.sentBody;
        if (last === null)
          try {
            checkFirst?.(answer.reply, answer.body, { tools: request.tools, sent });
          } catch (error) {
            const { usage } = answer.reply;
            const shown = shownOf(offered);
            answer.request?.answered(usage ?? estimateUsage(shown, texts, answer.reply), 'lost');
            throw error;
          }
        // The next request begins without the marks of this one, whose number is limited.
        last = { body: answer.askedBody, answer: answer.body };
        const shown = shownOf(offered);
        const reply = await withUsage(answer.reply, body, shown, texts, signal, answer.request);
        texts.push(...replyTexts(reply));
        return {
          reply,
          body: answer.sentBody,
          answer: answer.body,
          elapsedMs: answer.elapsedMs,
        };
      },
    };
  };

  return {
    provider: configuration.provider,
    wireApi: format.wireApi,
    sent,
    get refused() {
      return refused.list;
    },
    describeTools: (tools) => described.describeTools(tools, sent),
    excludedTools: (tools) => described.mapTools(tools, sent).excluded,
    async countInput(request, signal) {
      const tools = prepareFor(request.tools, format.dialect, sent);
      const texts = [...requestTexts(request), request.query];
      rejectOversize(texts, format.wireApi, tools, write(tools), parts);
      return count(format.writeBody(request, write(tools)), signal);
    },
    converse(request) {
      const conversation = begin(request, {
        mark: (body) => format.prepareForMore?.(body) ?? body,
      });
      return {
        async next(input, signal, account) {
          const next = await conversation.next(input, signal, account);
          const { reply, body, answer, elapsedMs } = next;
          const { loaded: _, confidence = null, ...observed } = reply;
          return {
            observation: { ...observed, confidence },
            request: redactValue(withoutTools(body)),
            response: answer,
            elapsedMs,
          };
        },
      };
    },
    async choose(request, signal, account) {
      // After a call, an empty reply is an end; before one, it says nothing about the choice.
      const conversation = begin(request, { checkFirst: rejectEmpty });
      const { tools } = conversation;
      const maximum = request.turns?.maximum ?? 1;
      let input: ChatInput = { by: 'user', text: request.query };
      let body: Body;
      const answers: JsonObject[] = [];
      const replies: ReadReply[] = [];
      let elapsedMs = 0;
      for (;;) {
        const next = await conversation.next(input, signal, account);
        const { reply } = next;
        body = next.body;
        elapsedMs += next.elapsedMs;
        answers.push(next.answer);
        replies.push(reply);
        if (reply.calls.length === 0 || reply.stopReason !== 'called' || replies.length >= maximum)
          break;
        const results = reply.calls.map((call) => stubResultOf(call, request.turns?.stubs ?? []));
        input = { by: 'tools', results };
      }
      const reply = joinReplies(replies);
      const reported =
        sent['confidence'] === 'self_report' ? await report(request, reply, signal, account) : null;
      const details: Partial<ObservationDetails> = {
        ...(tools.excluded.length > 0 && {
          excluded: tools.excluded.map(({ tool, reason }) => ({ tool, reason })),
        }),
        ...(tools.relaxations.length > 0 && { relaxations: [...tools.relaxations] }),
        ...(refused.list.length > 0 && { refused: [...refused.list] }),
        ...(replies.length > 1 && { turns: replies.length }),
        ...(maximum > 1 &&
          replies.length >= maximum &&
          (replies.at(-1)?.calls.length ?? 0) > 0 && {
            stopped: `It kept calling tools after its ${maximum} turns.`,
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
        request: redactValue(withoutTools(body)),
        response: answers.length === 1 ? (answers[0] ?? null) : { turns: answers },
        elapsedMs,
      };
    },
    async close() {
      // Connections belong to the process and close on their own.
    },
  };
}

/** The refused parts of the request that an error names by their paths only (Mistral, FastAPI). */
function refusedPaths(error: unknown): readonly string[] {
  const answered = answeredError(error);
  return answered === null ? [] : errorFacts(answered.text).paths;
}

/** An ordinary ending with neither a call nor a text, whatever a provider writes in their place. */
const isEmpty = ({ calls, text, stopReason }: ReadReply): boolean =>
  stopReason === 'answered' && calls.length === 0 && (text ?? '').trim() === '';

function toolOf(wire: string, { byName }: WireTools): string {
  const found = byName.get(wire)?.tool;
  return found ? toolId(found.server, found.name) : wire;
}

/** What only makes sense in a request that offers tools. */
const ofTools = new Set(['tool_choice', 'parallel_tool_calls']);

/** A body with the fields that a person adds, and as a stream where that is set. */
function withAdditions<Body extends object>(
  body: Body,
  own: Additions['body'],
  { stream, withUsage }: { stream: boolean; withUsage: boolean },
): Body {
  const fields = Object.entries(own).filter(([name]) => 'tools' in body || !ofTools.has(name));
  return {
    ...body,
    ...Object.fromEntries(fields),
    ...(stream && { stream: true, ...(withUsage && { stream_options: { include_usage: true } }) }),
  };
}

function withoutTools(body: object): JsonObject {
  const kept = 'tools' in body ? { ...body, tools: [] } : body;
  return parseJson(JSON.stringify(kept)) as JsonObject;
}
