import { PlainText } from '../text/Foreign.tsx';
import { Notice } from './notices.tsx';

/** What variables of the environment set, and those that can't be read. */
export function EnvironmentNotice(props: {
  line: string | null;
  problems: readonly { message: string }[];
}) {
  const { line, problems } = props;
  return (
    <>
      {line !== null && (
        <Notice>
          <PlainText text={line} />
        </Notice>
      )}
      {problems.length > 0 && (
        <Notice tone="warning">
          <PlainText text={problems.map(({ message }) => message).join('\n')} />
        </Notice>
      )}
    </>
  );
}
