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

/** Loads a file, and calls one of the functions when that is done; none of them when the view was disposed meanwhile. */
type Load = (onLoad: (blob: Blob) => void, onFailure: () => void) => Promise<void>;

/**
 * Creates the elements for the files of a result. Files of the service are loaded with the user's permissions: images immediately, other
 * files when their button is pressed. Any other file, and every file without `loadToolFile`, is shown by its URL, as a link if the URL
 * policy allows it. `shown` are the elements that were created for the same files before: those that show an image, or are loading a file, are
 * kept.
 */
export function createMedia(
  files: readonly ToolFile[],
  context: ViewContext,
  signal: AbortSignal,
  shown?: readonly HTMLElement[],
): readonly HTMLElement[] {
  const { loadToolFile } = context.actions;
  return files.slice(0, MAX_FILES).map((file, index) => {
    const before = shown?.[index];
    const isImage = before?.localName === 'figure' && !before.querySelector('button');
    if (before && (isImage || before.ariaBusy)) return before;
    if (!file.stored || !loadToolFile) return createFileLink(file, context);
    const load: Load = async (onLoad, onFailure) => {
      try {
        const blob = await loadToolFile(file.address, signal);
        if (!signal.aborted) onLoad(blob);
      } catch {
        // The message in place of the file says all that the user needs to know about the error.
        if (!signal.aborted) onFailure();
      }
    };
    const create = IMAGE_NAME.test(file.name) ? createImageBox : createSaveButton;
    return create(file.name, load, context, signal);
  });
}

/** Creates the button that loads a file and saves it. */
function createSaveButton(name: string, load: Load, context: ViewContext): HTMLElement {
  const showText = (text: 'mediaSave' | 'mediaFailed'): void => {
    button.textContent = context.locale.text(text, { name });
  };
  const save = async (): Promise<void> => {
    // The file is saved once, even if the button is pressed again while it is loading.
    if (button.ariaBusy) return;
    showText('mediaSave');
    button.ariaBusy = 'true';
    await load(
      (blob) => {
        saveFile(blob, name);
        // The language may have changed meanwhile.
        showText('mediaSave');
      },
      () => {
        showText('mediaFailed');
      },
    );
    button.ariaBusy = null;
  };
  const button = createButton('', () => void save());
  showText('mediaSave');
  return button;
}

/** Creates the box of an image, which is loaded at once. When that fails, the box has a button that tries again. */
function createImageBox(
  name: string,
  load: Load,
  context: ViewContext,
  signal: AbortSignal,
): HTMLElement {
  const figure = element('figure');
  const retry = createButton('', () => {
    // The button that has the focus is removed.
    figure.tabIndex = -1;
    figure.focus({ preventScroll: true });
    start();
  });
  const showFailure = (): void => {
    const hadFocus = figure.matches(':focus');
    const { text } = context.locale;
    setLang(figure, undefined);
    retry.textContent = text('retry');
    figure.replaceChildren(text('mediaFailed', { name }), ' ', retry);
    if (hadFocus) retry.focus({ preventScroll: true });
  };
  const start = (): void => {
    setLang(figure, context.locale.contentLang);
    figure.replaceChildren(element('bdi', 'meta', name));
    void load((blob) => {
      const image = createImage(URL.createObjectURL(toImage(blob, name)), name, signal);
      image.addEventListener('error', showFailure);
      figure.replaceChildren(image);
    }, showFailure);
  };
  start();
  return figure;
}

/**
 * Returns the file with the type that its name promises. The type of the service may be that of a document, such as SVG, whose scripts would run
 * on the origin of the page when the user opens the image in a tab. Browsers recognize the format of a raster image by its bytes.
 */
function toImage(file: Blob, name: string): Blob {
  const extension = IMAGE_NAME.exec(name)?.[1]?.toLowerCase() ?? '';
  return file.slice(0, file.size, `image/${extension.replace('jpg', 'jpeg')}`);
}

/** Revokes the URLs of images whose views are never disposed, because their element was removed from the page. */
const removedImages = new FinalizationRegistry<string>((url) => {
  URL.revokeObjectURL(url);
});

function createImage(url: string, name: string, signal: AbortSignal): HTMLElement {
  const image = element('img');
  image.alt = name;
  const revoke = (): void => {
    URL.revokeObjectURL(url);
  };
  // Not as soon as the image is loaded, because the browser saves it, or opens it in a tab, by its URL.
  signal.addEventListener('abort', revoke);
  removedImages.register(image, url);
  image.addEventListener('error', revoke);
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
