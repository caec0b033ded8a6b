import type { ProviderAdapter } from '../providerAdapter.ts';
import { openReplayModel } from './replayModel.ts';

/** Uses the wire format that its recording was made in. */
export const replayProvider: ProviderAdapter = {
  provider: 'replay',
  wireFormats: {},
  open: openReplayModel,
};
