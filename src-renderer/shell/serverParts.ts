import { ServerSignals } from '../features/security/index.ts';
import type { ServerParts } from '../features/servers/index.ts';
import { ServerPairs, ServerQuality } from '../features/similarity/index.ts';
import { ServerCases } from '../features/suites/index.ts';
import { ServerTokens } from '../features/tokens/index.ts';

/** The tabs of a server's page that other features draw. */
export const serverParts: ServerParts = {
  Quality: ServerQuality,
  SimilarTools: ServerPairs,
  Tokens: ServerTokens,
  Signals: ServerSignals,
  Cases: ServerCases,
};
