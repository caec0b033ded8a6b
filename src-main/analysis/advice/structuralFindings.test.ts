import { describe, expect, it } from 'vitest';
import type { AnalysedTool } from '../../../src-shared/domain/similarity.ts';
import { findStructural } from './structuralFindings.ts';

const tool = (server: string, name: string, description = ''): AnalysedTool => ({
  server,
  name,
  description,
  inputSchema: {},
});

describe('findStructural', () => {
  it('finds one name on several servers, separators and case aside', () => {
    expect(
      findStructural([
        tool('todo', 'list_tasks'),
        tool('notion', 'list-tasks'),
        tool('todo', 'add_task'),
        tool('jira', 'ListTasks'),
      ]),
    ).toEqual([{ kind: 'same_name', tools: [0, 1, 3] }]);
  });

  it('does not report similar names on one server', () => {
    expect(findStructural([tool('a', 'list_tasks'), tool('a', 'list-tasks')])).toEqual([]);
  });

  it('finds a deprecated tool with its replacement, that of its own server first', () => {
    expect(
      findStructural([
        tool('other', 'read_text_file', 'Reads.'),
        tool('fs', 'read_text_file', 'Reads a file as text.'),
        tool('fs', 'read_file', 'Reads a file. DEPRECATED: Use read_text_file instead.'),
      ]),
    ).toEqual([
      { kind: 'deprecated_twin', tools: [2, 1] },
      { kind: 'same_name', tools: [0, 1] },
    ]);
  });

  it('finds a replacement with a dot in its name', () => {
    expect(
      findStructural([
        tool('fs', 'old', 'Deprecated. Use files.read.'),
        tool('fs', 'files.read', 'Reads.'),
      ]),
    ).toEqual([{ kind: 'deprecated_twin', tools: [0, 1] }]);
  });

  it('does not report a tool whose description warns about deprecated data', () => {
    expect(
      findStructural([
        tool('fs', 'scan', 'Finds calls of deprecated functions, see also list.'),
        tool('fs', 'list', 'Lists.'),
      ]),
    ).toEqual([]);
  });
});
