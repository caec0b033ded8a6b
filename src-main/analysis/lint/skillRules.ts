import { formatCount } from '../../../src-shared/display/numbers.ts';
import type { Skill } from '../../../src-shared/domain/skill.ts';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { example, quoted, type LintRule } from './rule.ts';

// The limits of the Agent Skills specification, https://agentskills.io/specification.
const maxNameLength = 64;
const maxDescriptionLength = 1024;
const maxBodyLines = 500;
const validName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const described = 'Moves a paid invoice to the archive. Use it once the money is there.';
const exampleSkill = (
  name: string,
  skill: Partial<Skill> = {},
  description = described,
): AnalysedTool => ({
  ...example(name, description),
  skill: { folder: name, body: 'Read the invoice.', bodyLine: 5, fields: {}, files: [], ...skill },
});

const invalidName: LintRule = {
  id: 'skill-name',
  severity: 'high',
  what:
    `A skill's name that isn’t 1 to ${maxNameLength} lowercase letters, digits and single hyphens. ` +
    'Programs refuse it.',
  fix: 'Write the name in lowercase words joined by hyphens, such as "archive-invoice".',
  bad: exampleSkill('Archive_Invoice'),
  good: exampleSkill('archive-invoice'),
  check: ({ tool: { name, skill } }) =>
    skill === undefined || (name.length <= maxNameLength && validName.test(name))
      ? []
      : [{ message: `"${name}" isn’t a valid name of a skill.` }],
};

const folderName: LintRule = {
  id: 'skill-folder',
  severity: 'medium',
  what: 'A skill whose name differs from that of its folder.',
  fix: 'Give the folder the name of the skill.',
  bad: exampleSkill('archive-invoice', { folder: 'invoices' }),
  good: exampleSkill('archive-invoice'),
  check: ({ tool: { name, skill } }) =>
    skill === undefined || skill.folder.split('/').at(-1) === name
      ? []
      : [{ message: `Its folder is "${skill.folder}", its name "${name}".` }],
};

const descriptionLength: LintRule = {
  id: 'skill-description-length',
  severity: 'high',
  // Formatted when it is read: the first number that is formatted delays a start.
  get what() {
    return `A skill's description of more than ${formatCount(maxDescriptionLength)} characters. Programs refuse it.`;
  },
  fix: 'Move the details to the body of the skill.',
  bad: exampleSkill('archive-invoice', {}, `${described} ${'It keeps every line. '.repeat(60)}`),
  good: exampleSkill('archive-invoice'),
  check: ({ tool: { description, skill } }) =>
    skill === undefined || description.length <= maxDescriptionLength
      ? []
      : [{ message: `Its description has ${formatCount(description.length)} characters.` }],
};

const emptyBody: LintRule = {
  id: 'skill-empty-body',
  severity: 'high',
  what: 'A skill without a body. A model that uses it learns nothing.',
  fix: 'Write the instructions below the frontmatter of SKILL.md.',
  bad: exampleSkill('archive-invoice', { body: '\n' }),
  good: exampleSkill('archive-invoice'),
  check: ({ tool: { name, skill } }) =>
    skill === undefined || skill.body.trim() !== ''
      ? []
      : [{ message: `"${name}" has no text below its frontmatter.` }],
};

const longBody: LintRule = {
  id: 'skill-long-body',
  severity: 'low',
  what: `A skill's body of more than ${maxBodyLines} lines. All of it is loaded when it is used.`,
  fix: 'Move details to files that the body refers to.',
  bad: exampleSkill('archive-invoice', { body: 'Read one more line.\n'.repeat(600) }),
  good: exampleSkill('archive-invoice'),
  check({ tool: { skill } }) {
    const lines = skill?.body.trim().split('\n').length ?? 0;
    return lines > maxBodyLines ? [{ message: `Its body has ${lines} lines.` }] : [];
  },
};

const cutText: LintRule = {
  id: 'skill-cut-text',
  severity: 'medium',
  what: 'A name or description of a skill that ends at " #", where YAML begins a comment.',
  fix: 'Put the text in quotes. If a comment is meant, move it to a line of its own.',
  bad: exampleSkill('archive-invoice', { cutLines: [3] }),
  good: exampleSkill('archive-invoice'),
  check: ({ tool: { skill } }) =>
    (skill?.cutLines ?? []).map((line) => ({
      message: `Line ${line} of its SKILL.md: the text ends at " #", where YAML begins a comment.`,
    })),
};

/** Links of Markdown to a path in the folder of the skill. */
const link = /\]\(([\w./-]{1,300})(?:#[^)\s]{0,300})?\)/gu;

const missingFile: LintRule = {
  id: 'skill-missing-file',
  severity: 'medium',
  what: 'A link in a skill’s body to a file that its folder doesn’t have.',
  fix: 'Add the file, or correct the link.',
  bad: exampleSkill('archive-invoice', { body: 'See [the forms](references/forms.md).' }),
  good: exampleSkill('archive-invoice', {
    body: 'See [the forms](references/forms.md).',
    files: [{ path: 'references/forms.md', bytes: 1, sha256: '', text: 'a', problem: null }],
  }),
  check({ tool: { skill } }) {
    if (skill === undefined) return [];
    const paths = skill.files.map(({ path }) => path);
    const missing = [...skill.body.matchAll(link)]
      .map(([, target = '']) => target.replace(/^\.\//, ''))
      .filter((target) => /\.\w+$/.test(target) && !/^\.\.|^\//.test(target))
      .filter((target) => target.toLowerCase() !== 'skill.md' && !paths.includes(target));
    return missing.length === 0
      ? []
      : [{ message: `Its folder has no file ${quoted([...new Set(missing)])}.` }];
  },
};

export const skillRules: readonly LintRule[] = [
  invalidName,
  folderName,
  descriptionLength,
  emptyBody,
  longBody,
  missingFile,
  cutText,
];
