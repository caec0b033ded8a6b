import type { RefusedSetting } from '../../../src-shared/domain/refusedSetting.ts';
import type { ChatModel } from '../../adapters/llm/chatModel.ts';

/**
 * Returns a function that stores what endpoints refused since it was called last. It is called with
 * each group of results, so that a resume goes on with what was learned.
 */
export function keepRefused(
  id: string,
  models: ReadonlyMap<string, ChatModel>,
  set: (id: string, modelSettingsId: string, refused: readonly RefusedSetting[]) => void,
): () => void {
  const kept = new Map<string, number>();
  return () => {
    for (const [modelSettingsId, { refused = [] }] of models) {
      if (refused.length === (kept.get(modelSettingsId) ?? 0)) continue;
      set(id, modelSettingsId, refused);
      kept.set(modelSettingsId, refused.length);
    }
  };
}
