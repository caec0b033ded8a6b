import { Select } from '@mantine/core';
import { encodingNames } from '../../../../src-shared/domain/tokens.ts';
import { Term } from '../../../ui/text/Term.tsx';
import type { TokenSource } from './useTokenSource.ts';

export function EncodingField({ source }: { source: TokenSource }) {
  return (
    <Select
      label={<Term name="encoding" />}
      aria-label="Encoding"
      w={160}
      data={[...encodingNames]}
      value={source.encoding}
      onChange={(value) => source.change('encoding', value)}
    />
  );
}
