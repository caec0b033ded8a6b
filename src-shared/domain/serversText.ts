const jsonStart = /^\uFEFF?(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*[{[]/;
const jsonKey =
  /"(?:[\w.-]*mcp[._-]?servers?|(?:[\w.-]+\.)?mcp|servers|context_servers|extensions|command|remotes|packages)"\s*:\s*(?:\{|\[\s*\{|(?<="command"\s*:\s*)["[])|"type"\s*:\s*"(?:mcp|[^"\s]*mcpClientTool)"/i;
const tomlTable = /^\s*\[{1,2}\s*(?:[\w-]+\.)*mcp(?:[._-]?servers)?\b[^\]\n]*\]/im;
const yamlKey = /^\s*(?:mcp(?:_?servers)?|extensions|registry):\s*(?:#.*)?$/im;
const link = /^\s*(?:cursor|lmstudio|vscode|vscode-insiders):\S+\s*$/i;

/**
 * Whether a text is the configuration of a program or an install link, and hardly anything else: a
 * suite, which names servers too, is not.
 */
export const isServersText = (text: string): boolean =>
  link.test(text) ||
  (jsonStart.test(text) && jsonKey.test(text)) ||
  tomlTable.test(text) ||
  yamlKey.test(text);
