import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTextCall } from './findTextCall.ts';
import { offeredNames } from './offeredNames.ts';

const tools = [
  { server: 'demo', name: 'ping' },
  { server: 'demo', name: 'get_weather' },
  { server: 'my files', name: 'read-file' },
];
const names = offeredNames(tools);
const toolIn = (text: string) => findTextCall(text, names)?.tool ?? null;
const json = '{"name":"demo__ping","arguments":{}}';

/**
 * Replies as the chat templates and parsers of vLLM, SGLang, llama.cpp and of agents write them
 * (docs/rules.md §3, Calls as text). All call demo:ping.
 */
const calls: Readonly<Record<string, string>> = {
  hermes: `<tool_call>\n${json}\n</tool_call>`,
  'hermes without its end': `<tool_call>\n${json}`,
  'hermes after a text': `Sure, let me check.\n<tool_call>${json}</tool_call>`,
  'hermes on the line of a text': `Sure, let me check. <tool_call>${json}</tool_call>`,
  'hermes before a text': `<tool_call>${json}</tool_call>\nI will tell you the result.`,
  'hermes with broken JSON': '<tool_call>{"name": "demo__ping", "arguments": {"a": </tool_call>',
  'hermes with Python quotes': "<tool_call>{'name': 'ping', 'arguments': {}}</tool_call>",
  'hermes after thoughts': `<think>They want a ping.</think>\n<tool_call>${json}</tool_call>`,
  'hermes in thoughts that never end': `<think>They want a ping.\n<tool_call>${json}</tool_call>`,
  'hermes in a fence': `\`\`\`xml\n<tool_call>${json}</tool_call>\n\`\`\``,
  'the second of two': `<tool_call>{"name":"pong","arguments":{}}</tool_call>\n<tool_call>${json}</tool_call>`,
  'a list of calls in tags': `<tool_calls>[${json}]</tool_calls>`,
  nemotron: `<TOOLCALL>[${json}]</TOOLCALL>`,
  'function_call tags': `<function_call>${json}</function_call>`,
  functioncall: `<functioncall> ${json} </functioncall>`,
  'wrong tags': `<tools>\n${json}\n</tools>`,
  'tool tags': `<tool>${json}</tool>`,
  longcat: `<longcat_tool_call>${json}</longcat_tool_call>`,
  'name and arguments as tags':
    '<tool_call>\n<name>ping</name>\n<arguments>{"x": 1}</arguments>\n</tool_call>',
  'mistral, list': `[TOOL_CALLS] [${json}]`,
  'mistral, name': '[TOOL_CALLS]demo__ping{"a": 1}',
  'mistral, [ARGS]': '[TOOL_CALLS]demo__ping[CALL_ID]abc123def[ARGS]{}',
  'mistral after a text': '\nLet me check that.[TOOL_CALLS]ping{}',
  'lm studio': `[TOOL_REQUEST]${json}[END_TOOL_REQUEST]`,
  'llama, python tag': '<|python_tag|>{"name": "demo__ping", "parameters": {}}<|eom_id|>',
  'llama, built-in': '<|python_tag|>ping.call(host="x")',
  'llama, function tag': '<function=demo__ping>{"host": "x"}</function>',
  'llama, JSON': '{"name": "demo__ping", "parameters": {}}',
  'llama, type and name': '{"type": "function", "name": "demo__ping", "parameters": {"host": "x"}}',
  'llama, several': `${json}; {"name":"demo__get_weather","arguments":{"city":"Rome"}}`,
  'llama, pythonic': '[demo__ping()]',
  'llama, pythonic with arguments': '[ping(host="x"), get_weather(city="Rome", days=3)]',
  'functionary, tag with quotes': '<function name="demo__ping">{}</function>',
  'functionary, recipient': '>>>demo__ping\n{"host": "x"}',
  'functionary, tokens': '<|from|> assistant\n<|recipient|> demo__ping\n<|content|> {}',
  harmony: '<|channel|>commentary to=functions.demo__ping <|constrain|>json<|message|>{}<|call|>',
  'harmony with its start':
    '<|start|>assistant<|channel|>commentary to=functions.demo__ping<|constrain|>json<|message|>{}<|call|>',
  'harmony, recipient first':
    '<|start|>assistant to=functions.ping<|channel|>commentary json<|message|>{}',
  'harmony without its tokens': 'commentary to=functions.demo__ping json{"host":"x"}',
  'deepseek v3':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>demo__ping\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  'deepseek v3.1':
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>demo__ping<｜tool▁sep｜>{"host": "x"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  'deepseek with two bars':
    '<｜｜tool▁calls▁begin｜>\n<｜｜tool▁call▁begin｜>ping<｜｜tool▁sep｜>{}',
  'deepseek, cut': 'Fixing it.\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>\nping',
  'deepseek, DSML':
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="demo__ping">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  kimi: '<|tool_calls_section_begin|><|tool_call_begin|>functions.demo__ping:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
  'qwen3-coder':
    '<tool_call>\n<function=demo__ping>\n<parameter=host>\nx\n</parameter>\n</function>\n</tool_call>',
  'qwen3-coder without its wrapper': 'I check it.\n\n<function=ping>\n</function>\n</tool_call>',
  'seed-oss': '<seed:tool_call><function=ping></function></seed:tool_call>',
  glm: '<tool_call>demo__ping\n<arg_key>host</arg_key>\n<arg_value>x</arg_value>\n</tool_call>',
  granite: `<|tool_call|>[${json}]`,
  'granite, tag': `<tool_call>[${json}]`,
  phi: `<|tool_call|>[${json}]<|/tool_call|>`,
  'phi-4 functools': `functools[${json}]`,
  lfm2: '<|tool_call_start|>[ping(host="x")]<|tool_call_end|>',
  gemma: '```tool_code\nping(host="x")\n```',
  'gemma, printed': '```tool_code\nprint(default_api.ping(host="x"))\n```',
  'gemma 3, JSON': '```tool_call\n{"tool_call": {"name": "ping", "args": {}}}\n```',
  'gemma 4': '<|tool_call>call:ping{host:<|"|>x<|"|>}<tool_call|>',
  'function gemma': '<start_function_call>call:ping{host:<escape>x<escape>}<end_function_call>',
  internlm: '<|action_start|><|plugin|>\n{"name": "ping", "parameters": {}}<|action_end|>',
  'command r': 'Action: ```json\n[\n  {"tool_name": "demo__ping", "parameters": {}}\n]\n```',
  'command r7b':
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "ping", "parameters": {}}]<|END_ACTION|>',
  'qwen-agent': '✿FUNCTION✿: ping\n✿ARGS✿: {}\n✿RESULT✿',
  xlam: `[${json}]`,
  'xlam with thoughts': `<think>ok</think>[${json}]`,
  claude:
    '<function_calls>\n<invoke name="demo__ping">\n<parameter name="host">x</parameter>\n</invoke>\n</function_calls>',
  'claude, bare': 'I look it up.\n\n<invoke name="ping">\n</invoke>',
  minimax:
    '<minimax:tool_call>\n<invoke name="ping">\n<parameter name="host">x</parameter>\n</invoke>\n</minimax:tool_call>',
  'minimax, names as tags':
    '<minimax:tool_call>\n<tool_name>ping</tool_name>\n<parameters>{}</parameters>\n</minimax:tool_call>',
  olmo: '<function_calls>\nping(host="x")\n</function_calls>',
  cline: 'I check it.\n<ping>\n<host>x</host>\n</ping>',
  'cline, MCP':
    '<use_mcp_tool>\n<server_name>demo</server_name>\n<tool_name>ping</tool_name>\n<arguments>{}</arguments>\n</use_mcp_tool>',
  react: 'Action: demo__ping\nAction Input: {}',
  'react with a thought':
    'Thought: I should ping.\nAction: ping\nAction Input: {"host": "x"}\nObservation:',
  'react in bold': '**Action:** `ping`\n**Action Input:** {}',
  'react without an input': 'Thought: I should ping.\nAction: ping',
  'react with the arguments in a fence': 'Action: ping\nAction Input:\n```json\n{"host": "x"}\n```',
  'react as a call': 'Action: ping(host="x")',
  'react in brackets': 'Action: ping[x]',
  langchain: 'Action:\n```json\n{"action": "ping", "action_input": "x"}\n```',
  'tool and arguments': 'Tool: ping\nArguments: {"host": "x"}',
  'calling tool': '[Calling tool: ping({"host": "x"})]',
  'JSON after a text': 'I will check that.\n{"name": "ping", "arguments": {"text": "a } b"}}',
  'JSON on the line of a text': 'I will call {"name": "ping", "arguments": {}}',
  'JSON before a text': `${json}\n\nThis checks whether the server answers.`,
  'JSON that is cut': '{"name": "ping", "arguments": {"host": "exam',
  fence: `\`\`\`json\n${json}\n\`\`\``,
  'fence after a text': `Here is the function call in JSON:\n\`\`\`json\n${json}\n\`\`\``,
  'fence before a text': `\`\`\`json\n${json}\n\`\`\`\nThis checks whether the server answers.`,
  'fence that never ends': `\`\`\`json\n${json}`,
  'OpenAI tool_calls':
    '{"tool_calls":[{"id":"c","type":"function","function":{"name":"demo__ping","arguments":"{}"}}]}',
  'OpenAI function': '{"type":"function","function":{"name":"demo__ping","arguments":{}}}',
  'one tool_call': '{"tool_call": {"name": "ping", "arguments": {}}}',
  'Gemini functionCall': '{"functionCall": {"name": "ping", "args": {}}}',
  'Anthropic tool_use': '{"type":"tool_use","id":"t","name":"ping","input":{}}',
  'tool and input': '{"thought": "I ping.", "tool": "ping", "input": {}}',
  'tool without arguments': '{"tool": "ping"}',
  'action and action_input': '{"action": "demo:ping", "action_input": {}}',
  'parallel recipients': '{"tool_uses":[{"recipient_name":"functions.ping","parameters":{}}]}',
  'the wire name as a key': '{"demo__ping": {"host": "x"}}',
  'Python quotes': "{'name': 'ping', 'arguments': {'ok': True}}",
  python: 'ping()',
  'python with arguments': 'demo__ping(host="x", count=3)',
  'python in a fence': '```python\nping()\n```',
  'python after a text': 'I check it now.\n\nping(host="x")',
  'python, assigned': '```python\nresult = ping(host="x")\n```',
  'python, printed': 'print(ping(host="x"))',
  'python, server': 'demo.ping()',
  'python, namespace': 'functions.demo__ping({"host": "x"})',
  'python over several lines': 'ping(\n    host="x",\n    note="a ) b",\n)',
};

