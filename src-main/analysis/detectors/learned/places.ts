/** Kinds of texts of a tool, as the weights know them. */
export const places = {
  description: 1,
  value: 2,
  title: 3,
  instructions: 4,
  output: 5,
  parameter: 6,
} as const;

/** What kind of text a place holds. */
export function kindOfPlace(place: string): number {
  if (place === '/description') return places.description;
  if (/\/(?:enum\/\d+|examples\/\d+|default|const)$/.test(place)) return places.value;
  if (place === '/title' || place.startsWith('/annotations')) return places.title;
  if (place === '/instructions') return places.instructions;
  return place.startsWith('/outputSchema') ? places.output : places.parameter;
}
