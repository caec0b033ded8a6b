import { nextStepHere } from '../../runtime/window.ts';
import { formatBytes } from '../../../src-shared/display/numbers.ts';
import { formatCount, formatDuration, formatLimit } from '../../../src-shared/display/numbers.ts';
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client';
import { errorChain, errorText } from '../../../src-shared/domain/errorText.ts';
import { ServiceError } from '../../../src-shared/contract/errors.ts';
import { SpawnFailure, type TreeExit } from '../process/spawnTree.ts';
import { maxMessageDepth } from './limits.ts';
import { McpFault } from './mcpFault.ts';
import { namedError } from './namedError.ts';
import { challengeOf, saidByServer, type HttpAnswer } from './saidByServer.ts';
import { withoutProbe } from './withoutProbe.ts';
import type { CallFate, WireTarget } from './mcpConnection.ts';

/** The stage of the exchange that a message names. */
export type Stage = 'connect' | 'initialize' | ListMethod | 'tools/call';

/** The requests that list something page by page. */
export type ListMethod =
  'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';

/** The connection broke. The result of a call is unknown then, and it is not repeated. */
class ConnectionLost extends McpFault {}

/** The connection had ended before, so that the request was not sent. */
class NotSent extends McpFault {}

/** The server lost the session. A listing may open a new one once, a call never. */
export class SessionEnded extends ConnectionLost {}

/** What a started process has shown so far. */
interface StartNotes {
  hasSpoken: boolean;
  lastNoise: string;
  lastLine(): string;
}

/** The server refused a request with a status of HTTP. */
export class HttpRefusal extends McpFault {
  readonly status: number;
  /** Whether its answer is an error of the protocol. */
  readonly isRpc: boolean;

  constructor(
    sentence: string,
    nextStep: string,
    { status, isRpc }: { status: number; isRpc: boolean },
  ) {
    super(sentence, nextStep);
    this.status = status;
    this.isRpc = isRpc;
  }
}

/** So much of a text is read to make a short message of it. */
const maxRead = 32 * 1024;
const maxFaultLength = 400;

