import { Component, type ReactNode } from 'react';
import { Empty } from './Empty.tsx';

/** Stands in for a view that could not be loaded or broke, so that the others go on. */
export class Fault extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Empty title="This view could not be shown" action="Load the page again" onAction={() => location.reload()}>
        A part of the playground did not load. The program in the editor is kept.
      </Empty>
    );
  }
}
