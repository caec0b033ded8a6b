import type { EvaluationRequest } from '../../../../src-shared/domain/evaluation.ts';
import type { Store } from '../../../store/store.ts';

type InlineTools = NonNullable<NonNullable<EvaluationRequest['inline']>['tools']>;

/** Freezes tools that came with the request, as if their servers had listed them. */
export function freezeInlineTools(store: Store, tools: InlineTools): string {
  const names = [...new Set(tools.map(({ tool }) => tool.server))];
  return store.toolSnapshots.freeze({
    servers: names.map((server) => ({
      server,
      serverId: null,
      status: 'listed',
      error: null,
      instructions: null,
      protocolVersion: null,
      serverInfo: null,
      rejected: [],
    })),
    tools: tools.map((tool) => ({ serverId: null, tool })),
  }).id;
}
