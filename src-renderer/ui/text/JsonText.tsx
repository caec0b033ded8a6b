import { CodeView } from './CodeView.tsx';

interface JsonTextProps {
  value: unknown;
  label?: string;
  maxHeight?: number;
}

/** A JSON value, indented, as plain text. */
export function JsonText({ value, ...rest }: JsonTextProps) {
  return <CodeView text={value === undefined ? '' : JSON.stringify(value, null, 2)} {...rest} />;
}