/** What answers say about tools and calls without making one. */
const answers: Readonly<Record<string, string>> = {
  text: 'I am an assistant.',
  empty: '',
  'a name in a sentence': 'The tool ping checks that the server answers.',
  'a wire name in a sentence': 'I did not need demo__ping for this.',
  'a name in backticks': 'Use `demo__ping` to check the server, or `get_weather(city, days)`.',
  'a call in a sentence': 'You could call ping() or get_weather(city="Rome") for that.',
  'a call at the end of a sentence': 'For that I would call ping()',
  'a call and a sentence': 'ping() checks whether the server answers.',
  'a heading': 'ping()\n\nThis function checks whether the server answers.',
  'a list of functions': 'I have two tools:\n- ping()\n- get_weather(city, days)',
  'a signature': 'get_weather(city: str, days: int)',
  'a signature without types': 'get_weather(city, days)',
  'a notation in backticks': `Qwen writes \`<tool_call>${json}</tool_call>\` in such a case.`,
  'a notation in a sentence': `Qwen writes <tool_call>${json}</tool_call> in such a case, as far as I know.`,
  'an announced example': `For example, a call of this tool looks like this:\n\`\`\`json\n${json}\n\`\`\`\nYour program must run it.`,
  'an example without a fence': `Here is an example of a call:\n\n${json}`,
  'an example in Python':
    'You can check the server from Python:\n```python\nimport demo\n\nprint(demo.ping())\n```',
  'code that defines a function': '```python\ndef ping():\n    return "pong"\n\nping()\n```',
  'code that calls it among others':
    '```python\nclient = connect()\nclient.ping()\nclient.close()\n```',
  'a shell command': 'Run this:\n```bash\nping -c 3 example.com\n```',
  'code in another language': '```javascript\nping();\n```',
  'a list of tools in JSON':
    '{"tools": [{"name": "ping", "description": "Checks the server."}, {"name": "get_weather"}]}',
  'names in JSON': '[{"name": "ping"}, {"name": "get_weather"}]',
  'definitions in JSON':
    '[{"name": "ping", "description": "Checks it.", "parameters": {"type": "object", "properties": {}}}]',
  'a definition without a description':
    '```json\n{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}\n```',
  'OpenAI definitions':
    '{"tools":[{"type":"function","function":{"name":"demo__ping","parameters":{"type":"object","properties":{}}}}]}',
  'other JSON': '{"name": "Ada", "arguments": {"for": "ping"}}',
  'a value that is a name': '{"title": "ping", "tags": ["get_weather"]}',
  'a tool that was not offered': '<tool_call>{"name":"pong","arguments":{}}</tool_call>',
  'JSON of a tool that was not offered': '{"name":"pong","arguments":{}}',
  'only thoughts': `<think>I could write <tool_call>${json}</tool_call>, but it isn't needed.</think>\nI am an assistant.`,
  'an action in prose': 'Action: search the web for ping times\nAction items follow.',
  'a documented tool': '**Function:** get_weather\n**Parameters:** city (text), days (number)',
  'a documented tool with a list': 'Tool: get_weather\nParameters:\n- city: text\n- days: number',
  'a tag in a sentence': 'Write <ping>host</ping> into the file, and save it.',
  'brackets in prose': '{ I am not sure\n[1] It is documented: ping.\n',
  'a table': '| tool | call |\n| --- | --- |\n| ping | `ping()` |',
  'a date with colons': 'Call: 5 pm.\nTool: hammer.',
};