export const faults = {
  noAnswer: (ms: number) =>
    new McpFault(
      `no answer in ${formatDuration(ms)}.`,
      "Check that this is the right server and that it isn't stuck, then try again.",
    ),
  noHandshake: (ms: number, process: StartNotes | null | undefined) => {
    const time = formatLimit(ms);
    const longer = `set a longer start timeout, such as ${Math.ceil((2 * ms) / 1000)} s`;
    if (process == null)
      return new McpFault(
        `no answer in ${time}.`,
        `Check that this is the right server and that it isn't stuck. If it only starts slowly, ${longer}.`,
      );
    if (process.hasSpoken)
      return new McpFault(
        `the process runs and sent other messages, but no answer to initialize in ${time}.`,
        'Fix the server: it must answer initialize before anything else.',
      );
    if (process.lastNoise.trim() !== '')
      return new McpFault(
        `the process runs and wrote to standard output, but not a message of MCP in ${time}: ${shorten(process.lastNoise)}`,
        'Check that the command starts an MCP server that uses standard input and output, ' +
          `not one that waits for HTTP requests. If it is still starting, ${longer}.`,
      );
    return process.lastLine() === ''
      ? new McpFault(
          `the process runs but wrote nothing in ${time}: no answer and no error output.`,
          'Check that the command starts an MCP server that uses standard input and output. ' +
            `If it only starts slowly, ${longer}.`,
        )
      : new McpFault(
          `the process runs and wrote error output, but did not answer in ${time}. It may still be starting.`,
          `If its output shows that it is installing or loading, ${longer}. Otherwise, fix what it reports.`,
        );
  },
  tooLarge: (bytes: number) =>
    new McpFault(
      `the server sent an answer larger than ${formatBytes(bytes)}.`,
      'Make the server send less, or send pages, then connect again.',
    ),
  malformed: (excerpt: string) =>
    new McpFault(
      `the server's answer is not valid JSON-RPC: ${excerpt.slice(0, maxRead)}`,
      'Fix the server: an answer contains "jsonrpc": "2.0", the id, and either a result ' +
        'object or an error.',
    ),
  wrongShape: (what: string) =>
    new McpFault(
      `the server's answer ${what}.`,
      "Fix the server: its answer doesn't follow the protocol.",
    ),
  tooDeep: () =>
    new McpFault(
      `the server's answer nests deeper than ${formatCount(maxMessageDepth)} levels.`,
      'Make the tool return flatter content, then call it again.',
    ),
  connectionLost: () =>
    new ConnectionLost(
      'the connection was lost before the answer came.',
      'Check that the server is still running, then connect again.',
    ),
  sessionEnded: (status: number) =>
    new SessionEnded(
      `the server no longer knows this session (HTTP ${status}).`,
      'Check that the server is still running, then connect again.',
    ),
  notSent: ({ message, nextStep }: McpFault) => new NotSent(message, nextStep),
  closed: () => new McpFault('the connection is closed.', 'Connect to the server again.'),
  notReading: () =>
    new NotSent(
      "the server doesn't read its input.",
      'Check that the command starts an MCP server that uses standard input and output.',
    ),
  streamEnded: () =>
    new ConnectionLost(
      'the server ended its stream of events without an answer.',
      "Check the server's log: it must send the answer before it ends the stream.",
    ),
  noMessage: () =>
    new ConnectionLost(
      'the server answered the request without a message for it.',
      "Check the server's log: it must answer each request with its result or an error.",
    ),
  redirected: (status: number, target: string) =>
    new McpFault(
      `the server redirects to ${target}, another origin (HTTP ${status}). The redirect was not ` +
        'followed, and no header was sent there.',
      'If that is the intended server, enter its address instead.',
    ),
  redirectsElsewhere: (status: number, scheme: string | null) =>
    new McpFault(
      `the server redirects to ${scheme === null ? 'an invalid address' : `an address that starts with ${scheme.slice(0, 40)}`} ` +
        `(HTTP ${status}), where no server can be. The redirect was not followed.`,
      'Check that this is the address of an MCP server: a page to sign in or another program may answer there.',
    ),
  redirectChangesMethod: (status: number, target: string) =>
    new McpFault(
      `the server redirects to ${target} (HTTP ${status}). The redirect was not followed, because ` +
        `HTTP ${status} turns the request into one without its message.`,
      'Enter that address instead, or let the server redirect with HTTP 307 or 308.',
    ),
  tooManyRedirects: (status: number, target: string, count: number) =>
    new McpFault(
      `the server redirected ${count} times, last to ${target} (HTTP ${status}).`,
      'Enter the address that answers.',
    ),
  refused: (refusal: Refusal) =>
    new HttpRefusal(refusalSentence(refusal), stepAfter(refusal), refusal),
  notMcp: (answer: HttpAnswer) => {
    const said = saidByServer(answer);
    const type =
      answer.contentType === '' ? 'an answer without a content type' : answer.contentType;
    return new McpFault(
      `the answer isn't an MCP message but ${type}${said === null ? '' : `: ${said}`}`,
      /html/i.test(type)
        ? 'Check the address: it looks like a web page.'
        : 'Check the address and its path.',
    );
  },
  addressRefused: (reason: string) =>
    new McpFault(
      reason,
      nextStepHere({
        window:
          'Check the address of the server. If you trust its host, add it under Settings, Allowed hosts.',
        terminal: 'Check the address of the server.',
      }),
    ),
  overLimit: (what: string, noun: string) =>
    new McpFault(
      `${what}; the incomplete list was not used.`,
      `Fix the server's paging, or serve fewer ${noun}s.`,
    ),
};

interface Refusal extends HttpAnswer {
  status: number;
  /** Who answered: the host, and the path if the request was redirected. */
  where: string;
  isRpc: boolean;
  /** The header Retry-After; empty if there is none. */
  retryAfter: string;
}

function refusalSentence(refusal: Refusal): string {
  const said = saidByServer(refusal);
  return `the server at ${refusal.where} answered with HTTP ${refusal.status}${said === null ? ' and no reason.' : `: ${/[.!?…]$/.test(said) ? said : `${said}.`}`}`;
}

const fixWhatItNames = 'Fix what the server names.';
const signInStep =
  "Sign in on the server's page, or put the token it requires into its headers, for example as " +
  'Authorization.';

/** The next step where the status or the reason makes it certain; or else, what the server names. */
function stepAfter(refusal: Refusal): string {
  const { status, isRpc, challenge, retryAfter } = refusal;
  const said = saidByServer(refusal);
  const { error, scope } = challengeOf(challenge);
  if (status === 401) return signInStep;
  if (error === 'insufficient_scope')
    return scope === undefined
      ? 'Use credentials with the scope that the server requires.'
      : `Use credentials with the scope ${scope}.`;
  if (status === 429)
    return /^\d+$/.test(retryAfter)
      ? `Try again in ${formatDuration(Number(retryAfter) * 1000)}.`
      : 'Try again later.';
  if (status >= 500) return "Check the server's log, then try again.";
  // The words of the TypeScript and the Python SDK, which protect local servers this way.
  if (
    said !== null &&
    /invalid (?:host|origin)|(?:host|origin) (?:header )?not allowed/i.test(said)
  )
    return 'Add this host or origin to those that the server allows, or use an address that it allows.';
  const isUnknownPath = (status === 404 || status === 405) && !isRpc;
  if (isUnknownPath || (status === 400 && said === null))
    return 'Check the path and the transport: streamable HTTP and SSE have different addresses.';
  if (said !== null) return fixWhatItNames;
  return status === 403
    ? 'Check the permissions of its credentials, and which hosts the server accepts.'
    : checkAddress;
}

