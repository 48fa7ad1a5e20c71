import { element } from '../../internal/element.js';
import { saveFile } from '../../internal/save-file.js';
import { createButton } from '../buttons.js';
import type { ViewContext } from '../part-view.js';
import { setLang } from '../said.js';

/** Pictures and files of one result that are shown. */
const SHOWN = 20;
/** Kinds that the browser draws without running anything. No SVG: it is a document. */
const PICTURE = /\.(png|jpe?g|gif|webp|avif)$/i;

/** A file that a tool made. */
interface Media {
  readonly name: string;
  readonly url: string;
}

/** The files that a result names, wherever in it they stand: pictures by themselves, the rest to be saved. All are loaded with the person's rights. */
export function createMedia(
  raw: string | null,
  { acts, locale, clock }: ViewContext,
  signal: AbortSignal,
): readonly HTMLElement[] {
  const load = async (
    { name, url }: Media,
    place: HTMLElement,
    use: (blob: Blob) => void,
  ): Promise<void> => {
    try {
      const blob = await acts.media?.(url, signal);
      if (blob && !signal.aborted) use(blob);
    } catch {
      // The reason lies in the network; the person is told where the file would stand.
      setLang(place, undefined);
      place.textContent = locale.text('mediaFailed', { name });
    }
  };
  return findMedia(raw).map((file) => {
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
    setLang(place, locale.saidLang);
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

function findMedia(raw: string | null): readonly Media[] {
  const found: Media[] = [];
  if (!raw?.includes('media_reference')) return found;
  try {
    JSON.parse(raw, (_key, value: Readonly<Record<string, unknown>> | null) => {
      const media = value?.['type'] === 'media_reference' && toMedia(value);
      if (media) found.push(media);
      return value;
    });
  } catch {
    // No JSON, or nested deeper than anything can read.
  }
  return found.slice(0, SHOWN);
}

/** The service keeps assets under its own address; `url` may name another host and is the last resort. */
function toMedia(fields: Readonly<Record<string, unknown>>): Media | null {
  const read = (name: string): string => {
    const value = fields[name];
    return typeof value === 'string' ? value : '';
  };
  const asset = read('asset_filename');
  const path = [read('tool_id'), read('execution_id'), asset];
  const isKept = path.every(Boolean);
  const url = isKept ? `assets/tools/${path.map(encodeURIComponent).join('/')}` : read('url');
  return url ? { name: asset || (url.split('/').at(-1) ?? ''), url } : null;
}
