import { element } from '../../dom/element.js';
import { saveFile } from '../../dom/save-file.js';
import type { ToolFile } from '../../model/part.js';
import { createButton } from '../buttons.js';
import { truncate } from '../../dom/truncate.js';
import { setLang } from '../content-lang.js';
import type { ViewContext } from '../part-view.js';

/** Maximum number of files of one result that are shown. */
const MAX_FILES = 20;
/** Longest URL that is shown in full, in UTF-16 units. */
const MAX_URL_LENGTH = 2048;
/** Names of image files that a browser renders without running anything. Excludes SVG, which is a document. */
const IMAGE_NAME = /\.(png|jpe?g|gif|webp|avif)$/i;

/**
 * Creates the elements for the files of a result. Files of the service are loaded with the user's permissions: images immediately, other
 * files when their button is pressed. Any other file, and every file without `loadToolFile`, is shown by its URL, as a link if the URL
 * policy allows it. `shown` are the elements that were created for the same files before: the images in them are not loaded again.
 */
export function createMedia(
  files: readonly ToolFile[],
  context: ViewContext,
  signal: AbortSignal,
  shown?: HTMLCollection,
): readonly Element[] {
  const { actions, locale } = context;
  const { loadToolFile } = actions;
  // The message in place of the file says all that the user needs to know about the error.
  const showFailure = (target: HTMLElement, name: string): void => {
    setLang(target, undefined);
    target.textContent = locale.text('mediaFailed', { name });
  };
  const load = async (
    { name, address }: ToolFile,
    target: HTMLElement,
    onLoad: (blob: Blob) => void,
  ): Promise<void> => {
    try {
      const blob = await loadToolFile?.(address, signal);
      if (blob && !signal.aborted) onLoad(blob);
    } catch {
      showFailure(target, name);
    }
  };
  return files.slice(0, MAX_FILES).map((file, index) => {
    const before = shown?.[index];
    if (before?.querySelector('img')) return before;
    if (!file.stored || !loadToolFile) return createFileLink(file, context);
    const { name } = file;
    if (!IMAGE_NAME.test(name)) {
      const button = createButton(locale.text('mediaSave', { name }), () => {
        void load(file, button, (blob) => {
          saveFile(blob, name);
        });
      });
      return button;
    }
    const figure = element('figure', '', element('bdi', 'meta', name));
    setLang(figure, locale.contentLang);
    void load(file, figure, (blob) => {
      const image = createImage(URL.createObjectURL(blob), name);
      image.addEventListener('error', () => {
        showFailure(figure, name);
      });
      figure.replaceChildren(image);
    });
    return figure;
  });
}

function createImage(url: string, name: string): HTMLElement {
  const image = element('img');
  image.alt = name;
  // A blob URL that is not revoked retains its bytes until the document is closed.
  for (const type of ['load', 'error'])
    image.addEventListener(type, () => {
      URL.revokeObjectURL(url);
    });
  image.src = url;
  return image;
}

/** Creates the name and URL of a file that cannot be loaded from the service; a link only if the URL policy allows it. */
function createFileLink(file: ToolFile, { checkLink, locale }: ViewContext): HTMLElement {
  const href = checkLink(file.address)?.href ?? null;
  const link = element(
    href === null ? 'bdi' : 'a',
    '',
    element('bdi', '', truncate(href ?? file.address, MAX_URL_LENGTH)),
  );
  if (href !== null) {
    link.setAttribute('href', href);
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer nofollow ugc');
  }
  if (!file.name) return link;
  const name = element('bdi', 'meta', file.name);
  setLang(name, locale.contentLang);
  return element('span', '', name, ' ', link);
}
