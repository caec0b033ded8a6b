import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { modelConfiguration } from '../../../../src-shared/domain/model.ts';
import { scriptedModel } from '../../../testing/engine.ts';
import { ask } from '../../../testing/fakeModelServer/openTestModel.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../testing/temporaryFolder.ts';
import { createRecordingModel } from '../replay/recordingModel.ts';
import { openRecordingFile } from '../replay/recordingFile.ts';
import { createReplayFirstModel } from '../openChatModel.ts';
import type { AnswerCache } from './answerCache.ts';
import { RefusedSettings } from '../request/refusedSettings.ts';
import { createCachingModel } from './cachingModel.ts';
import type { ChatReply } from '../chatModel.ts';

let folder: TemporaryFolder;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.remove());

const soon = () => AbortSignal.timeout(20_000);
const configuration = modelConfiguration.parse({ provider: 'builtin', model: 'm' });
const asText = '<tool_call>{"name":"todo__add_task","arguments":{}}</tool_call>';

/** A model whose endpoint gets its tool-call parser after the first answer. */
function mended() {
  let asked = 0;
  return scriptedModel(async () => {
    asked += 1;
    return { calls: [], text: asked === 1 ? asText : `Answer ${asked}.` };
  });
}
const textOf = async (reply: Promise<ChatReply>) => (await reply).observation.text;

it('asks again for a call as text, also if an older version kept it', async () => {
  const kept = new Map<string, ChatReply>();
  const cache = {
    get: async (key: string) => kept.get(key) ?? null,
    put: async (key: string, reply: ChatReply) => void kept.set(key, reply),
  } as unknown as AnswerCache;
  const model = createCachingModel(mended(), configuration, cache, {
    secretsHash: null,
    refused: new RefusedSettings(),
  });
  const reply = await model.choose(ask('hello'), soon());
  expect([reply.observation.text, kept.size]).toEqual([asText, 0]);
  expect(await textOf(model.choose(ask('hello'), soon()))).toBe('Answer 2.');
  const [key = ''] = kept.keys();
  kept.set(key, reply);
  expect(await textOf(model.choose(ask('hello'), soon()))).toBe('Answer 3.');
  expect(await textOf(model.choose(ask('hello'), soon()))).toBe('Answer 3.');
});

it('asks the model where a recording holds a call as text', async () => {
  const file = join(folder.path, 'recorded.jsonl');
  const model = mended();
  const recording = createRecordingModel(
    model,
    'm',
    await openRecordingFile(
      file,
      () => undefined,
      (value) => value,
    ),
  );
  expect(await textOf(recording.choose(ask('hello'), soon()))).toBe(asText);
  expect(await textOf(recording.choose(ask('bye'), soon()))).toBe('Answer 2.');
  await recording.close();
  const first = await createReplayFirstModel(model, configuration, file, {
    warn: () => undefined,
    refused: new RefusedSettings(),
  });
  expect(await textOf(first.choose(ask('hello'), soon()))).toBe('Answer 3.');
  expect(await textOf(first.choose(ask('bye'), soon()))).toBe('Answer 2.');
});
