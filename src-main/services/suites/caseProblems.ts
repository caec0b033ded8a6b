import { formatPercent } from '../../../src-shared/display/numbers.ts';
import { createYielder } from '../../runtime/yieldToEventLoop.ts';
import type { CaseProblem } from '../../../src-shared/contract/suites.ts';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import {
  alternatives,
  argumentsOf,
  inSuite,
  type Suite,
  type TestCase,
  type ToolReference,
} from '../../../src-shared/domain/testCase.ts';
import { findNearDuplicates } from '../../analysis/nearDuplicates.ts';
import { schemaProperties } from '../../scoring/schemaProperties.ts';
import type { Store } from '../../store/store.ts';
import { checkMatchers, type SchemaOf } from './suiteProblems.ts';

interface KnownTools {
  servers: ReadonlySet<string>;
  /** Servers whose tools were listed. Only for these a tool can be called unknown. */
  listed: ReadonlySet<string>;
  schemaOf: SchemaOf;
}

/**
 * Finds problems in the cases of a suite that do not prevent saving or running them (docs/rules.md
 * §2).
 */
export async function findCaseProblems(
  store: Store,
  suite: Suite,
  cases: readonly TestCase[],
  schemaOf: SchemaOf,
): Promise<{ caseId: string; problems: CaseProblem[] }[]> {
  const servers = store.servers.list();
  const listed = new Set(
    servers.filter(({ id }) => store.serverListings.latest(id) !== null).map(({ name }) => name),
  );
  const known: KnownTools = { servers: new Set(servers.map(({ name }) => name)), listed, schemaOf };
  const found = new Map<string, CaseProblem[]>();
  const yieldIfDue = createYielder();
  for (const each of cases) {
    const problems = findProblems(each, suite, known);
    if (problems.length > 0) found.set(each.id, problems);
    await yieldIfDue();
  }
  for (const { one, other, share } of await findNearDuplicates(
    cases.map(({ query }) => query),
    yieldIfDue,
  )) {
    const [first, second] = [cases[one], cases[other]];
    if (first === undefined || second === undefined) continue;
    const words = share === 1 ? 'the same words' : `${formatPercent(share)} of its words in common`;
    const message = `Nearly the same query as “${first.name}” (${words}). Delete or reword one.`;
    found.set(second.id, [
      ...(found.get(second.id) ?? []),
      { kind: 'near duplicate', message, field: 'query' },
    ]);
  }
  return cases.flatMap(({ id }) => {
    const problems = found.get(id);
    return problems === undefined ? [] : [{ caseId: id, problems }];
  });
}

function findProblems(each: TestCase, suite: Suite, known: KnownTools): CaseProblem[] {
  const offered = each.servers.length > 0 ? each.servers : suite.servers;
  const unknown = offered
    .filter((name) => !known.servers.has(name))
    .map((name): CaseProblem => ({
      kind: 'unknown server',
      message: `No server is named ${name}. Add it, or choose another one.`,
      field: 'servers',
    }));
  const { argumentsMode: mode } = inSuite(each, suite);
  const calls = each.expectedCalls.flatMap((call, index) => {
    const tools = alternatives(call);
    const field = `expectedCalls.${index}`;
    return [
      ...tools.flatMap((tool) => toolProblems(tool, field, known)),
      ...argumentsOf(call).flatMap(({ parameters, tools: ofTools, path }) => {
        const at = [field, ...path].join('.');
        return [
          ...parameterProblems(parameters, ofTools, at, known.schemaOf),
          ...(mode === 'exact' ? missingProblems(parameters, ofTools, at, known.schemaOf) : []),
        ];
      }),
    ];
  });
  return [
    ...unknown,
    ...calls,
    ...each.allowedCalls.flatMap((tool) => toolProblems(tool, 'allowedCalls', known)),
  ];
}

function toolProblems(
  { server, tool }: ToolReference,
  field: string,
  { servers, listed, schemaOf }: KnownTools,
): CaseProblem[] {
  if (!servers.has(server))
    return [
      {
        kind: 'unknown server',
        message: `No server is named ${server}. Add it, or choose another tool.`,
        field,
      },
    ];
  if (!listed.has(server) || schemaOf({ server, tool }) !== null) return [];
  return [
    {
      kind: 'unknown tool',
      message: `${server} lists no tool ${tool}. Choose another tool, or connect to the server again.`,
      field,
    },
  ];
}

/**
 * Checks expected parameters. If several tools are correct, a parameter is wrong only if none of
 * them has it. A required parameter that isn't mentioned is no problem: any value of it is correct.
 */
function parameterProblems(
  parameters: JsonObject,
  tools: readonly ToolReference[],
  field: string,
  schemaOf: SchemaOf,
): CaseProblem[] {
  const schemas = tools.map(schemaOf);
  if (schemas.some((schema) => schema === null)) return [];
  const known = schemas.flatMap((schema) => (schema === null ? [] : [schemaProperties(schema)]));
  const problems = checkMatchers(parameters, tools, schemaOf).map(
    ({ path, message }): CaseProblem => ({
      kind: tools.length === 0 ? 'unused arguments' : 'matcher',
      message: [...(path.length === 0 ? [] : [path.join('.')]), message].join(': '),
      field: [field, 'parameters', ...path].join('.'),
    }),
  );
  if (tools.length === 0) return problems;
  for (const name of Object.keys(parameters)) {
    const declared = known.some(({ properties, open }) => properties.has(name) || open);
    if (!declared)
      problems.push({
        kind: 'unknown parameter',
        message:
          `${tools.map(({ tool }) => tool).join(' or ')} has no parameter ${name}. ` +
          'Remove or rename it.',
        field: `${field}.parameters.${name}`,
      });
  }
  return problems;
}

/** In the mode `exact`, a required parameter that isn't listed is missing or extra in every call. */
function missingProblems(
  parameters: JsonObject,
  tools: readonly ToolReference[],
  field: string,
  schemaOf: SchemaOf,
): CaseProblem[] {
  const required = tools.map((tool) => schemaProperties(schemaOf(tool) ?? {}).required);
  const [first = new Set<string>(), ...others] = required;
  return [...first]
    .filter((name) => !Object.hasOwn(parameters, name) && others.every((names) => names.has(name)))
    .map((name) => ({
      kind: 'missing parameter',
      message:
        `${tools.map(({ tool }) => tool).join(' or ')} requires ${name}, and arguments mode exact ` +
        'accepts only listed arguments. List it, with {"$ignore": true} if any value is correct.',
      field: `${field}.parameters`,
    }));
}
