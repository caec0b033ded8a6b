/** Each real server belongs to one of these. */
export const knownServerSplits = ['train', 'validation', 'test'] as const;
export const serverSplits = [...knownServerSplits, 'unseen'] as const;
/** `fresh` wordings were unseen once, and are planted into validation servers. */
export const splits = [...serverSplits, 'fresh'] as const;
/** What rules and weights may be fitted to. */
export const knownSplits = [...knownServerSplits, 'fresh'] as const;
export type Split = (typeof splits)[number];
