import type { MappedField } from '../../../../src-shared/contract/suites.ts';

/** `expectedMcpTool`, `Expected MCP tool` and `expected_mcp_tool` are the same words. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const tools = set('tool tools function functions toolcall toolcalls');
const calls = set(
  'call calls invocation invocations trajectory trajectories sequence sequences chain chains',
);
/** Verbs for what a model does with a tool. */
const verbs = set(
  'call calls called calling use uses used invoke invokes invoked trigger triggers triggered',
);
/** Of these, what a name with “should” says of the tool next to it. */
const picks = set(
  'select selected choose chosen pick picked fire fires fired activate activated match matched run execute executed',
);
const needed = set('needed required necessary expected');
const single = set('tool function');
const given = set('arg args argument arguments param params parameter parameters kwargs slots');
const expecting = set(
  'expect expects expected correct gold golden ground truth gt target reference ref required require ' +
    'requires must should right ideal desired intended want wants wanted needed needs oracle label baseline',
);
const never = set(
  'forbid forbids forbidden prohibit prohibited disallow disallowed banned denied not no never ' +
    'unexpected avoid without exclude excluded blocked incorrect wrong skip',
);
/** Of these, what is said of calls that are wrong in another way, or too many. */
const faulty = set(
  'hallucinated invented unknown invalid error errors failed failing failure failures extra additional ' +
    'unexpected other others duplicate duplicates redundant repeated unnecessary unneeded further more',
);
const equal = set(
  'acceptable accepted accept valid alternative alternatives alternate alt either any or',
);
const allowed = set('allowed allow optional permitted also may');
/** Words with which a name speaks of a run, of what is offered, or of how calls are counted. */
const other = set(
  'actual predicted prediction called used observed returned available offered definition definitions ' +
    'schema schemas count counts num number min max minimum maximum limit server servers result results ' +
    'response responses output outputs description descriptions status type types version latency ' +
    'error errors id ids match mode order ordered accuracy score rank native',
);
/** Of these, what says in an object of expectations that a call is expected. */
const ofRun = set(
  'called used observed returned order include includes contain contains select selected choose chosen ' +
    'pick picked first step',
);
const asked = set('query prompt question message utterance request instruction task input');
const wording = set('variation variations variant phrasing wording text');
const askedBy = set('user test base initial sample example customer human natural original eval');

/** Names of arguments that only have to be among those that are sent. */
const partial = set('contain contains include includes included subset partial required must min');

const has = (words: readonly string[], some: ReadonlySet<string>): boolean =>
  words.some((word) => some.has(word));

/** Whether a name of arguments says that a call may have further ones. */
export const namesSomeArguments = (name: string): boolean => has(wordsOf(name), partial);

export const namesArguments = (name: string): boolean => {
  const words = wordsOf(name);
  return has(words, given) && !has(words, other) && !has(words, never);
};

/**
 * What a name says by its words, where no table has it: `expected_mcp_tool` is the tool,
 * `forbidTools` are forbidden ones. Undefined for all that speak of something else.
 *
 * @param isExpected whether it stands in an object of what is expected: `expected.tools_called`
 */
export function fieldOfWords(name: string, isExpected = false): MappedField | undefined {
  const words = wordsOf(name);
  if (words.length < 2 || words.length > 6) return undefined;
  const ofTools = has(words, tools);
  const none = saysNoTool(words);
  if (none !== undefined) return none;
  if (saysSwitch(words)) return 'should_call';
  if (!ofTools && !has(words, given) && !has(words, calls)) {
    const [first = '', last = ''] = words;
    const asks = (askedBy.has(first) && asked.has(last)) || (asked.has(first) && wording.has(last));
    return words.length === 2 && asks ? 'query' : undefined;
  }
  if (words.some((word) => other.has(word) && !(isExpected && ofRun.has(word)))) return undefined;
  if (has(words, given)) return has(words, never) ? undefined : 'parameters';
  if (has(words, never)) return 'forbidden_tools';
  if (has(words, equal)) return 'acceptable_tools';
  if (has(words, allowed)) return 'allowed_calls';
  if (!has(words, expecting) && !(isExpected && has(words, ofRun))) return undefined;
  return single.has(words.at(-1) ?? '') || (has(words, single) && !has(words, calls))
    ? isSequence(name)
      ? 'expected_calls'
      : 'tool'
    : 'expected_calls';
}

