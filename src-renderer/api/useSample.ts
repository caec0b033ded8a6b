import { useRead } from './useRead.ts';

/** What is left of the sample; asked often while it is evaluated in the background. */
export const useSample = () =>
  useRead((ask) => ask.settings.sample, {
    refetchInterval: ({ state }) => (state.data?.evaluating === true ? 1000 : false),
  });
