import { element } from '../../dom/element.js';
import { saveFile } from '../../dom/save-file.js';
import { createButton } from '../buttons.js';
import type { ToolFile } from '../../model/part.js';
import type { ViewContext } from '../part-view.js';
import { truncate, setLang } from '../content-lang.js';

/** Pictures and files of one result that are shown. */
const SHOWN = 20;
/** Characters of an address that are shown. */
const LONGEST_ADDRESS = 2048;
/** Kinds that the browser draws without running anything. No SVG: it is a document. */
const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;

/**
 * The files that a result names: those that the service keeps are loaded with the person's rights, pictures by themselves, the
 * rest to be saved. Every other address is a link, with its address to be read.
 */
export function createMedia(
  result: string | null,
  context: ViewContext,
  signal: AbortSignal,
): readonly HTMLElement[] {
  const { actions: acts, locale, clock } = context;
  const { loadToolFile: media } = acts;
  const load = async (
    { name, address }: ToolFile,
    place: HTMLElement,
    use: (blob: Blob) => void,
  ): Promise<void> => {
    try {
      const blob = await media?.(address, signal);
      if (blob && !signal.aborted) use(blob);
    } catch {
      // The reason lies in the network; the person is told where the file would stand.
      setLang(place, undefined);
      place.textContent = locale.text('mediaFailed', { name });
    }
  };
  const files = (result !== null && acts.findToolFiles?.(result)) || [];
  return files.slice(0, SHOWN).map((file) => {
    if (!file.stored || !media) return createFileLink(file, context);
    const { name } = file;
    if (!PICTURE.test(name)) {
      const button = createButton(locale.text('mediaSave', { name }), () => {
        void load(file, button, (blob) => {
          saveFile(blob, name, clock);
        });
      });
      return button;
    }
    const place = element('figure', '', element('bdi', 'meta', name));
    setLang(place, locale.contentLang);
    void load(file, place, (blob) => {
      place.replaceChildren(createPicture(URL.createObjectURL(blob), name));
    });
    return place;
  });
}

function createPicture(address: string, name: string): HTMLElement {
  const picture = element('img');
  picture.alt = name;
  // The picture is drawn by then; the address would hold its bytes for the life of the page.
  picture.addEventListener('load', () => {
    URL.revokeObjectURL(address);
  });
  picture.src = address;
  return picture;
}

/** A file that lies elsewhere: what it is called, and its address as a link where one may lead there. */
function createFileLink(file: ToolFile, { checkLink, locale }: ViewContext): HTMLElement {
  const href = checkLink(file.address)?.href ?? null;
  const link = element(
    href === null ? 'bdi' : 'a',
    '',
    element('bdi', '', truncate(href ?? file.address, LONGEST_ADDRESS)),
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
