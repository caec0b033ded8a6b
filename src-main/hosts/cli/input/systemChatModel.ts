import type { OpenChatModel } from '../../../adapters/llm/chatModel.ts';
import { createOpenChatModel } from '../../../adapters/llm/openChatModel.ts';
import { createSecrets } from '../../../adapters/secrets/secrets.ts';
import { systemKeychain } from '../../../adapters/secrets/systemKeychain.ts';

/**
 * Models for a command that opens no workspace: keys come from the keychain and the environment, as
 * everywhere else.
 */
export const createSystemChatModel = (): OpenChatModel =>
  createOpenChatModel({ secrets: createSecrets({ keychain: systemKeychain() }) });
