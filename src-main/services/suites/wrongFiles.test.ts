import { describe, expect, test } from 'vitest';
import { guessFormat } from '../../../src-shared/display/guessFormat.ts';
import { readCases } from './exchange/readCases.ts';
import { json, lines } from './exchange/shapes.fixture.ts';

const tool = { name: 'find_book', description: 'Finds.', inputSchema: { type: 'object' } };
const user = { role: 'user', content: 'Is Dune there?' };
const log = /import it as a log/;

/** What is given where cases are asked for, what it is called, and what to do with it. */
describe('a file that holds no cases says what it is, and what to do:', () => {
  test.each<[what: string, fileName: string, text: string, says: RegExp, line?: number]>([
    ['tools', 'a.json', json([tool]), /a list of tools, not .* where a list of tools is asked for/],
    [
      'tools of a reply',
      'a.json',
      json({ jsonrpc: '2.0', result: { tools: [tool] } }),
      /a list of tools/,
    ],
    [
      'tools for a model',
      'a.json',
      json([{ type: 'function', function: { name: 'find_book', parameters: {} } }]),
      /a list of tools/,
    ],
    [
      'servers',
      'mcp.json',
      json({ mcpServers: { a: { command: 'x' } } }),
      /a configuration of MCP servers.*as servers/,
    ],
    [
      'a report',
      'a.json',
      json({ format: 'touchstone-evaluation', runs: [] }),
      /a report of Touchstone/,
    ],
    ['a project', 'touchstone.yaml', 'version: 1\nsuite: a.yaml\nservers: {}\n', /a project/],
    ['spans', 'a.json', json({ resourceSpans: [] }), /a log of spans.*import it as a log/],
    [
      'a line of spans',
      'a.jsonl',
      lines({ traceId: 'a', spanId: 'b' }, { traceId: 'a', spanId: 'c' }),
      log,
    ],
    ['logged messages', 'a.json', json({ resourceLogs: [] }), log],
    [
      'Langfuse',
      'a.json',
      json([{ projectId: 'p', observations: [] }]),
      /Langfuse.*import it as a log/,
    ],
    [
      'LangSmith',
      'a.jsonl',
      lines({ run_type: 'llm', inputs: {}, outputs: {} }),
      /LangSmith.*import it as a log/,
    ],
    [
      'LiteLLM',
      'a.jsonl',
      lines({ call_type: 'acompletion', messages: [user], response: {} }),
      log,
    ],
    [
      'requests and answers',
      'a.json',
      json([{ request: { messages: [user] }, response: {} }]),
      log,
    ],
    [
      'a session',
      'a.jsonl',
      lines({ type: 'user', sessionId: 's', message: user }),
      /a session of a coding agent.*import it as a log/,
    ],
    ['a rollout', 'a.jsonl', lines({ timestamp: 't', type: 'session_meta', payload: {} }), log],
    [
      'a session of Gemini CLI',
      'a.json',
      json({ sessionId: 's', startTime: 't', messages: [] }),
      log,
    ],
    [
      'an archive of requests',
      'a.har',
      json({ log: { version: '1.2', entries: [] } }),
      /HAR.*import it as a log/,
    ],
    [
      'an OpenAPI document',
      'a.yaml',
      'openapi: 3.1.0\ninfo: {title: Shelf}\npaths:\n  /books: {}\n',
      /an OpenAPI document.*Add the MCP server/,
      3,
    ],
    [
      'a package',
      'package.json',
      json({ name: 'a', version: '1', scripts: { test: 'x' } }),
      /a manifest of a package/,
      2,
    ],
    [
      'a lock file',
      'package-lock.json',
      json({ name: 'a', version: '1', lockfileVersion: 3, packages: {} }),
      /a lock file/,
      4,
    ],
    [
      'a lock file in YAML',
      'pnpm-lock.yaml',
      "lockfileVersion: '9.0'\nsettings:\n  a: true\n",
      /a lock file/,
    ],
    [
      'TypeScript’s settings',
      'tsconfig.json',
      json({ compilerOptions: { strict: true } }),
      /a configuration of TypeScript/,
      2,
    ],
    [
      'a JSON Schema',
      'a.json',
      json({ $schema: 'https://json-schema.org/draft/2020-12/schema', properties: {} }),
      /a JSON Schema/,
      2,
    ],
    [
      'a server’s description',
      'server.json',
      json({
        $schema: 'https://static.modelcontextprotocol.io/schemas/2025-07-09/server.schema.json',
        name: 'a',
      }),
      /a description of an MCP server.*propose cases/,
      2,
    ],
    [
      'SARIF',
      'a.sarif',
      json({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } } }] }),
      /SARIF/,
      3,
    ],
    ['Postman', 'a.json', json({ info: { name: 'a' }, item: [] }), /Postman.*MCP server/, 2],
    [
      'promptfoo’s results',
      'a.json',
      json({ evalId: 'e', results: { results: [] } }),
      /results of promptfoo.*promptfooconfig/,
      3,
    ],
    ['Jest', 'a.json', json({ numTotalTests: 3, testResults: [] }), /a test report/, 2],
    [
      'messages of MCP',
      'a.jsonl',
      lines({ jsonrpc: '2.0', id: 1, method: 'tools/call' }, { jsonrpc: '2.0', id: 1, result: {} }),
      /messages of MCP/,
    ],
    [
      'a batch',
      'a.jsonl',
      lines({ custom_id: '1', method: 'POST', url: '/', body: { messages: [user] } }),
      /requests of a batch.*import it as a log/,
    ],
    [
      'results of a batch',
      'a.jsonl',
      lines({ id: 'b', custom_id: '1', response: { body: {} } }),
      /results of a batch.*import it as a log/,
    ],
    [
      'a stream',
      'a.jsonl',
      lines({ object: 'chat.completion.chunk', id: '1', choices: [] }),
      /a stream.*whole answers/,
    ],
    [
      // https://github.com/mcpchecker/mcpchecker
      'mcpchecker',
      'eval.yaml',
      'kind: Eval\nmetadata:\n  name: a\nconfig:\n  taskSets:\n    - path: t.yaml\n',
      /an evaluation of mcpchecker.*files of their own/,
    ],
    [
      'a task of mcpchecker',
      'task.yaml',
      'kind: Task\nmetadata:\n  name: a\nspec:\n  prompt: {inline: Is Dune there?}\n',
      /a task of mcpchecker.*not which tool/,
    ],
    [
      'a workflow',
      'a.yml',
      'on: push\njobs:\n  a:\n    runs-on: x\n',
      /a workflow of GitHub Actions/,
    ],
    ['Kubernetes', 'a.yaml', 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n', /Kubernetes/],
    ['Docker Compose', 'a.yaml', 'services:\n  db:\n    image: postgres\n', /Docker Compose/],
    ['a Dockerfile', 'Dockerfile', 'FROM node:22\nWORKDIR /app\nRUN npm ci\n', /a Dockerfile/],
    [
      'JUnit',
      'a.xml',
      '<?xml version="1.0"?>\n<testsuites><testsuite name="a"/></testsuites>\n',
      /JUnit/,
      2,
    ],
    ['a picture', 'a.svg', '<svg xmlns="http://www.w3.org/2000/svg"></svg>', /SVG|XML/],
    [
      'a patch',
      'a.patch',
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n',
      /a patch/,
    ],
    ['a script', 'a.sh', '#!/bin/bash\necho hello\n', /a shell script.*isn’t run/],
    ['SQL', 'a.sql', 'CREATE TABLE a (b TEXT);\nINSERT INTO a VALUES (1);\n', /SQL.*CSV/],
    ['variables', '.env', 'API_KEY=abc\nHOST=x\n', /a file of variables.*keys/],
    [
      'a text log',
      'a.log',
      '2026-06-01T10:00:00Z INFO start\n2026-06-01T10:00:01Z INFO end\n',
      /a log in plain text.*JSON lines/,
    ],
    [
      'a list of texts',
      'a.json',
      json(['Is Dune there?', 'Hi']),
      /a list of texts.*which tool is right/,
    ],
    [
      'plain text',
      'a.txt',
      'Is Dune there?\nWhich rooms are free today\n',
      /plain text.*one JSON object/,
    ],
    ['nothing', 'a.json', ' \n', /an empty file/],
  ])('%s', (_what, fileName, text, says, line) => {
    for (const format of new Set(['touchstone', guessFormat(fileName, text)] as const)) {
      const { suite, problems } = readCases({ fileName, text, format }, () => null);
      expect(suite).toBeNull();
      expect(problems).toHaveLength(1);
      expect(problems[0]?.message).toMatch(says);
      expect(problems[0]?.line).toBe(line ?? 1);
    }
  });
});
