import { toolId } from '../../../src-shared/domain/labels.ts';
import type { AnalysedTool, SimilarityFinding } from '../../../src-shared/domain/similarity.ts';
import { deprecatedTwin, plainName, saysDeprecated } from './pairAdvice.ts';

/**
 * Tools that no wording can separate, whatever their overlap: the same name on two servers
 * (separators and case aside), and a deprecated tool that is offered together with its replacement.
 * In a finding about a deprecated tool, that tool comes first. Source: docs/rules.md §4.
 */
export function findStructural(tools: readonly AnalysedTool[]): SimilarityFinding[] {
  return [...deprecatedTwins(tools), ...sameNames(tools)];
}

function sameNames(tools: readonly AnalysedTool[]): SimilarityFinding[] {
  const byName = new Map<string, number[]>();
  tools.forEach(({ name }, at) => {
    const key = plainName(name);
    if (key !== '') byName.set(key, [...(byName.get(key) ?? []), at]);
  });
  return [...byName.values()].flatMap((places) =>
    new Set(places.map((at) => tools[at]?.server)).size > 1
      ? [{ kind: 'same_name' as const, tools: places }]
      : [],
  );
}

/** Words as a description may name a tool, with and without a dot or slash inside. */
function namedIn(description: string): string[] {
  const text = description.toLowerCase();
  return [
    ...(text.match(/[\p{L}\p{N}_-]+/gu) ?? []),
    ...(text.match(/[\p{L}\p{N}_-]+(?:[./][\p{L}\p{N}_-]+)+/gu) ?? []),
  ];
}

function deprecatedTwins(tools: readonly AnalysedTool[]): SimilarityFinding[] {
  const byName = new Map<string, number[]>();
  tools.forEach(({ name }, at) => {
    const key = name.toLowerCase();
    byName.set(key, [...(byName.get(key) ?? []), at]);
  });
  return tools.flatMap((old, at): SimilarityFinding[] => {
    if (!saysDeprecated.test(old.description)) return [];
    const candidates = namedIn(old.description)
      .flatMap((word) => byName.get(word) ?? [])
      .filter((other) => {
        const tool = tools[other];
        return (
          other !== at &&
          tool !== undefined &&
          deprecatedTwin(old, tool)?.toolIds[0] === toolId(old.server, old.name)
        );
      });
    const replacement = candidates.find((other) => tools[other]?.server === old.server);
    const found = replacement ?? candidates[0];
    return found === undefined ? [] : [{ kind: 'deprecated_twin', tools: [at, found] }];
  });
}
