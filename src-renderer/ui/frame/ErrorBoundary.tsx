import { Component, type ReactNode } from 'react';
import { ErrorNotice } from '../notices/notices.tsx';

interface ErrorBoundaryProps {
  /** Changes with the screen: the boundary then renders its children again. */
  resetKey: string;
  children: ReactNode;
}

/** How browsers say that a part of the program was not there to load. */
const notLoaded = /dynamically imported module|module script failed|preload CSS/iu;

/** What became of a page that could not be shown. */
export const Crashed = ({ error, onRetry }: { error: unknown; onRetry: () => void }) =>
  notLoaded.test(String(error)) ? (
    <ErrorNotice
      error={{
        data: {
          thing: 'This page could not be loaded.',
          cause: 'The program has ended, or was updated while this window was open.',
          nextStep: 'Start it again if it has ended, then try again.',
        },
      }}
      onRetry={() => window.location.reload()}
    />
  ) : (
    <ErrorNotice title="This page crashed." error={error} onRetry={onRetry} />
  );

/** Keeps the frame alive when a screen fails to render. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error: error ?? new Error('This page crashed.') };
  }

  override componentDidUpdate(before: ErrorBoundaryProps): void {
    if (before.resetKey !== this.props.resetKey && this.state.error !== null)
      this.setState({ error: null });
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return <Crashed error={this.state.error} onRetry={() => this.setState({ error: null })} />;
  }
}
