import type { ProviderAdapter } from '../providerAdapter.ts';
import { openReplayModel } from './replayModel.ts';

/** Speaks whatever its recording was made over. */
export const replayProvider: ProviderAdapter = {
  provider: 'replay',
  wireFormats: {},
  open: openReplayModel,
};
