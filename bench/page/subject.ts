/** An implementation that renders a growing text, created for one document. */
export interface Subject {
  /** Called when the stream begins, for a subject that does not receive the text by `push`. */
  begin?(): Promise<void>;
  /** Renders one more piece. */
  push(chunk: string): void;
  /** Ends the text. Resolves when everything is rendered. */
  end(): Promise<void>;
  /** The root of the rendered text. */
  readonly root: Element | ShadowRoot;
  /** The container of the text alone, if it is not the root. */
  findTextContainer?(): Element | null;
}

/** Options of a subject. */
export interface SubjectInput {
  /** An empty container in the page. */
  readonly box: HTMLElement;
  /** The document, for subjects that know the result in advance. */
  readonly text: string;
  /** Texts of earlier, complete messages. */
  readonly history: readonly string[];
}

/** Creates a subject. Work before the promise resolves is not measured. */
export type MakeSubject = (input: SubjectInput) => Subject | Promise<Subject>;

/** Resolves in the next animation frame. */
export const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      resolve();
    });
  });

/** Number of frames without a change after which the end of a text counts as rendered. */
const LAST_FRAMES = 3;

/** Resolves when nothing has changed for `LAST_FRAMES` frames after the end of a text, which may take several frames to render. */
export async function lastFrames(root: Subject['root']): Promise<void> {
  let isChanged = false;
  const observer = new MutationObserver(() => {
    isChanged = true;
  });
  observer.observe(root, { childList: true, characterData: true, subtree: true });
  for (let quiet = 0; quiet < LAST_FRAMES; quiet = isChanged ? 0 : quiet + 1) {
    isChanged = false;
    await nextFrame();
  }
  observer.disconnect();
}

/** Number of frames with the same number of nodes after which rendering counts as complete. */
const QUIET_FRAMES = 20;

/** Resolves when the number of nodes has not changed for `QUIET_FRAMES` frames, so that the pushed text counts as rendered. */
export async function whenShown({ root }: Pick<Subject, 'root'>): Promise<void> {
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
