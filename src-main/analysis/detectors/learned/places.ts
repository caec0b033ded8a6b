/** What kind of text a place holds. A sentence is expected in a description, not in an enum. */
export function kindOfPlace(place: string): number {
  if (place === '/description') return 1;
  if (/\/(?:enum\/\d+|examples\/\d+|default|const)$/.test(place)) return 2;
  if (place === '/title' || place.startsWith('/annotations')) return 3;
  if (place === '/instructions') return 4;
  return place.startsWith('/outputSchema') ? 5 : 6;
}
