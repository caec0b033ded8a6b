import { z } from 'zod';

export const judgeVote = z.strictObject({
  /** The name of its model, whoever serves it. */
  judge: z.string(),
  /** Null: it gave no usable verdict. */
  passed: z.boolean().nullable(),
  reason: z.string(),
});
export type JudgeVote = z.infer<typeof judgeVote>;

/** Whether as many judges said yes as no, so that there is no majority. */
export const isTied = ({ votes = [] }: { votes?: readonly JudgeVote[] | undefined }): boolean => {
  const yes = votes.filter(({ passed }) => passed === true).length;
  return yes > 0 && yes === votes.filter(({ passed }) => passed === false).length;
};

/** The words that a judge is asked with, and by which its verdicts are told apart from others. */
export interface JudgePrompt {
  version: string;
  text: string;
}
