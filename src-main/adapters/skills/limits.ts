const MB = 1_000_000;

export interface SkillLimits {
  /** Skills of one folder. More is an error, never a part of them. */
  skills: number;
  /** One SKILL.md. */
  skillBytes: number;
  /** Files of one skill, in all its folders. */
  files: number;
  /** A larger file is listed and not read. */
  fileBytes: number;
  /** The text of one skill with all its files. */
  skillTextBytes: number;
  /** The text of all skills. */
  listBytes: number;
  /** Folders within each other in a skill. */
  depth: number;
  /** The complete listing. */
  listMs: number;
}

export const defaultSkillLimits: SkillLimits = {
  skills: 1_000,
  skillBytes: MB,
  files: 500,
  fileBytes: MB,
  skillTextBytes: 8 * MB,
  listBytes: 64 * MB,
  depth: 8,
  listMs: 10_000,
};
