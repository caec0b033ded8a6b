export interface Identifier {
  text: string;
  start: number;
  end: number;
}

const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isPart = (code: number) =>
  isLetter(code) || (code >= 48 && code <= 57) || code === 95 || code === 45;

/** Names with several parts (send_email, send-email, sendEmail), in order, found in one pass. */
export function identifiersIn(text: string): Identifier[] {
  const found: Identifier[] = [];
  for (let index = 0; index < text.length; index += 1) {
    if (!isPart(text.charCodeAt(index))) continue;
    const start = index;
    let parted = false;
    for (; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (!isPart(code)) break;
      if (index > start && (code === 95 || code === 45)) parted = true;
      else if (index > start && code >= 65 && code <= 90 && text.charCodeAt(index - 1) >= 97)
        parted = true;
    }
    if (parted && index - start <= 100)
      found.push({ text: text.slice(start, index), start, end: index });
  }
  return found;
}

/** What a name looks like at a glance: letters and digits that are easily confused become one. */
export function skeletonOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[_\-.\s]/g, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('0', 'o')
    .replace(/[1il|]/g, 'l')
    .replaceAll('5', 's');
}

/** The words of a name in lower case: send_email, send-email and sendEmail have the same ones. */
export const partsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\-.\s]/);
