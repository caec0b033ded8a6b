import { TextParts } from './Foreign.tsx';

interface MarkedWordsProps {
  text: string;
  /** Lower-case words; each of their occurrences is marked, whatever its case. */
  words: readonly string[];
}

export function MarkedWords({ text, words }: MarkedWordsProps) {
  const wanted = new Set(words);
  const parts = words.length === 0 ? [text] : text.split(/([\p{L}\p{M}\p{N}]+)/u);
  return (
    <bdi className="ts-foreign">
      {parts.map((part, at) =>
        wanted.has(part.toLowerCase()) ? (
          <mark key={at}>
            <TextParts text={part} />
          </mark>
        ) : (
          <TextParts key={at} text={part} />
        ),
      )}
    </bdi>
  );
}
