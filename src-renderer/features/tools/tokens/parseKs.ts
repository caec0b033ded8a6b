/** Parses numbers of tools and "all" from a form; null means every tool. */
export function parseKs(words: readonly string[]): { ks: (number | null)[]; fault: string | null } {
  const ks: (number | null)[] = [];
  for (const word of words) {
    const text = word.trim().toLowerCase();
    const k = text === 'all' ? null : /^\d+$/.test(text) ? Number(text) : NaN;
    if (k !== null && !(k >= 1 && k <= 10_000))
      return { ks: [], fault: `“${word}” isn’t a number of tools from 1 to 10,000, or “all”.` };
    if (!ks.includes(k)) ks.push(k);
  }
  return ks.length === 0 ? { ks, fault: 'Enter how many tools to show.' } : { ks, fault: null };
}
