/** “1 case”, “1,204 cases”: a number with its noun, digits grouped. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`;
}
