import type { ServerFileFormat } from '../../../../src-shared/domain/serverImport.ts';

export const formatNames: Record<ServerFileFormat, string> = {
  'mcp-servers': 'mcpServers (Claude Desktop, Cursor, LM Studio, .mcp.json)',
  'claude-code': 'mcpServers (Claude Code)',
  cline: 'mcpServers (Cline)',
  vscode: 'VS Code',
  codex: 'Codex',
  registry: 'MCP registry server.json',
  bundle: 'MCP bundle',
  link: 'install link',
};