/** What is known about the connection in addition to the error. */
export interface Symptoms {
  exit: TreeExit | null;
  stderrTail: string;
  /** The last error that the transport reported outside of a request. */
  lastError: Error | null;
}

/**
 * The only place where a failure becomes a message for the user: the server, the stage, what
 * happened, what is left of it, and what to do.
 */
export function troubleOf(
  target: WireTarget,
  stage: string,
  error: unknown,
  symptoms: Symptoms,
): ServiceError {
  if (error instanceof ServiceError) return error;
  const { redact } = target;
  const { sentence, nextStep } = describe(target, error);
  const parts = [`${stage}: ${withStop(sentence)}`];
  if (stage === 'tools/call' && error instanceof ConnectionLost)
    parts.push('The call may or may not have taken effect. It was not repeated.');
  if (stage === 'tools/call' && error instanceof NotSent) parts.push('The call was not sent.');
  if (symptoms.exit !== null) parts.push(describeExit(symptoms.exit));
  const { lastError } = symptoms;
  if (
    lastError !== null &&
    lastError !== error &&
    !sentence.includes(lastError.message) &&
    withoutProbe(lastError.message) !== '' &&
    !followsFromTheEnd(lastError, symptoms.exit)
  ) {
    parts.push(`Reported earlier: ${withStop(shorten(lastError.message, { redact }))}`);
  }
  const stderrTail = withoutProbe(symptoms.stderrTail);
  if (stderrTail !== '') parts.push(describeOutput(stderrTail, redact));
  const step =
    symptoms.exit === null
      ? nextStep
      : 'Run the command in a terminal to see why the server exits, fix it, and connect again.';
  return new ServiceError(
    'TROUBLE',
    { thing: `Server "${target.name}"`, cause: parts.join(' '), nextStep: step },
    { cause: error },
  );
}

/** A broken pipe of a process that has exited adds nothing, and occurs only by chance. */
function followsFromTheEnd(error: Error, exit: TreeExit | null): boolean {
  return (
    exit !== null && 'code' in error && (error.code === 'EPIPE' || error.code === 'ECONNRESET')
  );
}

/** The line of the error output that names the error, or else its last lines. */
function describeOutput(tail: string, redact: WireTarget['redact']): string {
  const named = namedError(tail);
  const [intro, text] =
    named === null
      ? ['Its error output ends with', tail.split('\n').slice(-5).join(' ⏎ ')]
      : ['Its error output says', named];
  return `${intro}: ${withStop(shorten(text, { redact, length: 600 }))}`;
}

function withStop(sentence: string): string {
  return /[.!?…)]$/.test(sentence) ? sentence : `${sentence}.`;
}

function describeExit(exit: TreeExit): string {
  return exit.signal === null
    ? `The server's process ended with exit code ${exit.code ?? 'unknown'}.`
    : `The server's process was ended by signal ${exit.signal}.`;
}

interface Described {
  sentence: string;
  nextStep: string;
}

const checkAddress = 'Check the address and that the server is running.';

function describe(target: WireTarget, error: unknown): Described {
  const { redact } = target;
  if (error instanceof McpFault) {
    const sentence = shorten(error.message, { redact, length: maxFaultLength });
    return { sentence, nextStep: error.nextStep };
  }
  if (error instanceof SpawnFailure) return describeSpawn(error);
  const status = statusOf(error);
  if (status !== null)
    return describe(
      target,
      faults.refused({
        ...{ status, where: hostOf(target), isRpc: false, retryAfter: '' },
        ...{ body: '', contentType: '', challenge: '' },
      }),
    );
  if (error instanceof ProtocolError) {
    return {
      sentence: `the server answered with error ${error.code}: ${shorten(error.message, { redact })}`,
      nextStep: "Check the server's log.",
    };
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed)
    return describe(target, faults.connectionLost());
  const text = errorText(error);
  if (error instanceof SdkError && error.code === SdkErrorCode.ClientHttpUnexpectedContent) {
    return {
      sentence: `the answer isn't an MCP message (${shorten(text, { redact })}).`,
      nextStep: 'Check the address: it looks like a web page.',
    };
  }
  if (
    isUnreadable(error) ||
    (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult)
  )
    return describe(target, faults.malformed(text));
  return (
    describeNetwork(target, error) ?? {
      sentence: shorten(`${text}${causesOf(error, text)}`, { redact }),
      nextStep:
        target.config.transport === 'stdio' ? 'Check the command and its arguments.' : checkAddress,
    }
  );
}

