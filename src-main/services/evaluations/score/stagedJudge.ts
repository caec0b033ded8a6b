import type { JsonObject } from '../../../../src-shared/domain/json.ts';
import type { Conformance, Judge } from '../../../scoring/judge.ts';
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
  const ask = <T>(schema: JsonObject, refuse: (reason: string) => T, answer: () => T): T => {
    const index = indexesOf(tools).get(schema) ?? -1;
    const refused = refusals.schemas.find(({ tool }) => tool === index);
    if (refused) return refuse(refused.reason);
    enterStage(stages.schema, index);
    const found = answer();
    enterStage(0, 0);
    return found;
  };
  return {
    validate: (schema, args) =>
      ask<Conformance>(
        schema,
        (reason) => ({ outcome: 'undecided', reason }),
        () => judge.validate(schema, args),
      ),
    cannotDecide: (schema) =>
      ask<string | null>(
        schema,
        (reason) => reason,
        () => judge.cannotDecide(schema),
      ),
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
