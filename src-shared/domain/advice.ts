import { z } from 'zod';

/** What a piece of advice is about (docs/rules.md §4, Advice). */
const adviceKinds = [
  'restore', // a description that the server had before
  'exchange', // two descriptions that are each about the other tool
  'same_name', // the same name on two servers
  'deprecated_twin', // a deprecated tool whose replacement is offered too
  'boundary', // two tools that need one sentence between them
  'missing_words', // requests use words that the description lacks
  'parameter', // a parameter that was filled wrongly
  'unneeded_call', // a tool that was called although no call was needed
] as const;
const adviceKind = z.enum(adviceKinds);
export type AdviceKind = z.infer<typeof adviceKind>;

/** A change of one text in a tool definition, ready to paste. */
const adviceTextEdit = z.object({
  type: z.literal('text'),
  toolId: z.string(),
  /** JSON pointer into the tool as returned by `tools/list`. */
  path: z.string(),
  oldText: z.string(),
  newText: z.string(),
  /** What is new in `newText`: a sentence, or the new name. */
  inserted: z.string(),
});

/** The tool should not be offered any more. */
const adviceHideEdit = z.object({ type: z.literal('hide'), toolId: z.string() });

/** Only the author knows what to write: `evidence.words` are what the tool has to speak of. */
const adviceWriteEdit = z.object({ type: z.literal('write'), toolId: z.string() });

const adviceEdit = z.discriminatedUnion('type', [adviceTextEdit, adviceHideEdit, adviceWriteEdit]);
export type AdviceEdit = z.infer<typeof adviceEdit>;
export type AdviceTextEdit = z.infer<typeof adviceTextEdit>;

export const advice = z.object({
  kind: adviceKind,
  /** The tools concerned; the first one is the tool to edit. */
  toolIds: z.array(z.string()).min(1),
  /** One for each tool to edit; two if both should change. */
  edits: z.array(adviceEdit).min(1),
  /** One sentence. */
  why: z.string(),
  evidence: z.object({
    /** Failing requests that the advice is based on; empty if it follows from the tools alone. */
    requests: z.array(z.string()),
    words: z.array(z.string()),
  }),
  /** When the server last listed the text that is restored. */
  listedAt: z.string().optional(),
});
export type Advice = z.infer<typeof advice>;
