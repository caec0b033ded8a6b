import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { isWorkbook } from '../../../../src-shared/display/fileKinds.ts';
import { readCsv } from './csvText.ts';
import { read } from './shapes.fixture.ts';
import { readWorkbook } from './workbook.ts';

// Parts of ECMA-376 as Excel, LibreOffice and openpyxl write them: shared and inline texts, runs,
// reading aids, styles of dates, rows and cells with and without references.
const relations = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`,
  ).join('');

function workbook(
  sheets: Readonly<Record<string, string>>,
  {
    shared = '',
    styles = '',
    book = '',
    more = {},
  }: { shared?: string; styles?: string; book?: string; more?: Record<string, string> } = {},
): Uint8Array {
  const names = Object.keys(sheets);
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns:r="r">${book}<sheets>${names
      .map((name, at) => `<sheet name="${name}" sheetId="${at + 9}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations(names.length)}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet><sheetData>${sheets[name] ?? ''}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([k, v]) => [k, strToU8(v)])));
}

const inline = (...cells: string[]): string =>
  `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
const rows = (bytes: Uint8Array, sheet: string | null = null): string[][] => {
  const { header, rows: found } = readCsv(readWorkbook(bytes, sheet).text, 'rows');
  return [[...header], ...found.map(({ cells }) => cells)];
};

const dates =
  '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="165" formatCode="0&quot; days&quot;"/></numFmts>' +
  '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>';

describe('a workbook', () => {
  test('has the text of a merged cell in each row that it covers', () => {
    const sheet =
      inline('prompt', 'expected_tool') +
      '<row r="2"><c r="A2" t="inlineStr"><is><t>Is Dune there?</t></is></c><c r="B2" t="inlineStr"><is><t>find_book</t></is></c></row>' +
      '<row r="3"><c r="A3"/><c r="B3" t="inlineStr"><is><t>reserve_book</t></is></c></row>' +
      '</sheetData><mergeCells count="2"><mergeCell ref="A2:A3"/><mergeCell ref="D2:E2"/></mergeCells><sheetData>';
    expect(rows(workbook({ Cases: sheet }))).toStrictEqual([
      ['prompt', 'expected_tool'],
      ['Is Dune there?', 'find_book'],
      ['Is Dune there?', 'reserve_book'],
    ]);
  });

  test.each<[what: string, cell: string, text: string]>([
    ['a shared text', '<c t="s"><v>1</v></c>', 'two runs'],
    [
      'an inline text with entities',
      '<c t="inlineStr"><is><t>a &lt; b &#8594; c</t></is></c>',
      'a < b → c',
    ],
    ['the text of a formula', '<c t="str"><f>A1&amp;"x"</f><v>ax</v></c>', 'ax'],
    ['a number', '<c><v>12</v></c>', '12'],
    ['a number with the digits of its display', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['a truth value', '<c t="b"><v>1</v></c>', 'true'],
    ['an error as nothing', '<c t="e"><v>#N/A</v></c>', ''],
    ['a date', '<c s="1"><v>45292</v></c>', '2024-01-01'],
    ['a date of 1900, which is a leap year to spreadsheets', '<c s="1"><v>1</v></c>', '1900-01-01'],
    ['a date and time', '<c s="2"><v>45292.5</v></c>', '2024-01-01T12:00:00'],
    ['a number with words around it', '<c s="3"><v>3</v></c>', '3'],
    ['an escaped character', '<c t="inlineStr"><is><t>a_x000A_b</t></is></c>', 'a\nb'],
    ['a text that looks like a formula', '<c t="inlineStr"><is><t>=1+1</t></is></c>', '=1+1'],
    ['a prefix of names', '<x:c t="inlineStr"><x:is><x:t>p</x:t></x:is></x:c>', 'p'],
  ])('reads %s', (_what, cell, text) => {
    const bytes = workbook(
      { Cases: `${inline('query', 'tool')}<row>${inline('q').slice(5, -6)}${cell}</row>` },
      {
        shared:
          '<si><t>one</t></si><si><r><t>two </t></r><r><rPr><b/></rPr><t>runs</t></r><rPh sb="0" eb="1"><t>aid</t></rPh></si>',
        styles: dates,
      },
    );
    const [, row] = rows(bytes);
    expect(row?.[1] ?? '').toBe(text);
  });

  test('counts days from 1904 where it says so', () => {
    const sheet = `${inline('query', 'day')}<row><c t="inlineStr"><is><t>q</t></is></c><c s="1"><v>1</v></c></row>`;
    const bytes = workbook({ A: sheet }, { styles: dates, book: '<workbookPr date1904="1"/>' });
    expect(rows(bytes)[1]).toEqual(['q', '1904-01-02']);
  });

  test('reads the sheet with cases, and another one by its name', () => {
    const bytes = workbook({
      Info: inline('About', 'These are cases'),
      Cases: `${inline('query', 'expected_tool')}${inline('Is Dune there?', 'find_book')}`,
      Results: `${inline('run', 'score')}${inline('1', '0.5')}`,
    });
    expect(readWorkbook(bytes, null)).toMatchObject({
      sheet: 'Cases',
      sheets: ['Info', 'Cases', 'Results'],
    });
    expect(rows(bytes, 'Results')[0]).toEqual(['run', 'score']);
    expect(() => readWorkbook(bytes, 'cases')).toThrow(
      'It has no sheet "cases". Its sheets: "Info"',
    );
  });

  test('reads cases below a title, in places of cells and rows, and names the rows', () => {
    const text = (at: string, value: string): string =>
      `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const sheet =
      `<row r="1">${text('A1', 'My cases')}</row>` +
      `<row r="3">${text('B3', 'query')}${text('D3', 'expected_tool')}</row>` +
      `<row r="4">${text('B4', 'Is Dune there?')}${text('D4', 'find_book')}${text('F4', 'a remark')}</row>` +
      `<row r="7">${text('B7', 'A room?')}${text('D7', 'find_hall or')}</row>`;
    const { text: table } = readWorkbook(workbook({ A: sheet }), null);
    const { lines, report } = read('cases.xlsx', table);
    expect(lines).toEqual(['Is Dune there? → shelf:find_book']);
    expect(report.skipped).toMatchObject([{ case: 'row 7', line: 7 }]);
  });

  test.each<[what: string, bytes: Uint8Array, why: RegExp]>([
    [
      'an archive of something else',
      zipSync({ 'a.txt': strToU8('x') }),
      /ZIP archive without a workbook/,
    ],
    ['a damaged archive', workbook({ A: inline('a', 'b') }).slice(0, 300), /can’t be unpacked/],
    ['a workbook without rows', workbook({ A: '' }), /None of its sheets has rows/],
    [
      'entities of its own',
      workbook(
        { A: inline('a', 'b') },
        { more: { 'xl/styles.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' } },
      ),
      /defines entities/,
    ],
    [
      'a part that unpacks to very much',
      workbook({ A: inline('a', 'b') }, { more: { 'xl/worksheets/x.xml': ' '.repeat(193 << 20) } }),
      /unpacks to more than 192 MB/,
    ],
  ])('refuses %s', (_what, bytes, why) => {
    expect(() => readWorkbook(bytes, null)).toThrow(why);
  });

  test('refuses a part that is larger than its archive says', () => {
    const bytes = workbook({ A: inline('a', 'b').repeat(50) });
    // The size of a part stands in the directory at the end, 24 bytes into its entry.
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < bytes.length - 46; at += 1)
      if (view.getUint32(at, true) === 0x02_01_4b_50) view.setUint32(at + 24, 10, true);
    expect(() => readWorkbook(bytes, null)).toThrow();
  });
});

