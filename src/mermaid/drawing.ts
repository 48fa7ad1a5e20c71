/** What the page and the frame that runs Mermaid send each other, as plain data. */

/** Maximum length of the source of a diagram, in UTF-16 units. */
export const MAX_SOURCE_LENGTH = 20_000;

/** Maximum number of elements of a drawing. A larger one would slow the page down. */
export const MAX_ELEMENTS = 6000;

/** The first message to the frame: the address of Mermaid, as a classic script. */
export interface FrameStart {
  readonly script: string;
}

/** A diagram to draw. */
export interface DrawRequest {
  readonly source: string;
  /** The fonts of its text, as a CSS value. */
  readonly fontFamily: string;
}

/** What the frame replies to `FrameStart` (`started`, and then `ready` or `unusable`) and to each `DrawRequest` (the others). */
export type FrameReply =
  /** The document of the frame loads Mermaid. */
  | { readonly kind: 'started' }
  | { readonly kind: 'ready' }
  /** Mermaid was not loaded, or the policy of the frame's document forbids what Mermaid does. */
  | { readonly kind: 'unusable'; readonly reason: 'script' | 'policy' }
  /** Mermaid rejects the source. */
  | { readonly kind: 'invalid'; readonly message: string }
  /** The drawing has too many elements. */
  | { readonly kind: 'large' }
  | { readonly kind: 'drawn'; readonly drawing: Drawing };

/** A drawn diagram. */
export interface Drawing {
  /** The root element. */
  readonly svg: DrawnElement;
  /** Whether its colours follow the colour scheme; else they are for a light background. */
  readonly isThemed: boolean;
  /** Title and description that the source declares for assistive technology; may be empty. */
  readonly title: string;
  readonly description: string;
}

/** An SVG element as data. */
export interface DrawnElement {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly (DrawnElement | string)[];
}
