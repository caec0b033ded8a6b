import type { RichText } from '../../../src-shared/display/verdictTexts.ts';
import { PlainText } from '../text/PlainText.tsx';

/** A sentence with its tool names in monospace. Names come from servers, so they are shown safely. */
export function RichSentence({ text }: { text: RichText }) {
  return (
    <>
      {text.map((part, index) =>
        typeof part === 'string' ? part : <PlainText key={index} as="code" text={part.code} />,
      )}
    </>
  );
}
