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

/** Frames without a new node after which nothing is on its way any more. */
const QUIET_FRAMES = 20;

/** Resolves when what was pushed before is in the page, and the frames behind it are over. */
export async function whenShown({ root }: Subject): Promise<void> {
  for (let count = -1, quiet = 0; quiet < QUIET_FRAMES;) {
    await nextFrame();
    const now = countNodes(root);
    quiet = now === count ? quiet + 1 : 0;
    count = now;
  }
}

function countNodes(root: Element | ShadowRoot): number {
  let count = 0;
  for (const walker = document.createTreeWalker(root); walker.nextNode();) count += 1;
  return count;
}
