import { canonicalJson } from '../../../../src-shared/domain/canonicalJson.ts';
import { oneOf, unique, type SourceCall, type SourceCalls } from './sourceCalls.ts';

/** A call, with what it shares with the same call in another answer. */
type Keyed = readonly [key: string, call: SourceCall];

const keyOf = ({ tools, parameters }: SourceCall): string =>
  canonicalJson([
    parameters ?? null,
    ...tools.map(({ server, tool, parameters: own = null }) => [server, tool, own]),
  ]);

/** Those that another list lacks: of equal ones, as many as there are more. */
function without(calls: readonly Keyed[], others: readonly Keyed[]): Keyed[] {
  const left = others.map(([key]) => key);
  return calls.filter(([key]) => {
    const at = left.indexOf(key);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * Several right answers, of one or more calls each, as the one list of calls that a case has. It can
 * say that they are the same calls in another order, that one call has alternatives, and that a call
 * of one more tool is allowed; no other difference.
 */
export function joinAnswers(
  answers: readonly (readonly SourceCall[])[],
  ordered: boolean,
): Pick<SourceCalls, 'calls' | 'optional' | 'changes'> | { why: string } {
  const byPlace = ordered && answers.every(({ length }) => length === answers[0]?.length);
  const keyed = answers.map((calls) =>
    calls.map((call, at): Keyed => [`${byPlace ? at : ''} ${keyOf(call)}`, call]),
  );
  const [first = [], ...others] = keyed;
  const common = others.reduce((same, other) => without(same, without(same, other)), first);
  const rests = keyed.map((answer) => without(answer, common));
  if (rests.every(({ length }) => length === rests[0]?.length)) {
    const [rest = []] = rests;
    if (rest.length === 0) return { calls: first.map(([, call]) => call) };
    const all = oneOf(rests.flat().map(([, call]) => call));
    const either = { ...all, tools: unique(all.tools) };
    if (rest.length === 1)
      return { calls: first.map((each) => (rest.includes(each) ? either : each[1])) };
  }
  const [extra, ...more] = rests.flat().flatMap(([, { tools }]) => tools);
  const isMoreOfOne =
    extra !== undefined &&
    rests.every(({ length }) => length <= 1) &&
    more.every(({ tool }) => tool === extra.tool) &&
    common.every(([, { tools }]) => tools.every(({ tool }) => tool !== extra.tool));
  const orders = keyed.map((answer, at) => JSON.stringify(without(answer, rests[at] ?? [])));
  if (isMoreOfOne && (!ordered || orders.every((order) => order === orders[0])))
    return {
      calls: common.map(([, call]) => call),
      optional: [{ server: extra.server, tool: extra.tool }],
      changes: [
        {
          what: `${extra.tool} in one of several right answers`,
          why: 'Calls of it are allowed, with any arguments, and none is expected.',
        },
      ],
    };
  return {
    why:
      'It has several right answers that differ in more than one call, and a case has one list of ' +
      'calls, each with its alternatives. Keep one answer.',
  };
}
