// What a reader sees instead of a blank page.
import { Component, type ComponentChildren } from "preact";

/** A sentence about an error, and a way to begin again. */
export function Failed({ error }: { error: unknown }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <p class="notice" role="alert">
      The playground failed: {message}. <a href="?">Begin again</a>
    </p>
  );
}

/** Shows `Failed` if a component inside throws. */
export class Boundary extends Component<{ children: ComponentChildren }, { error: unknown }> {
  override state = { error: undefined };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Failed error={error} />;
  }
}
