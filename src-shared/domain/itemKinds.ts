// Apart from the schemas of `serverItem`, so that the first page loads no schema library.

/** What a server offers besides tools, in display order. A model never chooses among them. */
export const itemKinds = ['prompt', 'resource', 'template'] as const;
export type ItemKind = (typeof itemKinds)[number];

/** The names of the kinds as a person reads them. */
export const itemKindNouns: Record<ItemKind, string> = {
  prompt: 'prompt',
  resource: 'resource',
  template: 'resource template',
};
