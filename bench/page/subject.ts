/** One way to show a growing text, made for one document. */
export interface Subject {
  /** Shows one more piece. */
  push(chunk: string): void;
  /** Says that nothing more comes; resolves when all is shown. */
  end(): Promise<void>;
  /** Where the shown text is found. */
  readonly root: Element | ShadowRoot;
  /** The box of the text alone, where that is not the root. */
  shown?(): Element | null;
}

/** What a subject is made from. */
export interface SubjectInput {
  /** An empty box in the scroller. */
  readonly box: HTMLElement;
  /** The document, for subjects that know the result beforehand. */
  readonly text: string;
  /** Texts of finished messages that are in the view already. */
  readonly history: readonly string[];
}

/** Makes a subject; what it does before it resolves is not measured. */
export type MakeSubject = (input: SubjectInput) => Subject | Promise<Subject>;

/** Resolves in the next animation frame. */
export const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      resolve();
    });
  });
