import { z } from 'zod';
import { jsonObject, type JsonObject } from './json.ts';

/** A file of a skill's folder other than its SKILL.md. */
const skillFile = z.object({
  /** Relative to the skill's folder, with `/` between names. */
  path: z.string(),
  bytes: z.number().int(),
  /** Of its content, so that every change is noticed; null if it was not read. */
  sha256: z.string().nullable(),
  /** Null if it was not read, or isn't text. */
  text: z.string().nullable(),
  /** Why it was not read; null if it was. */
  problem: z.string().nullable(),
});
export type SkillFile = z.infer<typeof skillFile>;

/** What a skill has besides the name and description that a model chooses it by. */
export const skill = z.object({
  /** The path of its folder below that of the server, with `/` between names. */
  folder: z.string(),
  /** SKILL.md after its frontmatter: what a model reads when it uses the skill. */
  body: z.string(),
  /** The line of SKILL.md in which the body begins. */
  bodyLine: z.number().int(),
  /** The other fields of the frontmatter, such as `license` and `allowed-tools`. */
  fields: jsonObject,
  files: z.array(skillFile),
  /** Lines of SKILL.md whose text ends at " #", because YAML begins a comment there. */
  cutLines: z.array(z.number().int()).optional(),
});
export type Skill = z.infer<typeof skill>;

/** How a model calls a skill: by its name alone. */
export const skillInputSchema: JsonObject = {
  type: 'object',
  properties: {},
  additionalProperties: false,
};
