import { plainName } from './fieldNames.ts';

/** Who speaks, as written texts of conversations name them, each by its role. */
const speakers: Readonly<Record<string, string>> = {
  system: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  gpt: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  functioncall: 'function_call',
  functionresponse: 'tool',
  toolresponse: 'tool',
  tool: 'tool',
  observation: 'tool',
};

const line = /^[ \t]*(?:\*\*)?([A-Za-z]+(?:[ _](?:call|response))?)(?:\*\*)?[ \t]*:(?:\*\*)?/gim;
/** Signs of templates that end what was said. */
const ends = /<\|(?:endoftext|im_end|eot_id|end)\|>|<\/s>/g;

/**
 * The messages of a conversation that is written as one text, `USER: … ASSISTANT: …`, as Glaive and
 * ShareGPT exports write it. Null for a text in which not both of them speak, or that begins with
 * something else.
 */
export function transcriptMessages(text: string): { role: string; content: string }[] | null {
  const found = [...text.matchAll(line)].flatMap((match) => {
    const role = speakers[plainName(match[1] ?? '')];
    return role === undefined
      ? []
      : [{ role, from: match.index, to: match.index + match[0].length }];
  });
  const [first] = found;
  if (first === undefined || text.slice(0, first.from).trim() !== '') return null;
  const says = (who: string): boolean => found.some(({ role }) => role === who);
  if (!says('user') || !says('assistant')) return null;
  return found.map(({ role, to }, at) => ({
    role,
    content: text
      .slice(to, found[at + 1]?.from)
      .replaceAll(ends, '')
      .trim(),
  }));
}
