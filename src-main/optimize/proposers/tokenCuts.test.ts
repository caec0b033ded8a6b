import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src-shared/domain/json.ts';
import type { Tool } from '../../../src-shared/domain/tool.ts';
import { isContract } from '../contracts.ts';
import { sentencesOf } from '../sentences.ts';
import { refusal } from '../refuse.ts';
import { tokenCuts } from './tokenCuts.ts';

const toolOf = (description: string, properties: JsonObject = {}, name = 'update_task'): Tool => ({
  server: 'todo',
  name,
  title: null,
  description,
  inputSchema: { type: 'object', properties },
  outputSchema: null,
  annotations: null,
});
/** The text after all cuts together; the text itself if there are none. */
const cut = (
  tool: Tool,
  path = '/description',
  tools: readonly Tool[] = [tool],
  instructions = '',
): string =>
  tokenCuts(tool, tools, instructions)[0]?.edits.find((edit) => edit.path === path)?.newText ??
  tool.description;

describe('a token cut', () => {
  it.each([
    ['says the name again', 'Changes a task. This updates the task.', 'Changes a task.'],
    [
      'says another sentence again',
      'Changes the title of a task. Changes the title.',
      'Changes the title of a task.',
    ],
    [
      'is there twice, contract or not',
      'Changes a task. The id must exist. The id must exist.',
      'Changes a task. The id must exist.',
    ],
    [
      'ends a paragraph, and keeps its end',
      'Stops a run. The run ends. The run ends.\n\nAsk the user.',
      'Stops a run. The run ends.\n\nAsk the user.',
    ],
    [
      'is a further example',
      'Changes a task. For example, task 7. Example: task 8.',
      'Changes a task. For example, task 7.',
    ],
    [
      'is only bold',
      '**Important:** Keeps the **title** as it is.',
      'Important: Keeps the title as it is.',
    ],
    ['is a mark of a heading', '## Purpose\n\nKeeps a task.', 'Purpose\n\nKeeps a task.'],
    [
      'is indentation of all lines',
      'Keeps a task.\n    Only once.\n      Ever.',
      'Keeps a task.\nOnly once.\n  Ever.',
    ],
  ])('drops what %s', (_what, text, expected) => {
    expect(cut(toolOf(text))).toBe(expected);
  });

  it.each([
    'Changes the title, the description or both of an existing task.',
    'Finds a task. The name must match exactly.',
    'Sets a priority. It is a number (1-10).',
    'Changes a task. Tasks are open, done, or late.',
    'Changes a task. Use task_id from find_task.',
    'Changes a task. Does not change the task.',
    'Changes a task. This tool is very simply used to change it in order to help.',
    'Reads logs. Examples: ["**/logs/**", "**.txt"].',
    'Cleans the cache. Does not rebuild the\napplication. Use it to recover a hung\napplication.',
    'Copies messages to the archive. Copies messages from the archive.',
    'Deletes the project of a task. Deletes the task.',
    'Reads pages. Error Responses:\n400: Bad request',
    'Ends a session. It can be called "DC: ..." in your instructions.',
    'Reads trades.\n• stats — Requires: address.\n• best — Requires: address.',
    'update task',
    '',
  ])('leaves “%s” as it is', (text) => {
    expect(tokenCuts(toolOf(text), [])).toEqual([]);
  });

  it('drops what the schema of a parameter says, and nothing that it does not say', () => {
    const schema = (description: string, more: JsonObject): JsonObject => ({
      state: { type: 'string', description, ...more },
    });
    const after = (description: string, more: JsonObject): string | undefined =>
      tokenCuts(toolOf('Changes a task.', schema(description, more)), [])[0]?.edits[0]?.newText;
    const values = { enum: ['open', 'done'], default: 'open' };
    expect(after('The state. One of: open, done. Defaults to open.', values)).toBe('The state.');
    expect(after('The state. One of: open, done, late.', values)).toBeUndefined();
    expect(after('The state. Defaults to done.', values)).toBeUndefined();
    expect(after('The state. Defaults to open.', {})).toBeUndefined();
    expect(after('String', {})).toBeUndefined();
  });

  it('drops what all tools of a server say, from three tools on', () => {
    const tools = ['add_task', 'find_task', 'drop_task'].map((name, at) =>
      toolOf(`Handles ${at} things well. Part of the famous Todo suite.`, {}, name),
    );
    const [first] = tools;
    expect(cut(first as Tool, '/description', tools)).toBe('Handles 0 things well.');
    expect(cut(first as Tool, '/description', tools.slice(0, 2))).toBe(first?.description);
  });

  it('consists of whole sentences of the text and keeps every contract', () => {
    const sentence = fc.constantFrom(
      'Changes a task.',
      'Changes the title of a task.',
      'The name must match exactly.',
      'Only admins see it.',
      'Takes 5 to 10 seconds.',
      'Dates are ISO 8601.',
      'Works on lists, boards, or cards.',
      'It is nice.',
      'It updates tasks.',
      'For example, rename it.',
      'Updates the task of the board.',
    );
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 7 }), (sentences) => {
        const tool = toolOf(sentences.join(' '));
        const after = sentencesOf(cut(tool)).map((each) => each.trim());
        expect(after.length).toBeGreaterThan(0);
        expect(after[0]).toBe(sentences[0]);
        for (const each of after) expect(sentences).toContain(each);
        for (const each of sentences) if (isContract(each)) expect(after).toContain(each);
      }),
    );
  });
});

describe('a token cut where the model is sent the instructions of the server', () => {
  const instructions =
    'Instructions of the server todo:\nCall this only after sign_in. Dates are UTC. ' +
    'Tasks are kept in lists, and lists belong to a workspace.';
  const cutTold = (text: string): string =>
    cut(toolOf(text), '/description', undefined, instructions);

  it.each([
    ['a sentence that they have, contract or not', 'Changes a task. Dates are UTC.'],
    ['a sentence that is part of one of theirs', 'Changes a task. Lists belong to a workspace.'],
  ])('drops %s', (_, text) => {
    expect(cutTold(text)).toBe('Changes a task.');
    expect(cut(toolOf(text))).toBe(text);
  });

  it.each([
    'Changes a task. Dates are UTC or local.',
    'Changes a task. Call this only after sign_out.',
    'Dates are UTC.',
    'Changes a task. Lists belong to a person.',
  ])('keeps what they do not say, and the first sentence: %s', (text) => {
    expect(cutTold(text)).toBe(text);
  });

  it('lets a model drop a contract that they have, and no other', () => {
    const before = toolOf('Changes a task. The id must exist in list 7.');
    const after = toolOf('Changes a task.');
    const edits = [
      {
        toolId: 'todo:update_task',
        path: '/description',
        oldText: before.description,
        newText: after.description,
      },
    ];
    const rules = (told: string) => ({
      tools: [before],
      objective: 'tokens' as const,
      allowNames: false,
      maxAddedTokens: 60,
      countTokens: ({ description }: Tool) => description.length,
      requests: [],
      instructions: () => told,
    });
    expect(refusal(before, after, edits, rules('The id must exist in list 7.'))).toBeNull();
    expect(refusal(before, after, edits, rules('The id must exist in list 8.'))).toBe(
      'It drops “7”.',
    );
  });
});
