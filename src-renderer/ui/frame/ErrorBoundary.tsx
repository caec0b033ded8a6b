import { Component, type ReactNode } from 'react';
import { ErrorNotice } from '../notices/notices.tsx';

interface ErrorBoundaryProps {
  /** Changes with the screen: the boundary then renders its children again. */
  resetKey: string;
  children: ReactNode;
}

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
    return (
      <ErrorNotice
        title="This page crashed."
        error={this.state.error}
        onRetry={() => this.setState({ error: null })}
      />
    );
  }
}
