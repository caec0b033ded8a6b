import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { Judge } from '../../../scoring/judge.ts';
import type { OfferedTool } from '../../../scoring/scoreInput.ts';
import { hashText, stages, type Refusals } from './scoringItem.ts';

const indexes = new WeakMap<readonly OfferedTool[], Map<JsonObject, number>>();

function indexesOf(tools: readonly OfferedTool[]): Map<JsonObject, number> {
  let found = indexes.get(tools);
  if (!found)
    indexes.set(tools, (found = new Map(tools.map((tool, index) => [tool.inputSchema, index]))));
  return found;
}

/** Wraps a judge: announces each schema and pattern before trying it, and skips refused ones. */
export function withStages(
  judge: Judge,
  tools: readonly OfferedTool[],
  refusals: Refusals,
  enterStage: (stage: number, detail: number) => void,
): Judge {
  return {
    validate(schema, args) {
      const index = indexesOf(tools).get(schema) ?? -1;
      const refused = refusals.schemas.find(({ tool }) => tool === index);
      if (refused) return { outcome: 'undecided', reason: refused.reason };
      enterStage(stages.schema, index);
      const conformance = judge.validate(schema, args);
      enterStage(0, 0);
      return conformance;
    },
    matchesRegex(pattern, text) {
      const hash = hashText(pattern);
      const refused = refusals.patterns.find((other) => other.hash === hash);
      if (refused) return { outcome: 'undecided', reason: refused.reason };
      enterStage(stages.pattern, hash);
      const found = judge.matchesRegex(pattern, text);
      enterStage(0, 0);
      return found;
    },
  };
}
