import { describe, expect, test } from 'vitest';
import { json, lines, read } from './shapes.fixture.ts';

const find = 'Is Dune there? → shelf:find_book';
const findDune = `${find}{"title":"Dune"}`;
const dune = { title: 'Dune' };

/** Files of other programs, with the page that describes them, and the cases that are read. */
describe('a file of', () => {
  test.each<[program: string, fileName: string, text: string, cases: string[]]>([
    [
      // https://deepeval.com/docs/evaluation-datasets (goldens), /docs/metrics-tool-correctness
      'DeepEval',
      'goldens.json',
      json([
        {
          input: 'Is Dune there?',
          actual_output: null,
          expected_output: null,
          context: null,
          retrieval_context: null,
          additional_metadata: null,
          tools_called: [],
          expected_tools: [{ name: 'find_book', input_parameters: dune, description: null }],
          source_file: null,
        },
      ]),
      [`${findDune}; exact`],
    ],
    [
      // https://deepeval.com/docs/evaluation-mcp
      'DeepEval with an MCP server',
      'cases.json',
      json({
        goldens: [
          {
            input: 'Is Dune there?',
            mcp_tools_called: [{ name: 'list_loans', args: {} }],
            expected_tools: [{ name: 'find_book' }],
          },
        ],
      }),
      [find],
    ],
    [
      // https://github.com/langchain-ai/agentevals: messages of a reference trajectory
      'agentevals',
      'a.json',
      json([
        {
          inputs: { question: 'Is Dune there?' },
          reference_outputs: [
            { role: 'user', content: 'Is Dune there?' },
            {
              role: 'assistant',
              content: '',
              tool_calls: [{ function: { name: 'find_book', arguments: '{"title":"Dune"}' } }],
            },
            { role: 'tool', content: 'Yes' },
          ],
        },
      ]),
      [`${findDune}; exact`],
    ],
    [
      // https://docs.langchain.com/langsmith/manage-datasets (exported as JSON lines)
      'LangSmith',
      'dataset.jsonl',
      lines({
        inputs: { messages: [{ role: 'user', content: 'Is Dune there?' }] },
        outputs: {
          messages: [
            { role: 'user', content: 'Is Dune there?' },
            {
              role: 'assistant',
              tool_calls: [{ name: 'find_book', args: { title: 'Dune' }, id: 'c' }],
            },
          ],
        },
      }),
      [`${findDune}; exact`],
    ],
    [
      // https://github.com/openai/evals/blob/main/docs/build-eval.md
      'OpenAI Evals',
      'samples.jsonl',
      lines({
        input: [
          { role: 'system', content: 'You lend.' },
          { role: 'user', content: 'Is Dune there?' },
        ],
        ideal: 'find_book',
      }),
      [`${find}; system You lend.`],
    ],
    [
      // https://platform.openai.com/docs/guides/evals: items of a data source
      'OpenAI’s evals API',
      'items.jsonl',
      lines({ item: { query: 'Is Dune there?', expected_tool: 'find_book' } }),
      [find],
    ],
    [
      // https://google.github.io/adk-docs/evaluate/ (*.test.json of earlier versions)
      'Google ADK before its sets',
      'a.test.json',
      json([
        {
          query: 'Is Dune there?',
          expected_tool_use: [{ tool_name: 'find_book', tool_input: dune }],
          reference: 'Yes.',
        },
      ]),
      [`${findDune}; exact`],
    ],
    [
      // https://google.github.io/adk-docs/evaluate/ (invocation events)
      'Google ADK with events',
      'a.evalset.json',
      json({
        eval_set_id: 's',
        eval_cases: [
          {
            eval_id: 'e',
            conversation: [
              {
                user_content: { parts: [{ text: 'Is Dune there?' }], role: 'user' },
                final_response: { parts: [{ text: 'Yes.' }] },
                intermediate_data: {
                  invocation_events: [
                    {
                      author: 'agent',
                      content: { parts: [{ function_call: { name: 'find_book', args: dune } }] },
                    },
                  ],
                },
              },
            ],
            session_input: { app_name: 'a', user_id: 'u' },
          },
        ],
      }),
      [`${findDune}; exact`],
    ],
    [
      // https://inspect.aisi.org.uk/datasets.html
      'Inspect',
      'samples.jsonl',
      lines({
        id: 'dune',
        input: [{ role: 'user', content: 'Is Dune there?' }],
        target: 'find_book',
        metadata: { level: 1 },
      }),
      [find],
    ],
    [
      // https://docs.ragas.io/en/stable/concepts/metrics/available_metrics/agents/
      'Ragas',
      'a.jsonl',
      lines({
        user_input: [{ type: 'human', content: 'Is Dune there?' }],
        reference_tool_calls: [{ name: 'find_book', args: dune }],
        reference: 'It says whether Dune is there.',
      }),
      [`${findDune}; exact`],
    ],
    [
      // https://github.com/getsentry/vitest-evals (data of describeEval)
      'vitest-evals',
      'books.eval.ts',
      'import { describeEval, ToolCallScorer } from "vitest-evals";\ndescribeEval("books", {\n  data: async () => [\n    { input: "Is Dune there?", expectedTools: [{ name: "find_book", arguments: { title: "Dune" } }] },\n  ],\n  task: run,\n  scorers: [ToolCallScorer()],\n});\n',
      [`${findDune}; exact`],
    ],
    [
      // https://www.evalite.dev (evalite export, --outputPath)
      'evalite',
      'results.json',
      json({
        suites: [
          {
            name: 'books',
            evals: [
              {
                input: 'Is Dune there?',
                output: 'x',
                expected: [{ toolName: 'find_book', input: dune }],
              },
            ],
          },
        ],
      }),
      [`${findDune}; exact; #books`],
    ],
    [
      // https://mcp-eval.ai (datasets in YAML)
      'mcp-eval',
      'dataset.yaml',
      'name: Books\nserver_name: shelf\ncases:\n  - name: dune\n    inputs: Is Dune there?\n    expected_output: Yes.\n    metadata: {difficulty: easy}\n    evaluators:\n      - ToolWasCalled:\n          tool_name: find_book\n          min_times: 1\n      - ResponseContains:\n          text: Dune\n',
      [`${find}; #easy`],
    ],
    [
      // https://gorilla.cs.berkeley.edu/blogs/13_bfcl_v3_multi_turn.html
      'BFCL with its answers',
      'BFCL_v4_simple.json',
      lines({
        id: 'simple_0',
        question: [[{ role: 'user', content: 'Is Dune there?' }]],
        function: [{ name: 'find_book', parameters: { type: 'dict', properties: {} } }],
        ground_truth: [{ find_book: { title: ['Dune'] } }],
      }),
      ['Is Dune there? → bfcl:find_book{"title":"Dune"}; exact'],
    ],
    [
      // https://github.com/anthropics/skills, skills/mcp-builder
      'mcp-builder',
      'evaluation.xml',
      '<evaluation>\n  <qa_pair>\n    <question>How many?</question>\n    <answer>7</answer>\n  </qa_pair>\n</evaluation>\n',
      [],
    ],
    [
      // https://apify.com evaluations: items of a Langfuse dataset
      'Langfuse datasets',
      'dataset.json',
      json([
        {
          id: 'i',
          input: { query: 'Is Dune there?' },
          expectedOutput: { expectedTools: ['find_book'] },
          metadata: { category: 'find' },
        },
      ]),
      [`${find}; #find`],
    ],
    [
      // https://www.braintrust.dev/docs/guides/datasets
      'Braintrust',
      'a.jsonl',
      lines({
        input: 'Is Dune there?',
        expected: { tool_calls: [{ name: 'find_book', arguments: dune }] },
        metadata: {},
      }),
      [`${findDune}; exact`],
    ],
    [
      // https://github.com/dylibso/mcpx-eval
      'mcpx-eval',
      'test.toml',
      'name = "dune"\nprompt = "Is Dune there?"\ncheck = "It says yes"\nexpected-tools = ["find_book"]\n',
      [find],
    ],
  ])('%s', (_program, fileName, text, cases) => {
    const found = read(fileName, text);
    expect({ lines: found.lines, problems: cases.length === 0 ? [] : found.problems }).toEqual({
      lines: cases,
      problems: [],
    });
  });
});
