import { judgePromptText } from '../../../src-shared/domain/judgePromptText.ts';
import type { JudgePrompt } from '../../../src-shared/domain/judgeVote.ts';
import { sha256 } from '../../runtime/sha256.ts';

/**
 * The prompt of today. Its version is a hash of its words, so that no edit can keep it: verdicts of
 * another version are in no agreement with these, and no cache or recording answers for them, because
 * the words are part of each request.
 */
export const judgePrompt: JudgePrompt = {
  version: sha256(judgePromptText).slice(0, 8),
  text: judgePromptText,
};
