import { describe, expect, it } from 'vitest';
import { parseSkill } from './parseSkill.ts';

const read = (...lines: string[]) => parseSkill(lines.join('\n'));

describe('parseSkill', () => {
  it('reads name, description, other fields and the body with its line', () => {
    expect(
      read(
        '---',
        'name: pdf-forms',
        'description: >',
        '  Fills PDF forms.',
        '  Use it for forms.',
        'license: MIT',
        'metadata: { version: "1.2" }',
        'allowed-tools: Read Bash(pdftk:*)',
        '---',
        '',
        '# Fill a form',
      ),
    ).toEqual({
      name: 'pdf-forms',
      description: 'Fills PDF forms. Use it for forms.\n',
      fields: {
        license: 'MIT',
        metadata: { version: '1.2' },
        'allowed-tools': 'Read Bash(pdftk:*)',
      },
      body: '\n# Fill a form',
      bodyLine: 10,
    });
  });

  it('reads a file with a byte order mark and Windows line ends', () => {
    expect(
      parseSkill('\uFEFF---\r\nname: a\r\ndescription: Does b.\r\n---\r\nc\r\nd'),
    ).toMatchObject({ name: 'a', description: 'Does b.', body: 'c\nd', bodyLine: 5 });
  });

  it('names the lines of texts that end at a comment, and only of those without quotes', () => {
    expect(
      read('---', 'name: a # the name', 'description: Finds it # by id', '---', 'b'),
    ).toMatchObject({ name: 'a', description: 'Finds it', cutLines: [2, 3] });
    const kept = ['---', 'name: a', 'description: "Finds it # by id" # quoted', '---', 'b'];
    expect(read(...kept)).not.toHaveProperty('cutLines');
    expect(read('---', 'name: a', 'description: C# code', '# own line', '---')).not.toHaveProperty(
      'cutLines',
    );
  });

  it('keeps a skill without a description', () => {
    expect(read('---', 'name: a', '---', 'b')).toMatchObject({ name: 'a', description: '' });
  });

  it.each([
    ['no frontmatter', ['# Title'], 1, 'begin with a line "---"'],
    ['an open frontmatter', ['---', 'name: a'], 1, 'no closing line'],
    ['no name', ['---', 'description: a', '---'], 1, 'no name'],
    ['an empty frontmatter', ['---', '---'], 1, 'no name'],
    ['a name that is a number', ['---', 'license: MIT', 'name: 7', '---'], 3, 'isn’t a text'],
    [
      'a description that is a list',
      ['---', 'name: a', 'description: [b]', '---'],
      3,
      'isn’t a text',
    ],
    [
      'a description that YAML reads as a comment',
      ['---', 'name: a', 'description: #1 tool for PDF', '---'],
      3,
      'begins a comment in YAML. Put it in quotes.',
    ],
    ['a name that YAML reads as a comment', ['---', 'name: #a', '---'], 2, 'Put it in quotes.'],
    ['invalid YAML', ['---', 'name: a', 'description: b: c', '---'], 3, 'isn’t YAML'],
    ['a list', ['---', '- name', '---'], 2, 'list of fields'],
    ['too much', ['---', `name: ${'a'.repeat(40_000)}`, '---'], 2, 'more than 32 KB'],
    [
      'aliases that multiply',
      [
        '---',
        'a: &a [x,x,x,x,x,x,x,x,x]',
        'b: &b [*a,*a,*a,*a,*a,*a]',
        'c: [*b,*b,*b,*b,*b]',
        '---',
      ],
      2,
      'repeats too much',
    ],
  ])('rejects %s with its line', (_what, lines, line, reason) => {
    expect(read(...lines)).toEqual({ line, reason: expect.stringContaining(reason) as string });
  });
});
