import type { OfferedNames } from './offeredNames.ts';

/**
 * Openings of calls that models were trained on and that ordinary text doesn't contain. Without a
 * notation, the opening itself is shown. Sources:
 * the tool-call parsers of vLLM (docs.vllm.ai, vllm/tool_parsers), SGLang
 * (sglang/srt/function_call), and llama.cpp (common/chat.cpp, docs/function-calling.md), and the
 * chat templates of the models. Each expression reads at most a few dozen characters per place.
 */
const openings: readonly { notation: string | null; opening: RegExp }[] = [
  // Hermes, Qwen, GLM, Granite, Phi, Nemotron, LFM2, MiniMax, Seed-OSS, Hunyuan, Gemma, LongCat.
  {
    notation: null,
    opening:
      /<\|?(?:[a-z]{1,20}[:_])?(?:tool_?calls?|function_?calls?|tool|tool_use|use_mcp_tool)(?:_start)?\|?>/gi,
  },
  // Mistral, LM Studio.
  { notation: '[TOOL_CALLS]', opening: /\[TOOL_(?:CALLS?|REQUEST)\]/g },
  // Llama 3.1 and later.
  { notation: '<|python_tag|>', opening: /<\|python_tag\|>/g },
  // Llama 3.1 (custom functions), Functionary 3.1, Qwen3-Coder.
  { notation: '<function=…>', opening: /<function(?=\s?(?:=|\(|name\s?=))/g },
  // Claude 2, MiniMax M2, DeepSeek V3.2 and V4 (DSML), Step 3.
  { notation: '<invoke name="…">', opening: /<[^<>\s]{0,40}invoke(?=\s{1,4}name\s?=)/g },
  // gpt-oss.
  { notation: 'harmony', opening: /\bto=functions?\.|<\|(?:channel|start)\|>[^<\n]{0,60}\bto=/g },
  // DeepSeek V3 and R1, Kimi K2.
  {
    notation: null,
    opening: /<[｜|]{1,3}tool[▁_ ]calls?(?:[▁_ ]section)?[▁_ ]begin[｜|]{1,3}>/g,
  },
  // InternLM 2, Command R7B, Functionary 2.
  { notation: null, opening: /<\|(?:action_start|START_ACTION|recipient)\|>/g },
  // Phi-4, Firefunction.
  { notation: 'functools[…]', opening: /(?<=^|\n)[ \t]{0,8}functools(?=\[)/g },
  // Qwen-Agent.
  { notation: '✿FUNCTION✿', opening: /✿FUNCTION✿\s?:/g },
  // Functionary 3.2.
  { notation: '>>>name', opening: /(?<=^|\n)>>>(?=[\w.:-]{1,128}\n\s{0,8}\{)/g },
];

/** A name right after its opening. */
const lead =
  /^[\s`"'[({<]{0,16}(?:call:|functions?(?=[=\s(]))?[=\s(]{0,4}([^\s"'<>{}()[\],]{1,300})/;
/** Where else a name may be; each finds it as its first group. */
const places: readonly RegExp[] = [
  /["'](?:name|tool|tool_name|function|function_name|action|recipient_name)["']\s{0,8}:\s{0,8}["']([^"'\n]{1,300})["']/g,
  /<(?:name|tool_name|function_name|tool)>\s{0,8}([^<\s]{1,300})/g,
  /(?:function|invoke|tool)\s{0,4}(?:=|name\s?=|\()\s{0,4}["']?([^"'>)\s]{1,300})/g,
  /tool[▁_ ]sep[｜|]{1,3}>\s{0,8}([^\s<`{]{1,300})/g,
];

/** A call has its name near its opening. */
const maxSegment = 4096;

export interface FoundCall {
  tool: string;
  notation: string;
}

/**
 * The first call of an offered tool after an opening that `counts` accepts. Each character is read
 * a fixed number of times.
 */
export function markedCall(
  text: string,
  names: OfferedNames,
  counts: (place: number) => boolean,
): FoundCall | null {
  for (const { notation, opening } of openings) {
    const found = [...text.matchAll(opening)];
    for (const [index, match] of found.entries()) {
      const from = match.index + match[0].length;
      const to = Math.min(found[index + 1]?.index ?? text.length, from + maxSegment);
      const tool =
        names.resolve(lead.exec(text.slice(from, to))?.[1] ?? '') ??
        nameIn(text.slice(match.index, to), names);
      if (tool !== undefined && counts(match.index))
        return { tool, notation: notation ?? match[0] };
    }
  }
  return null;
}

function nameIn(segment: string, names: OfferedNames): string | undefined {
  for (const place of places)
    for (const match of segment.matchAll(place)) {
      const tool = names.resolve(match[1] ?? '');
      if (tool !== undefined) return tool;
    }
  return undefined;
}
