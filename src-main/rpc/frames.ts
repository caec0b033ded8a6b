import { ORPCError } from '@orpc/client';
import { orElse } from '../../src-shared/domain/orElse.ts';
import { maxFrameLength } from '../../src-shared/domain/connection.ts';
import { badRequest } from './errors.ts';

/** The maximum size of an ordinary call. */
export const maxCallLength = 4 * 1024 * 1024;
/** Calls that carry a whole file: a suite, a log, a workbook, a data set, the tools of servers. */
export const largeInputCalls: readonly string[] = (
  'servers.import servers.previewImport suites.import suites.previewImport ' +
  'suites.proposeFromLog suites.readWorkbook evaluations.readTools evaluations.plan ' +
  'evaluations.countPlan evaluations.start similarity.analyze similarity.lint ' +
  'retrieval.importFile security.importCorpus security.scoreVerdicts security.scanFile ' +
  'saving.save'
).split(' ');

/**
 * Far deeper than any honest schema or argument, and far from the stack limit of recursive parsers.
 */
const maxDepth = 256;
const callPath = /^\/([A-Za-z]{1,64})\/([A-Za-z]{1,64})$/;
const request = 1;
const abort = 4;

/** A message that may be passed to the router. */
export interface Frame {
  i: string;
  t?: typeof abort;
  p?: { u: string; b: { json?: unknown } };
}

export type Verdict =
  | { verdict: 'pass'; frame: Frame }
  /** A call that is rejected, with an answer that says why. */
  | { verdict: 'answer'; text: string }
  /** Not a message of this protocol: the peer is disconnected. */
  | { verdict: 'drop'; reason: string };

/**
 * Inspects a message before it reaches the router: it must be JSON text, a call or its abort, and
 * its input plain JSON data of bounded size and depth. Extensions of the wire format (files, dates,
 * NaN, input streams, headers) are rejected.
 */
export function inspectFrame(data: unknown): Verdict {
  if (typeof data !== 'string') return { verdict: 'drop', reason: 'a message that is not text' };
  if (data.length > maxFrameLength)
    return { verdict: 'drop', reason: `a message of more than ${maxFrameLength} characters` };
  const message = parseJson(data);
  if (!isRecord(message) || typeof message.i !== 'string' || message.i.length > 64)
    return { verdict: 'drop', reason: 'a message without an id' };
  const id = message.i;
  const type = message.t ?? request;
  if (type === abort) return { verdict: 'pass', frame: { i: id, t: abort } };
  if (type !== request || !isRecord(message.p))
    return { verdict: 'drop', reason: 'a message of an unknown kind' };

  const { u: path, b: body = {}, h: headers, m: method } = message.p;
  const [, topic, name] = typeof path === 'string' ? (callPath.exec(path) ?? []) : [];
  if (typeof path !== 'string' || topic === undefined || name === undefined) {
    return answer(id, new ORPCError('NOT_FOUND', { message: 'There is no such procedure.' }));
  }
  const call = `${topic}.${name}`;
  const refuse = (why: string) => answer(id, badRequest(call, [{ path: '', message: why }]));
  if (method !== undefined) return refuse('A call has no method.');
  if (headers !== undefined) return refuse('A call has no headers.');
  if (!isRecord(body) || Object.keys(body).some((key) => key !== 'json' && key !== 'meta'))
    return refuse('The input is not JSON data.');
  if (body.meta !== undefined && !(Array.isArray(body.meta) && body.meta.length === 0))
    return refuse('The input is not JSON data.');
  const problem = inspectInput(call, body.json, data.length);
  if (problem !== null) return answer(id, problem);
  return {
    verdict: 'pass',
    frame: { i: id, p: { u: path, b: 'json' in body ? { json: body.json } : {} } },
  };
}

/**
 * What is wrong with the parsed input of a call, before its schema is applied. `length` is that of
 * its text.
 */
export function inspectInput(
  call: string,
  input: unknown,
  length: number,
): ORPCError<string, unknown> | null {
  if (length > maxCallLength && !largeInputCalls.includes(call)) {
    const message = `${call}: the input is larger than ${maxCallLength / 1024 / 1024} MB.`;
    return new ORPCError('PAYLOAD_TOO_LARGE', { message });
  }
  const problem = findProblem(input);
  return problem === null ? null : badRequest(call, [{ path: '', message: problem }]);
}

/** Iterative, because the input may be nested deeply enough to overflow the stack. */
function findProblem(value: unknown): string | null {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth >= maxDepth) return `The input is nested deeper than ${maxDepth} levels.`;
    if (Object.hasOwn(next.value, '__proto__')) return 'The input has a key named "__proto__".';
    for (const child of Object.values(next.value)) {
      if (typeof child === 'object' && child !== null)
        waiting.push({ value: child, depth: next.depth + 1 });
    }
  }
  return null;
}

function answer(id: string, error: ORPCError<string, unknown>): Verdict {
  return {
    verdict: 'answer',
    text: JSON.stringify({ i: id, p: { s: error.status, b: { json: error.toJSON() } } }),
  };
}

function parseJson(text: string): unknown {
  return orElse((): unknown => JSON.parse(text), undefined);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
