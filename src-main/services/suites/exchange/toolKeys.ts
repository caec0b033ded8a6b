import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src-shared/domain/json.ts';
import { plainName } from './fieldNames.ts';
import { areActions } from './namePatterns.ts';

const ofExpected =
  /^(?:expect(?:s|ed)?|expected(?:tools?|calls?|toolcalls?|functions?|functioncalls?)|groundtruth|gold(?:en)?)$/;
/** Members that say how often or whether a tool is called, not with which arguments. */
const ofCheck = /^(?:called|count|times|min|max|required|order|optional|weight|score)/i;

/**
 * A record whose expectation is an object with the arguments below the name of each tool,
 * `expected: {get_weather: {city: "Oslo"}}`, or a list of such objects with one tool each, as one with a list of calls.
 */
export function withToolKeys(record: JsonObject): JsonObject {
  const found = Object.entries(record).find(
    ([name, value]) => ofExpected.test(plainName(name)) && (isByTool(value) || areByTool(value)),
  );
  if (found === undefined) return record;
  const { [found[0]]: _taken, ...rest } = record;
  const calls = [found[1]]
    .flat()
    .flatMap((each) => (isJsonObject(each) ? Object.entries(each) : []));
  return { ...rest, expected_calls: calls.map(([name, args]) => ({ name, args: args ?? {} })) };
}

/** A list of calls, each an object with one member, as answers of benchmarks have them. */
const areByTool = (value: JsonValue): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => {
    const [[name, args] = ['', null], ...more] = isJsonObject(each) ? Object.entries(each) : [];
    return more.length === 0 && isJsonObject(args) && /^\w+[._/:-][\w./:-]+$/.test(name);
  });

const isByTool = (value: JsonValue): boolean =>
  isJsonObject(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(
    ([tool, args]) =>
      areActions([tool]) &&
      (args === null ||
        (isJsonObject(args) && !Object.keys(args).some((name) => ofCheck.test(name)))),
  );