describe('a workbook that can’t be read', () => {
  const whole = workbook({ Cases: inline('query', 'tool') + inline('Is it there?', 'find_book') });
  const cutOff = whole.subarray(0, whole.length - 300);
  const archive = (files: Record<string, string>): Uint8Array =>
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));

  test.each<[what: string, bytes: Uint8Array, said: RegExp]>([
    [
      'is cut off',
      cutOff,
      /workbook \(XLSX\) that is damaged or cut off.*1 sheet may be left.*CSV/,
    ],
    ['has its first part alone', whole.subarray(0, 60), /damaged or cut off.*No sheet is left/],
    [
      'is an archive of other files',
      archive({ 'a/cases.csv': 'query,tool', 'picture.png': '' }),
      /ZIP archive without a workbook.*import one of its files: "a\/cases\.csv"\.$/,
    ],
    [
      'is an archive of nothing',
      archive({ 'x.bin': '' }),
      /without a workbook.*Export the sheet again/,
    ],
  ])('that %s is named, with what to do', (_what, bytes, said) => {
    expect(isWorkbook(bytes, 'Cases.XLSX')).toBe(true);
    expect(() => readWorkbook(bytes, null)).toThrow(said);
  });

  test('is an archive by another name', () => {
    expect(isWorkbook(archive({ 'a.csv': 'query' }), 'cases.zip')).toBe(false);
    expect(isWorkbook(strToU8('query,tool\n'), 'cases.xlsx')).toBe(false);
  });
});
