import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { decodeText } from './decodeText.ts';
import { recognizeBytes, recognizeText } from './fileKinds.ts';

const packed = (...names: string[]): Uint8Array =>
  zipSync(Object.fromEntries(names.map((name) => [name, strToU8('x'.repeat(9_000))])), {
    level: 0,
  });
const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

describe('recognizeBytes', () => {
  test.each([
    ['an Excel workbook (XLSX)', packed('[Content_Types].xml', 'xl/workbook.xml')],
    ['a text document (DOCX or ODT)', packed('[Content_Types].xml', 'word/document.xml')],
    ['a presentation', packed('[Content_Types].xml', 'ppt/presentation.xml')],
    ['a ZIP archive', packed('cases.csv')],
    ['an old Office file (such as XLS)', latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0')],
    ['a PDF', latin1('%PDF-1.7\n%\xe2\xe3')],
    ['a gzip archive', latin1('\x1f\x8b\x08\0')],
    ['a TAR archive', latin1(`cases.csv${'\0'.repeat(248)}ustar`)],
    ['an SQLite database', latin1('SQLite format 3\0')],
    ['a Parquet or Arrow table', latin1('PAR1\x15')],
    ['a picture', latin1('\x89PNG\r\n\x1a\n')],
  ])('names %s, in every encoding, and offers none', (kind, bytes) => {
    expect(recognizeBytes(bytes)?.kind).toBe(kind);
    for (const encoding of [null, 'windows-1252'])
      expect(decodeText(bytes, encoding).problem).toMatchObject({
        cause: `It’s ${kind}, which isn’t text.`,
        suggestion: null,
      });
  });

  test.each(['query,tool\nPK,a\n', 'PAR1,tool\n', 'GIF8,tool\n', 'PK', '', 'é'])(
    'says nothing of the text %j',
    (text) => expect(recognizeBytes(new Uint8Array(Buffer.from(text)))).toBeNull(),
  );
});

const table = '# Prompts\n\n| Prompt | Tool |\n|---|:-:|\n| a | b |\n';
const python = '# Cases\nfrom dataclasses import dataclass\n\nCASES = [{"prompt": "x"}]\n';

describe('recognizeText', () => {
  test.each([
    ['Markdown', table],
    ['Markdown', `---\ntitle: x\n---\n\n${table}`],
    ['Markdown', table.replaceAll('\n', '\r\n')],
    ['Markdown', '# Prompts\n\nTry these by hand.\n\n- Where is it?\n'],
    ['XML', '<evaluation>\n  <qa_pair/>\n</evaluation>\n'],
    ['XML', '\ufeff<?xml version="1.0"?>\n<a/>'],
    ['HTML', '<!DOCTYPE html>\n<title>x</title>'],
    ['HTML', '<table><tr><td>x</td></tr></table>'],
    ['a Jupyter notebook', '{"cells": [{"cell_type": "code"}], "nbformat": 4}'],
    ['a program (TypeScript or JavaScript)', 'import type { A } from "./a";\nexport const X = [];'],
    ['a program (TypeScript or JavaScript)', '/** Cases. */\nexport const CASES = [\n];\n'],
    ['a program (TypeScript or JavaScript)', '// Cases\nconst cases: Case[] = [\n];\n'],
    ['a program (TypeScript or JavaScript)', "import a from 'a';\n"],
    ['a program (TypeScript or JavaScript)', "'use strict';\nmodule.exports = {};\n"],
    ['a program (Python)', python],
    ['a program (Python)', '#!/usr/bin/env python3\nprint(1)\n'],
    ['a program (Python)', '"""Cases."""\nimport pytest\n'],
    ['a program (Python)', 'import json, os\n\ndef a():\n    pass\n'],
    ['a program (Python)', 'CASES: list[dict] = [\n  {"prompt": "x"},\n]\n'],
    ['a program (source code)', 'package main\n\nimport "fmt"\n'],
    ['TOML', 'name = "x"\n\n[[cases]]\nquery = "y"\n'],
    ['a PDF', '%PDF-1.4 pasted'],
    ['a text document (RTF)', '{\\rtf1\\ansi x}'],
  ])('names %s', (kind, text) => {
    expect(recognizeText(text)?.kind).toBe(kind);
  });

  test('looks at a long text in linear time', () => {
    for (const text of [
      `import ${' '.repeat(2e6)}x`,
      `# a\n\na${' '.repeat(2e6)}`,
      '|---'.repeat(5e5),
    ]) {
      const start = performance.now();
      recognizeText(text);
      expect(performance.now() - start).toBeLessThan(1_000);
    }
  });

  test.each([
    '',
    '# A suite\n\nversion: 1\nname: x\ncases:\n  - query: Say hello to the world\n',
    '# A suite\n\n# More of it\n\nversion: 1\nsystem: |\n  # Rules\n\n  Be kind.\n',
    '---\nversion: 1\n---\nname: two documents in it\n',
    '- query: x\n  tool: y\n- query: z\n',
    '# of calls,prompt,tool\n1,Where is my parcel now?,track\n',
    'query,tool\nimport the file,a\n- b c,d\n',
    'query;tool\n"# Head\n\nIn the cell";x',
    '{"query": "a"}\n{"query": "<html>"}\n',
    '[{"query": "import a from b"}]',
    'const: 1\nname: x',
    'import: yes',
  ])('says nothing of %j, which may be a suite or cases', (text) => {
    expect(recognizeText(text)).toBeNull();
  });
});