describe('a call as text', () => {
  it.each(Object.entries(calls))('is found: %s', (_name, text) => {
    expect(toolIn(text)).toBe('demo:ping');
  });

  it.each(Object.entries(answers))('is not found in %s', (_name, text) => {
    expect(findTextCall(text, names)).toBeNull();
  });

  it('is found under every name of a tool', () => {
    for (const name of [
      ...['my_files__read-file', 'read-file', 'read_file', 'my files:read-file'],
      ...['functions.read-file', 'my files.read-file', 'my files/read-file', 'tools.read_file'],
    ])
      expect([name, toolIn(JSON.stringify({ name, arguments: {} }))]).toEqual([
        name,
        'my files:read-file',
      ]);
  });

  it('says in which notation it was written', () => {
    const notationOf = (text: string) => findTextCall(text, names)?.notation;
    expect(notationOf(`<tool_call>${json}</tool_call>`)).toBe('<tool_call>');
    expect(notationOf('<|python_tag|>ping.call()')).toBe('<|python_tag|>');
    expect(notationOf('<function=ping></function>')).toBe('<function=…>');
    expect(notationOf(json)).toBe('JSON');
    expect(notationOf('ping()')).toBe('Python call');
    expect(notationOf('Action: ping\nAction Input: {}')).toBe('Action: …');
  });

  it('is found nowhere if no tool was offered', () => {
    for (const text of Object.values(calls))
      expect(findTextCall(text, offeredNames([]))).toBeNull();
  });
});

