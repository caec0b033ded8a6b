/** Consecutive words that a request may not share with the description of its tool. */
const copiedRun = 5;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * The first five consecutive words of a description that occur in a request, joined by spaces; null
 * if there are none. A request that copies the description measures whether a model can match text,
 * not whether it understands. A shorter description, such as “Create a note.”, says no more than a
 * name does, and every plain request repeats it.
 */
export function copiedText(request: string, description: string): string | null {
  return commonRun(joined(request), wordsOf(description), copiedRun);
}

/** A shorter request in quotation marks is no example of anything else. */
const quotedRun = 3;
const quotations = /"([^"]+)"|“([^”]+)”|«([^»]+)»|„([^“]+)“/gu;

/**
 * The words of a request that a description copies: at least five in a row and half of the request,
 * or all of a request of three words and more in quotation marks. Null if there are none. A
 * description that holds the requests of its suite proves nothing. The description is read once for
 * all requests.
 */
export function copiedRequestIn(description: string): (request: string) => string | null {
  const text = joined(description);
  const quoted = new Set([...description.matchAll(quotations)].map(([quote]) => joined(quote)));
  return (request) => {
    const source = wordsOf(request);
    const whole = source.join(' ');
    return source.length >= quotedRun && quoted.has(` ${whole} `)
      ? whole
      : commonRun(text, source, Math.max(copiedRun, Math.ceil(source.length / 2)));
  };
}

/** Every word of a text with a space before and behind it. */
const joined = (text: string): string => ` ${wordsOf(text).join(' ')} `;

function commonRun(asked: string, source: readonly string[], run: number): string | null {
  for (let at = 0; at + run <= source.length; at++) {
    const words = source.slice(at, at + run).join(' ');
    if (asked.includes(` ${words} `)) return words;
  }
  return null;
}
