/** A block between code fences, or around it. */
export interface Passage {
  /** Where it begins in the text: of a fence, the line of the fence itself. */
  start: number;
  /** Where its content begins. */
  at: number;
  content: string;
  /** Where the text goes on after it. */
  end: number;
  /** The language of a fence; null outside of fences. */
  language: string | null;
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*$/;

/** The text in order, as prose and fences. A fence that isn't closed goes to the end. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = [];
  let proseFrom = 0;
  let fence: { mark: string; start: number; at: number; language: string } | null = null;
  for (let line = 0; line < text.length;) {
    const found = text.indexOf('\n', line);
    const lineEnd = found < 0 ? text.length : found;
    const next = Math.min(text.length, lineEnd + 1);
    const match = fenceLine.exec(text.slice(line, Math.min(lineEnd, line + 200)));
    const mark = match?.[1] ?? '';
    if (match && fence === null) {
      passages.push(prose(text, proseFrom, line));
      fence = { mark, start: line, at: next, language: (match[2] ?? '').toLowerCase() };
    } else if (match && fence && mark.startsWith(fence.mark) && match[2] === '') {
      const { start, at, language } = fence;
      passages.push({ start, at, content: text.slice(at, line), end: next, language });
      fence = null;
      proseFrom = next;
    }
    line = next;
  }
  if (fence) {
    const { start, at, language } = fence;
    passages.push({ start, at, content: text.slice(at), end: text.length, language });
  } else passages.push(prose(text, proseFrom, text.length));
  return passages.filter(({ language, content }) => language !== null || content.trim() !== '');
}

const prose = (text: string, from: number, to: number): Passage => ({
  start: from,
  at: from,
  content: withoutCodeSpans(text.slice(from, to)),
  end: to,
  language: null,
});

/** A name in a code span is a mention. Places stay the same. */
const withoutCodeSpans = (text: string): string =>
  text.replace(/`[^`\n]+`/g, (span) => ' '.repeat(span.length));

/** Without what the model thought aloud before its answer. */
export function withoutThoughts(text: string): string {
  const at = Math.max(
    ...['</think>', '</thinking>', '</thought>', '</reasoning>'].map((tag) => {
      const found = text.lastIndexOf(tag);
      return found < 0 ? -1 : found + tag.length;
    }),
  );
  return at < 0 ? text : text.slice(at);
}

/** Words of a text that explains a call to a reader, in the line that leads to it. */
const explaining =
  /\b(?:examples?|e\.g\.|for instance|sample|would|could|might|looks? like|like (?:so|this)|how (?:to|you)|if you|you (?:can|may|need|should|must|want)|signature|definition|documented|documentation)\b/i;

/** Whether the line that leads to a place announces an example instead of a call. */
export function isExplained(text: string, place: number): boolean {
  const before = text.slice(Math.max(0, place - 400), place).trimEnd();
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return explaining.test(line);
}

/** Whether the line after a block says so. */
export function isExplainedAfter(text: string, place: number): boolean {
  const after = text.slice(place, place + 400).trimStart();
  return explaining.test(after.split('\n', 1)[0] ?? '');
}
