import { TextInput } from '@mantine/core';
import { typedAdditions, type TypedAdditions } from '../../src-shared/domain/requestAdditions.ts';
import { embeddingModelOf, maxEmbeddingModelLength } from '../../src-shared/domain/similarity.ts';
import { typed } from '../ui/fields/controls.tsx';
import { FoldedAdditions } from './AdditionFields.tsx';

export interface TypedEmbedding {
  model: string;
  /** Empty means that of OpenAI. */
  baseUrl: string;
  additions: TypedAdditions;
}

type Known = Parameters<typeof typedAdditions>[0] & { model?: string; baseUrl?: string | null };

export const typedEmbedding = (known: Known | null): TypedEmbedding => ({
  model: known?.model ?? '',
  baseUrl: known?.baseUrl ?? '',
  additions: typedAdditions(known ?? {}),
});

interface EmbeddingFieldsProps {
  value: TypedEmbedding;
  onChange: (part: Partial<TypedEmbedding>) => void;
}

/** A model whose embeddings are compared, at an endpoint or on this computer. */
export function EmbeddingFields({ value, onChange }: EmbeddingFieldsProps) {
  return (
    <>
      <TextInput
        label="Embedding model"
        description="A model name, or a folder on this computer with an ONNX encoder."
        placeholder="text-embedding-3-small"
        {...typed(value.model, (model) => onChange({ model }))}
        maxLength={maxEmbeddingModelLength}
      />
      {embeddingModelOf(value.model.trim(), null).provider !== 'local' && (
        <>
          <TextInput
            label="Base URL"
            description="Leave empty for OpenAI. Uses the provider key from Settings."
            {...typed(value.baseUrl, (baseUrl) => onChange({ baseUrl }))}
          />
          <FoldedAdditions
            value={value.additions}
            when=""
            streams={false}
            onChange={(additions) => onChange({ additions })}
          />
        </>
      )}
    </>
  );
}
