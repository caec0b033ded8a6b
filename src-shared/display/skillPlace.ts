import type { Skill } from '../domain/skill.ts';

export interface SkillPlace {
  file: string;
  line: number;
}

/**
 * The file and line of a place in a skill, given as a JSON pointer into its tool. Null for a part
 * that isn't text of a file as it stands, such as the description.
 * @param offset in UTF-16 units, in the text at the pointer
 */
export function skillPlace(skill: Skill, pointer: string, offset: number): SkillPlace | null {
  const lineOf = (text: string): number => text.slice(0, offset).split('\n').length;
  if (pointer === '/skill/body')
    return { file: 'SKILL.md', line: skill.bodyLine - 1 + lineOf(skill.body) };
  const [, index] = /^\/skill\/files\/(\d+)\/text$/.exec(pointer) ?? [];
  const file = index === undefined ? undefined : skill.files[Number(index)];
  return file === undefined || file.text === null
    ? null
    : { file: file.path, line: lineOf(file.text) };
}