/**
 * What a name says of tools that aren't called: none at all (`expect_abstain`, `noToolCall`,
 * `tool_not_needed`), or some (`not_called`, `must_not_use`). Where both may be meant, the value
 * tells: true, or names.
 */
function saysNoTool(words: readonly string[]): MappedField | undefined {
  if (words.some((word) => /^abst(?:ain|ention)/.test(word))) return 'no_tool';
  if (!has(words, never) || has(words, given)) return undefined;
  const isOf = has(words, tools) || has(words, verbs);
  // Of faulty or further calls it says nothing about the first ones: `no_hallucinated_tools`.
  if (has(words, faulty)) return undefined;
  // A run's own words: `unused_tools`, `wrong_tool_used`.
  if (!isOf || !words.some((word) => ['no', 'not', 'never', 'without'].includes(word)))
    return undefined;
  if (words.includes('to')) return 'forbidden_tools';
  if (words.includes('not'))
    return has(words, needed) && has(words, tools) ? 'no_tool' : 'forbidden_tools';
  return words.includes('never') ? 'forbidden_tools' : 'no_tool';
}

/**
 * Whether a name says if a tool is called at all: `should_be_called`, `is_tool_expected`. A name such
 * as `must_call` says which.
 */
const saysSwitch = (words: readonly string[]): boolean => {
  const [first = ''] = words;
  const isOf = has(words, verbs) || has(words, picks);
  return ['should', 'must', 'expect', 'expects'].includes(first)
    ? isOf &&
        !has(words, calls) &&
        words.slice(1).every((word) => word === 'be' || verbs.has(word) || picks.has(word))
    : first === 'is' && has(words, needed) && (has(words, tools) || has(words, calls));
};

/** Whether a name speaks of tools or calls: a value of another kind in it is a fault of the file. */
export const namesTools = (name: string): boolean => {
  const words = wordsOf(name);
  return has(words, tools) || has(words, calls) || has(words, verbs);
};

/** Whether a name says that one of several is enough. */
export const saysAny = (name: string): boolean => has(wordsOf(name), equal);

/** Whether a name speaks of several right answers, each with its calls. */
export const saysAnswers = (name: string): boolean =>
  has(wordsOf(name), set('trajectories sequences chains paths plans'));

/** Whether a name says that its calls come in an order. */
export const isSequence = (name: string): boolean =>
  has(
    wordsOf(name),
    set('trajectory trajectories sequence sequences order steps path plan chain chains'),
  );

/** Whether an object of this name may have a switch for each tool, `relevance: {get_weather: 1}`. */
export const holdsTools = (name: string): boolean =>
  /^(?:tools|functions|relevance|labels?|expect(?:ed)?|ground_?truth|gold|targets?)$/i.test(name);

/** Words for what a tool does, at the beginning of most names of tools. */
const doing =
  /^(?:get|list|find|search|lookup|fetch|read|query|show|view|check|track|count|compare|calculate|convert|create|add|book|make|write|post|send|submit|request|schedule|reserve|update|edit|set|change|move|rename|assign|delete|remove|cancel|close|clear|run|execute|call|open|start|stop|play|apply|validate|checkout|transfer|pay|refund|generate|translate|summarize|export|import|upload|download)(?:[_.:/-]|(?=[A-Z]))/;

/** Whether most names begin with what a tool does: a name such as `target` may be that of anything. */
export const areActions = (names: readonly string[]): boolean =>
  names.filter((name) => doing.test(/^[A-Z\d_]+$/.test(name) ? name.toLowerCase() : name)).length *
    2 >
  names.length;

/** Whether a name is that of the turns of a conversation before an answer: `canonical_turns`. */
export const namesTurns = (name: string): boolean => {
  const words = wordsOf(name);
  return (
    /^(?:turns|dialogue?|conversation)$/.test(words.at(-1) ?? '') &&
    !has(words, expecting) &&
    !has(words, other)
  );
};
