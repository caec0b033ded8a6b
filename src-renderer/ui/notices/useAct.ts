import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { showFailure } from './UndoNotice.tsx';

type After<Output, Input> = Omit<
  UseMutationOptions<Output, Error, Input>,
  'mutationFn' | 'onError'
>;

/** A change whose error has no place of its own on the screen: a notice shows it. */
export const useAct = <Output, Input = void>(
  act: (input: Input) => Promise<Output>,
  after: After<Output, Input> = {},
) => useMutation({ ...after, mutationFn: act, onError: showFailure });
