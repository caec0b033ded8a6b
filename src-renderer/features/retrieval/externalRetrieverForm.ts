import { noTypedAdditions, typedAdditions } from '../../../src-shared/domain/requestAdditions.ts';
import {
  externalRetriever,
  type ExternalRetriever,
} from '../../../src-shared/domain/retrievalRun.ts';
import { readEmbeddingModel } from '../../../src-shared/domain/similarity.ts';

const blank = {
  kind: 'mcp',
  server: '',
  tool: '',
  argument: 'query',
  fixed: '',
  items: '',
  id: '{tool_id}',
  baseUrl: 'http://127.0.0.1:11434/v1',
  model: '',
  additions: noTypedAdditions,
};
export type RetrieverForm = typeof blank;

/** An external retriever as it is edited; a new one if there is none. */
export function formOf(spec: ExternalRetriever | null): RetrieverForm {
  if (spec?.kind === 'embedding')
    return {
      ...blank,
      kind: 'embedding',
      baseUrl: spec.baseUrl ?? '',
      model: spec.model,
      additions: typedAdditions(spec),
    };
  if (spec === null) return blank;
  const { tool, argument, fixedArguments, items, id } = spec.search;
  return {
    ...blank,
    server: spec.server,
    tool,
    argument,
    items,
    id,
    fixed: Object.keys(fixedArguments).length > 0 ? JSON.stringify(fixedArguments) : '',
  };
}

/** The external retriever of a form; null if it is incomplete. */
export function specOf(form: RetrieverForm): {
  spec: ExternalRetriever | null;
  fault: string | null;
} {
  let fixedArguments: unknown = {};
  try {
    if (form.fixed.trim() !== '') fixedArguments = JSON.parse(form.fixed);
  } catch {
    return { spec: null, fault: 'Enter the additional arguments as a JSON object.' };
  }
  const parsed = externalRetriever.safeParse(
    form.kind === 'embedding'
      ? { kind: 'embedding', ...readEmbeddingModel(form) }
      : {
          kind: 'mcp',
          server: form.server,
          search: {
            tool: form.tool,
            argument: form.argument,
            fixedArguments,
            items: form.items,
            id: form.id,
          },
        },
  );
  return parsed.success ? { spec: parsed.data, fault: null } : { spec: null, fault: null };
}
