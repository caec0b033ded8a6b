import type { Rewrite } from '../../../src-shared/domain/rewrite.ts';

/** A rewrite as a JSON patch of the tool, with the evidence for it. */
export function rewriteFile(rewrite: Rewrite): { fileName: string; text: string } {
  const {
    toolId,
    descriptionBefore,
    description,
    state,
    search,
    proof,
    modelName,
    baseNumber,
    source,
    createdAt,
    decidedAt,
  } = rewrite;
  const document = {
    tool_id: toolId,
    patch: [
      ...(descriptionBefore === ''
        ? []
        : [{ op: 'test', path: '/description', value: descriptionBefore }]),
      { op: 'add', path: '/description', value: description },
    ],
    verdict: state,
    evidence: {
      evaluation: baseNumber,
      model: modelName,
      source,
      search,
      proof,
      created_at: createdAt,
      decided_at: decidedAt,
    },
  };
  return {
    fileName: `${toolId.replace(/[^\w-]+/gu, '_')}.rewrite.json`,
    text: `${JSON.stringify(document, null, 2)}\n`,
  };
}
