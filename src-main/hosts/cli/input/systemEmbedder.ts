import {
  createOpenEmbedder,
  type OpenEmbedder,
} from '../../../adapters/llm/embeddings/openEmbedder.ts';
import { startEnvironment } from '../../../adapters/secrets/environment.ts';
import { createSecrets } from '../../../adapters/secrets/secrets.ts';
import { systemKeychain } from '../../../adapters/secrets/systemKeychain.ts';

/**
 * Embeddings for a command that opens no workspace: keys come from the keychain and the
 * environment, as everywhere else.
 */
export const createSystemEmbedder = (): OpenEmbedder =>
  createOpenEmbedder({
    secrets: createSecrets({ keychain: systemKeychain(), environment: startEnvironment() }),
  });
