/** The script of `mermaid.html`, the sandboxed document in which Mermaid runs. */
import type { DrawRequest, FrameReply, FrameStart } from '../drawing.js';
import { MAX_ELEMENTS, MAX_SOURCE_LENGTH } from '../drawing.js';
import { readDrawing } from './read-drawing.js';

/** The part of Mermaid that is used. */
interface Mermaid {
  initialize(config: object): void;
  run(options: { readonly nodes: readonly Element[] }): Promise<void>;
}

/**
 * Settings that a source must not change, including those that Mermaid protects by default. A theme that the source chooses would not follow
 * that of the page.
 */
const PROTECTED_SETTINGS = [
  'altFontFamily',
  'arrowMarkerAbsolute',
  'darkMode',
  'deterministicIDSeed',
  'deterministicIds',
  'dompurifyConfig',
  'fontFamily',
  'handDrawnSeed',
  'htmlLabels',
  'logLevel',
  'maxEdges',
  'maxTextSize',
  'secure',
  'securityLevel',
  'startOnLoad',
  'suppressErrorRendering',
  'theme',
  'themeCSS',
  'themeVariables',
];

addEventListener(
  'message',
  ({ data, source, ports: [port] }: MessageEvent<FrameStart>) => {
    if (port && isSandboxed() && source === parent) void start(data, port);
  },
  { once: true },
);

/**
 * Whether this document has no origin of its own. Outside of a sandbox, another site could open it and let it run a script of its choice
 * with the rights of the site that serves it.
 */
const isSandboxed = (): boolean => origin === 'null';

async function start({ script }: FrameStart, port: MessagePort): Promise<void> {
  const reply = (message: FrameReply): void => {
    port.postMessage(message);
  };
  reply({ kind: 'started' });
  if (!isUsable()) {
    reply({ kind: 'unusable', reason: 'policy' });
    return;
  }
  restrictScripts(script);
  const mermaid = await loadMermaid(script);
  if (!mermaid) {
    reply({ kind: 'unusable', reason: 'script' });
    return;
  }
  port.onmessage = ({ data }: MessageEvent<DrawRequest>) => {
    void draw(mermaid, data).then(reply);
  };
  reply({ kind: 'ready' });
}

/** Whether the policy of this document, such as one that its server sends with all files, permits the styles and the markup of Mermaid. */
function isUsable(): boolean {
  const style = document.createElement('style');
  style.append('body { border-top: 1px solid }');
  document.head.append(style);
  const hasStyles = getComputedStyle(document.body).borderTopWidth === '1px';
  style.remove();
  try {
    Reflect.set(document.createElement('div'), 'innerHTML', '');
    return hasStyles;
  } catch {
    return false;
  }
}

/** Permits only the script of Mermaid from now on: no code in attributes, and none that a source adds. */
function restrictScripts(script: string): void {
  const { origin, pathname } = new URL(script);
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = `script-src ${origin}${pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')}`;
  document.head.append(meta);
}

function loadMermaid(address: string): Promise<Mermaid | undefined> {
  const script = document.createElement('script');
  script.src = address;
  return new Promise((resolve) => {
    script.onload = () => {
      resolve((globalThis as { mermaid?: Mermaid }).mermaid);
    };
    script.onerror = () => {
      resolve(undefined);
    };
    document.head.append(script);
  });
}

async function draw(mermaid: Mermaid, request: DrawRequest): Promise<FrameReply> {
  try {
    const light = await drawInTheme(mermaid, request, 'default');
    if (light.querySelectorAll('*').length >= MAX_ELEMENTS) return { kind: 'large' };
    const dark = await drawInTheme(mermaid, request, 'dark');
    return { kind: 'drawn', drawing: readDrawing(light, dark) };
  } catch (error) {
    return { kind: 'invalid', message: error instanceof Error ? error.message : '' };
  } finally {
    document.body.replaceChildren();
  }
}

async function drawInTheme(
  mermaid: Mermaid,
  { source, fontFamily }: DrawRequest,
  theme: string,
): Promise<SVGSVGElement> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    theme,
    fontFamily,
    deterministicIds: true,
    // The length of the seed is the first number of the ids. Equal ids would apply the styles of one theme to both drawings.
    deterministicIDSeed: theme,
    suppressErrorRendering: true,
    logLevel: 'fatal',
    maxTextSize: MAX_SOURCE_LENGTH,
    maxEdges: 500,
    secure: PROTECTED_SETTINGS,
  });
  const box = document.createElement('div');
  box.textContent = source;
  document.body.append(box);
  await mermaid.run({ nodes: [box] });
  const svg = box.querySelector('svg');
  if (!svg) throw new Error('Mermaid has drawn nothing.');
  return svg;
}
