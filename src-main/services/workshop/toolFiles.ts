import { basename, posix } from 'node:path';
import { errorText } from '../../../src-shared/domain/errorText.ts';
import { isJson } from '../../../src-shared/domain/json.ts';
import { toolFile, type ToolFile } from '../../../src-shared/domain/toolFile.ts';
import { toolContent, type ToolContent } from '../../../src-shared/domain/workshop.ts';

export interface NamedText {
  path: string;
  text: string;
}

export interface ReadTool {
  file: string;
  content: ToolContent;
  /** Names from the root category down; null if the file does not say. */
  category: string[] | null;
}

export interface ToolFileProblem {
  file: string;
  message: string;
  line: number | null;
  column: number | null;
}

const toolFileExtension = '.tool.json';
const scriptExtensions = { python: '.py', shell: '.sh', http: '', mcp: '' } as const;

/**
 * Writes a tool as a JSON file and a script file, so that both are easy to read in a diff. The
 * status is not part of it: whoever imports the tool decides whether it is offered.
 */
export function writeToolFiles(content: ToolContent, category: readonly string[]): NamedText[] {
  const script =
    content.scriptContent === null
      ? null
      : `${content.name}${scriptExtensions[content.executorType]}`;
  const file: ToolFile = {
    touchstone_tool: 1,
    name: content.name,
    display_name: content.displayName,
    description: content.description,
    category: category.length === 0 ? null : category.join('/'),
    tags: content.tags,
    executor_type: content.executorType,
    executor_config: content.executorConfig,
    input_schema: content.inputSchema,
    output_schema: content.outputSchema,
    script,
  };
  const json = {
    path: `${content.name}${toolFileExtension}`,
    text: `${JSON.stringify(file, null, 2)}\n`,
  };
  return script === null || content.scriptContent === null
    ? [json]
    : [json, { path: script, text: content.scriptContent }];
}

/** Reads every `.json` file. All other files are scripts that these refer to. */
export function readToolFiles(files: readonly NamedText[]): {
  tools: ReadTool[];
  problems: ToolFileProblem[];
} {
  const problems: ToolFileProblem[] = [];
  const tools: ReadTool[] = [];
  const named = new Map<string, string>();
  const descriptions = files.filter(({ path }) => path.toLowerCase().endsWith('.json'));
  if (descriptions.length === 0)
    problems.push({
      file: files[0]?.path ?? '',
      message:
        `There is no tool among the files: a tool is a JSON file (name${toolFileExtension}) ` +
        'with its script next to it.',
      line: null,
      column: null,
    });
  for (const { path, text } of descriptions) {
    const read = readToolFile(path, text, files);
    if ('problems' in read) {
      problems.push(...read.problems);
      continue;
    }
    const otherFile = named.get(read.content.name);
    if (otherFile === undefined) tools.push(read);
    else
      problems.push({
        file: path,
        message: `"${read.content.name}" is in ${otherFile} as well.`,
        line: null,
        column: null,
      });
    named.set(read.content.name, path);
  }
  return { tools, problems };
}

function readToolFile(
  path: string,
  text: string,
  files: readonly NamedText[],
): ReadTool | { problems: ToolFileProblem[] } {
  const at = (
    message: string,
    line: number | null = null,
    column: number | null = null,
  ): { problems: ToolFileProblem[] } => ({ problems: [{ file: path, message, line, column }] });
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const reason = errorText(error);
    const { line, column } = findPosition(reason, text);
    return at(`This is not JSON: ${reason}.`, line, column);
  }
  if (!isJson(parsed)) return at("It isn't a JSON value, or is nested too deeply.");
  const file = toolFile.safeParse(parsed);
  if (!file.success)
    return {
      problems: file.error.issues.map(({ path: where, message }) => ({
        file: path,
        message: `${where.length === 0 ? '' : `${where.join('.')}: `}${message}`,
        line: null,
        column: null,
      })),
    };
  const { data } = file;
  const script = data.script == null ? null : findScript(path, data.script, files);
  if (script !== null && typeof script !== 'string') return at(script.missing);
  const content = toolContent.safeParse({
    name: data.name,
    displayName: data.display_name ?? data.name,
    description: data.description,
    tags: data.tags ?? [],
    inputSchema: data.input_schema ?? data.inputSchema ?? { type: 'object' },
    outputSchema: data.output_schema ?? data.outputSchema ?? {},
    executorType: data.executor_type,
    executorConfig: data.executor_config ?? {},
    scriptContent: script,
  });
  if (!content.success)
    return {
      problems: content.error.issues.map(({ path: where, message }) => ({
        file: path,
        message: `${toFileFieldName(where)}: ${message}`,
        line: null,
        column: null,
      })),
    };
  const category =
    data.category === undefined
      ? null
      : (data.category ?? '')
          .split('/')
          .map((part) => part.trim())
          .filter((part) => part !== '');
  return { file: path, content: content.data, category };
}

/** Finds the script in the same folder; a name never leads to another folder. */
function findScript(
  path: string,
  script: string,
  files: readonly NamedText[],
): string | { missing: string } {
  if (script !== basename(script) || script.includes('\\') || script === '' || script === '..')
    return { missing: `script: "${script}" isn't the name of a file next to this one.` };
  const folder = posix.dirname(path.replaceAll('\\', '/'));
  const found = files.find(
    (file) => posix.normalize(file.path.replaceAll('\\', '/')) === posix.join(folder, script),
  );
  return (
    found?.text ?? {
      missing: `script: the file "${script}" is missing. Choose both files.`,
    }
  );
}

function toFileFieldName(where: readonly PropertyKey[]): string {
  const [first, ...rest] = where.map(String);
  return [(first ?? '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), ...rest].join(
    '.',
  );
}

/** Reads the position from the engine's message: "position N" or "line N column M". */
function findPosition(
  reason: string,
  text: string,
): { line: number | null; column: number | null } {
  const named = /line (\d+) column (\d+)/.exec(reason);
  if (named !== null) return { line: Number(named[1]), column: Number(named[2]) };
  const position = /position (\d+)/.exec(reason)?.[1];
  if (position === undefined) return { line: null, column: null };
  const before = text.slice(0, Number(position)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