/** The causes of an error whose own message says little, such as "fetch failed". */
function causesOf(error: unknown, said: string): string {
  return errorChain(error)
    .slice(1)
    .map(({ message }) => message)
    .filter((message) => message !== '' && !said.includes(message))
    .slice(0, 3)
    .map((message) => `: ${message}`)
    .join('');
}

/** Returns true if the answer was no JSON, or no JSON-RPC message by the schema of the SDK. */
export function isUnreadable(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error instanceof SyntaxError || error.name === 'ZodError' || error.name === '$ZodError')
  );
}

/** The HTTP status of a failure, from any of the error classes of the SDK. */
export function statusOf(error: unknown): number | null {
  if (error instanceof HttpRefusal || error instanceof SdkHttpError) return error.status;
  if (error instanceof SseError) return error.code ?? null;
  const match = error instanceof Error ? /\(HTTP (\d{3})\)/.exec(error.message) : null;
  return match?.[1] === undefined ? null : Number(match[1]);
}

/**
 * What a server answered to a request that it refused with an error of the protocol, such as invalid
 * params; null for every failure to get an answer at all.
 */
export function serverAnswer(error: unknown): string | null {
  const found = errorChain(error).find((each) => each instanceof ProtocolError);
  return found === undefined ? null : `Error ${found.code}: ${found.message}`;
}

/** Without a connection, no request was sent. */
const unreachable = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  'UND_ERR_CONNECT_TIMEOUT',
]);
const broken = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** What is known of a call that failed without an answer; where nothing is, it may have had effect. */
export function callFateOf(error: unknown): CallFate {
  const chain = errorChain(error);
  const codes = chain.map((each) => ('code' in each ? String(each.code) : ''));
  if (chain.some((each) => each instanceof NotSent) || codes.some((code) => unreachable.has(code)))
    return 'not_sent';
  const isLost = chain.some(
    (each) =>
      each instanceof ConnectionLost ||
      (each instanceof SdkError && each.code === SdkErrorCode.ConnectionClosed),
  );
  return isLost || codes.some((code) => broken.has(code)) ? 'server_ended' : 'no_answer';
}

function describeSpawn(failure: SpawnFailure): Described {
  const steps: Record<SpawnFailure['reason'], string> = {
    'not found': 'Check the command for typos, and that the program is installed and on the PATH.',
    'not executable':
      'Make the file executable, or start it with its interpreter (for example node or python3).',
    'no folder': "Fix the server's working folder.",
    other: 'Check the command and its arguments.',
  };
  return { sentence: failure.message, nextStep: steps[failure.reason] };
}

const networkReasons: Record<string, string> = {
  ECONNREFUSED: 'nothing is listening at',
  ENOTFOUND: 'there is no host named',
  EAI_AGAIN: 'the name could not be looked up for',
  ECONNRESET: 'the connection was closed by',
  UND_ERR_SOCKET: 'the connection was closed by',
  EHOSTUNREACH: 'there is no route to',
  ENETUNREACH: 'there is no route to',
  ETIMEDOUT: 'no connection in time to',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time to',
};

function describeNetwork(target: WireTarget, error: unknown): Described | null {
  for (const at of errorChain(error, 5)) {
    // Errors of the event stream have the code in their text only.
    const code =
      'code' in at && typeof at.code === 'string'
        ? at.code
        : (/\b(?:E[A-Z]{4,}|EAI_AGAIN)\b/.exec(at.message)?.[0] ?? '');
    const known = networkReasons[code];
    if (known !== undefined)
      return { sentence: `${known} ${hostOf(target)} (${code}).`, nextStep: checkAddress };
    if (/CERT|SSL|TLS/.test(code))
      return {
        sentence: `the certificate of ${hostOf(target)} was not accepted (${code}).`,
        nextStep: "Check the address and the server's certificate.",
      };
  }
  return null;
}

/** The host only, because path and query may contain a secret. */
function hostOf(target: WireTarget): string {
  return target.config.transport === 'stdio' ? target.name : new URL(target.config.url).host;
}

/**
 * The beginning of a text on one line. Secrets are taken out first: of one that was cut, the rest
 * would not be known as such.
 */
export function shorten(
  text: string,
  { redact = (part) => part, length = 300 }: Pick<WireTarget, 'redact'> & { length?: number } = {},
): string {
  const read = redact(text.slice(0, maxRead));
  const line = read
    .slice(0, 4 * length)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > length || read.length > 4 * length ? `${line.slice(0, length)}…` : line;
}
