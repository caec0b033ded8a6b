/** The first line of a text that has words, on one line. */
export const firstLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^[#\s]+/, '').trim())
    .find((line) => line !== '') ?? '';
