import { isJsonObject, type JsonValue } from '../../../../src-shared/domain/json.ts';
import { modeOfCalls, type Expectation, type NamedCall } from './promptfooAsserts.ts';
import type { Change } from './suiteDraft.ts';
import { nonEmptyText, mapObject, toExactLiteral } from './values.ts';

/** Texts that mean any value of a type when arguments are compared partially. */
const placeholders = new Set(['any', 'string', 'number', 'boolean', 'object', 'array', 'null']);

/**
 * Converts the checks of one case to expected calls, or gives the reasons why they say nothing
 * about calls.
 */
export function readChecks(
  checks: readonly JsonValue[],
  negative: boolean,
): Pick<Expectation, 'calls' | 'changes' | 'argumentsMode'> | { reasons: string[] } {
  const calls: NamedCall[] = [];
  const changes: Change[] = [];
  const dropped: Change[] = [];
  const atLeastOnce: string[] = [];
  let only: string[] | null = null;
  let forbidsTools = false;
  const drop = (what: string, why: string): void => void dropped.push({ what, why });

  for (const check of checks) {
    const type = isJsonObject(check) ? nonEmptyText(check['type']) : null;
    const tool = isJsonObject(check) ? nonEmptyText(check['toolName']) : null;
    if (!isJsonObject(check) || type === null) drop('A check', 'It checks a view, not tool calls.');
    else if (check['role'] === 'advisory') drop(type, 'It is only advisory in MCPJam.');
    else if (type === 'toolCalledWith' && tool !== null) {
      const minCalls = typeof check['minCount'] === 'number' ? check['minCount'] : 1;
      const call = { tool, ...readArguments(tool, check['args'], changes) };
      if (minCalls > 100) drop(type, 'A case can expect at most 100 calls.');
      else for (let made = 0; made < minCalls; made += 1) calls.push(call);
    } else if ((type === 'toolCalledAtLeastOnce' || type === 'firstToolWas') && tool !== null) {
      atLeastOnce.push(tool);
      if (type === 'firstToolWas')
        changes.push({
          what: type,
          why: 'The tool is expected, but it doesn’t have to be called first.',
        });
    } else if (type === 'onlyToolsCalled' && Array.isArray(check['toolNames']))
      only = check['toolNames'].filter((each) => typeof each === 'string');
    // If other calls are expected, a forbidden call is an unneeded one and fails the case anyway.
    else if (type === 'toolNeverCalled') forbidsTools = true;
    else drop(type, 'It checks the answer or its cost. Only tool calls are scored.');
  }
  for (const tool of atLeastOnce)
    if (!calls.some((call) => call.tool === tool)) calls.push({ tool });
  const expectsNoCall = negative || only?.length === 0;
  if (expectsNoCall && calls.length > 0)
    return { reasons: ['Its checks require a tool and no tool at the same time.'] };
  if (!expectsNoCall && calls.length === 0) {
    const reasons = dropped.map(({ what, why }) => `${what}: ${why}`);
    if (reasons.length === 0)
      reasons.push(
        forbidsTools || only !== null
          ? 'It limits the tools that may be called, but doesn’t say which one is correct.'
          : 'No check says which tool is correct.',
      );
    return { reasons };
  }
  const isClosed = only !== null && only.every((tool) => calls.some((call) => call.tool === tool));
  if (calls.length > 0 && !isClosed)
    changes.push({
      what: 'Other calls',
      why: 'MCPJam accepts other calls. Touchstone counts them as unneeded unless they are also allowed.',
    });
  const argumentsMode = modeOfCalls(calls, changes);
  return { calls, changes: [...changes, ...dropped], argumentsMode };
}

/** What a `toolCalledWith` says of the arguments of its calls. */
export function readArguments(
  tool: string,
  matcher: JsonValue | undefined,
  changes: Change[],
): Omit<NamedCall, 'tool'> {
  const args = isJsonObject(matcher) && isJsonObject(matcher['args']) ? matcher['args'] : null;
  const mode = isJsonObject(matcher)
    ? (nonEmptyText(matcher['argumentMatching']) ?? 'partial')
    : 'ignore';
  if (args === null || mode === 'ignore') return {};
  if (mode === 'exact') return { parameters: mapObject(args, toExactLiteral), mode };
  const typed = Object.entries(args)
    .filter(([, value]) => typeof value === 'string' && placeholders.has(value) && value !== 'any')
    .map(([name]) => name);
  if (typed.length > 0)
    changes.push({
      what: `toolCalledWith ${tool}: ${typed.join(', ')}`,
      why: 'MCPJam accepts any value of the type, Touchstone any value that the tool’s schema allows.',
    });
  return {
    parameters: mapObject(args, (value) =>
      typeof value === 'string' && placeholders.has(value)
        ? { $ignore: true }
        : toExactLiteral(value),
    ),
  };
}
