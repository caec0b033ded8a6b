/** “1 case”, “1,204 cases”: a number with its noun, digits grouped. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${noun(count, singular, plural)}`;
}

/** The noun without its number; the plural while the number is not known. */
export function noun(count: number | undefined, singular: string, plural = `${singular}s`): string {
  return count === 1 ? singular : plural;
}