describe('the search for calls', () => {
  const million = 1_000_000;
  const hostile: Readonly<Record<string, string>> = {
    'opening tags': '<tool_call>',
    'opening braces': '{',
    'opening brackets on lines': '[\n',
    'braces in lines': '{"name": "x", \n',
    backticks: '`',
    fences: '```\n',
    'fences with text': '```json\n{"a":1}\n```\n',
    'names with parentheses': 'ping(',
    'lines of calls of other tools': 'pong(x=1)\n',
    'lines that begin calls': 'ping(x=\n',
    labels: 'Action: ping\n',
    'white space': ' ',
    'lines without text': '\n',
    'angle brackets': '<',
    'ends of thoughts': '</think>',
    'quotation marks': '"',
    'tags with their names': '<ping>',
    'word characters': 'a',
    'commas in parentheses': 'ping(a,',
    'DeepSeek tokens': '<｜tool▁sep｜>',
    'harmony without a name': '<|channel|>',
    equals: 'x = ',
  };
  it.each(Object.entries(hostile))('takes linear time over %s', (_name, part) => {
    const text = part.repeat(Math.ceil(million / part.length));
    const started = performance.now();
    findTextCall(text, names);
    findTextCall(`${text}\nping(`, names);
    // Quadratic time would be minutes. The machine may be busy.
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  it('never throws, and finds the same twice', () => {
    const part = fc.constantFrom(
      ...['<tool_call>', '{"name":', '"ping"', '{', '}', '[', ']', '(', ')', '```', '\n', ' '],
      ...[
        'ping',
        'Action:',
        'Action Input:',
        '<|',
        '|>',
        'to=functions.',
        '\\',
        "'",
        ',',
        '</think>',
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        expect(findTextCall(text, names)).toEqual(findTextCall(text, names));
      }),
      { numRuns: 2_000 },
    );
  });
});
