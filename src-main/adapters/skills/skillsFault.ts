/** Why a folder of skills can't be listed: a sentence and the next step. */
export class SkillsFault extends Error {
  override readonly name = 'SkillsFault';
  readonly nextStep: string;

  constructor(sentence: string, nextStep: string) {
    super(sentence);
    this.nextStep = nextStep;
  }

  static missing(path: string): SkillsFault {
    return new SkillsFault(`There is no folder ${path}.`, 'Check the path.');
  }

  static noFolder(path: string): SkillsFault {
    return new SkillsFault(`${path} isn’t a folder.`, 'Choose the folder that holds the skills.');
  }

  static unreadable(path: string, error: unknown): SkillsFault {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return new SkillsFault(`The folder ${path} can’t be read (${code}).`, 'Check its permissions.');
  }

  static empty(path: string): SkillsFault {
    return new SkillsFault(
      `${path} has no skill: none of its folders has a SKILL.md.`,
      'Choose the folder that holds the folders of the skills.',
    );
  }

  static overLimit(what: string): SkillsFault {
    return new SkillsFault(`The folder has ${what}.`, 'Split it into several folders.');
  }

  static late(ms: number): SkillsFault {
    return new SkillsFault(
      `The folder could not be read within ${ms / 1000} s.`,
      'Check that its disk answers.',
    );
  }
}
