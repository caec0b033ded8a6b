import { signalWithTimeout } from '../../../runtime/deadline.ts';
import { nextStepHere } from '../../../runtime/window.ts';
import type { HttpToolConfig } from '../../../../src-shared/domain/executors.ts';
import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import { rulesOf } from '../../../adapters/http/addressPolicy.ts';
import {
  requestSafely,
  RequestFailure,
  type SafeAnswer,
  type SafeRequest,
} from '../../../adapters/http/requestSafely.ts';
import {
  MissingParameter,
  renderJson,
  renderText,
  renderUrl,
  toText,
  type TemplateValues,
} from '../templates.ts';
import {
  decodeText,
  createExcerpt,
  failed,
  maxOutputBytes,
  succeeded,
  type ExecutionCall,
  type ExecutionResult,
} from './executor.ts';
import { parseJson } from './runChild.ts';

/** Sends one request that is built from the tool's templates; the response is the result. */
export async function runHttp(
  config: HttpToolConfig,
  call: ExecutionCall,
  signal: AbortSignal,
  onContact: (host: string) => void,
  /** Where the request is sent instead, and never further. */
  target: { origin: string; addresses: SafeRequest['addresses'] } | null = null,
): Promise<ExecutionResult> {
  let request: SafeRequest;
  try {
    request = { ...buildRequest(config, call), redact: call.redact };
  } catch (error) {
    if (
      error instanceof MissingParameter ||
      error instanceof RangeError ||
      error instanceof TypeError
    )
      return failed('template', error.message);
    throw error;
  }
  if (target !== null) {
    const { pathname, search } = request.url;
    const url = new URL(`${pathname}${search}`, target.origin);
    request = { ...request, url, addresses: target.addresses, redirects: 'refuse' };
  }
  onContact(request.url.host);
  const callSignal = signalWithTimeout(signal, call.limitMs);
  try {
    return readResponse(config, call, await requestSafely(request, callSignal));
  } catch (error) {
    if (signal.aborted) return failed('cancelled', 'Canceled.');
    if (callSignal.aborted)
      return failed(
        'timeout',
        `It timed out after ${Math.round(call.limitMs / 100) / 10} s: ${request.url.host} ` +
          'did not answer in full.',
      );
    if (error instanceof RequestFailure) return failed(error.kind, error.message);
    throw error;
  }
}

export function buildRequest(
  config: HttpToolConfig,
  values: TemplateValues & Pick<ExecutionCall, 'allowedHosts'>,
): SafeRequest {
  const url = renderUrl(config.url, config.query, values);
  const headers = new Headers();
  for (const [name, template] of Object.entries(config.headers)) {
    const value = renderText(template, values);
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value))
      throw new RangeError(`The header "${name}" would hold a line break or a control character.`);
    headers.set(name, encodeHeader(value));
  }
  const hasBody = config.method !== 'GET' && config.method !== 'HEAD' && config.body !== null;
  const body = hasBody ? renderBody(config, values) : null;
  if (body !== null && !headers.has('content-type'))
    headers.set('content-type', contentTypes[config.encoding]);
  if (config.output === 'json' && !headers.has('accept')) headers.set('accept', 'application/json');
  return {
    method: config.method,
    url,
    headers: Object.fromEntries(headers),
    body,
    redirects: config.redirects,
    addresses: { ...rulesOf(config.private, values.allowedHosts), remedies: remedies() },
    bodyBytes: maxOutputBytes,
  };
}

const remedyOf = (policy: HttpToolConfig['private']): string =>
  `To allow it, set private to ${policy} in the tool's executor settings ` +
  `(in its file, executor_config.private).`;

/** What allows an address: a setting of the tool, or of a window alone. */
const remedies = () => ({
  loopback: remedyOf('loopback'),
  private: remedyOf('allow'),
  never: nextStepHere({
    window: 'If you trust its host, add it under Settings, Allowed hosts.',
    terminal: 'Check the address of the tool.',
  }),
});

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const;

/** Encodes a value as UTF-8 bytes, because Node writes headers as Latin-1. */
function encodeHeader(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}

function renderBody(config: HttpToolConfig, values: TemplateValues): string {
  if (config.encoding === 'text') return renderText(toText(config.body), values);
  const rendered = renderJson(config.body, values) ?? null;
  if (config.encoding === 'json') return JSON.stringify(rendered);
  const fields = new URLSearchParams();
  if (!isJsonObject(rendered)) throw new TypeError('A form body must be an object of fields.');
  for (const [name, value] of Object.entries(rendered))
    for (const item of Array.isArray(value) ? value : [value]) fields.append(name, toText(item));
  return fields.toString();
}

function readResponse(
  config: HttpToolConfig,
  { redact }: ExecutionCall,
  { status, body, cut }: SafeAnswer,
): ExecutionResult {
  const excerpt = createExcerpt(body, cut, redact);
  if (status < 200 || status > 299)
    return failed('status', `The server answered with status ${status}.`, { excerpt });
  if (cut)
    return failed(
      'too_much_output',
      `The answer is larger than ${maxOutputBytes / 1024} kB; the rest was not read.`,
      { excerpt },
    );
  const text = decodeText(body);
  if (text === null) return failed('not_text', "The answer isn't UTF-8 text.", { excerpt });
  if (config.output === 'text') return succeeded(text);
  if (text.trim() === '') return succeeded(null satisfies JsonValue);
  const parsed = parseJson(text);
  return parsed.ok
    ? succeeded(parsed.value)
    : failed('not_json', `The answer is not JSON: ${parsed.reason}.`, { excerpt });
}
