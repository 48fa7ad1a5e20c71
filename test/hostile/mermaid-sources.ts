/** Sources of Mermaid diagrams that try to run code, to load files or to loosen the settings. */
export const HOSTILE_DIAGRAMS: readonly string[] = [
  'flowchart TD\n A --> B\n click A "javascript:ran(1)" "tip"\n click B call ran() "tip"',
  'flowchart TD\n A --> B\n click A href "https://evil.test/click" _self\n click B ran',
  '%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart TD\n A["<img src=https://evil.test/label onerror=parent.ran(2)>"] --> B["<b onclick=ran(2)>x</b><script>parent.ran(2)</script>"]',
  '---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n  secure: []\n  dompurifyConfig: { ADD_TAGS: [script, iframe], ADD_ATTR: [onload, onerror] }\n---\nflowchart TD\n A["<iframe src=https://evil.test/frame></iframe><svg onload=parent.ran(3)>"]',
  '%%{init: {"themeCSS": "@import url(https://evil.test/sheet.css); * { background: url(https://evil.test/back); }"}}%%\nflowchart TD\n A --> B',
  '%%{init: {"fontFamily": "x; } @font-face { font-family: y; src: url(https://evil.test/font) } * { font-family: y"}}%%\nflowchart TD\n A --> B',
  '%%{init: {"themeVariables": {"primaryColor": "red; } * { background: url(https://evil.test/color)", "fontFamily": "\\"; } @import \'https://evil.test/family\'"}}}%%\nflowchart TD\n A --> B',
  '%%{init: {"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}}%%\nflowchart TD\n A --> B',
  'flowchart TD\n A --> B\n style A fill:url(https://evil.test/fill),background-image:url(https://evil.test/image)\n classDef c filter:url(https://evil.test/filter#f),cursor:url(https://evil.test/cursor)\n class B c',
  'flowchart TD\n A@{ img: "https://evil.test/shape.png", label: "x", pos: "t", w: 60, h: 60 }\n A --> B@{ icon: "fa:evil", form: "square" }',
  'flowchart TD\n A["$$\\href{javascript:parent.ran(4)}{x}$$"] --> B["$$<img src=https://evil.test/maths onerror=parent.ran(4)>$$"]',
  'flowchart TD\n A["`![x](https://evil.test/markdown.png) [y](javascript:ran(5))`"] --> B',
  'flowchart TD\n accTitle: <img src=https://evil.test/title onerror=parent.ran(6)>\n accDescr: <script>parent.ran(6)</script>\n A["<style>@import url(https://evil.test/style)</style><foreignObject><img src=https://evil.test/foreign></foreignObject>"]',
  'flowchart TD\n A["<meta http-equiv=refresh content=0;url=https://evil.test/refresh>"] --> B["<link rel=stylesheet href=https://evil.test/link>"]',
  'sequenceDiagram\n participant A as <img src=https://evil.test/actor onerror=parent.ran(7)>\n links A: {"x": "javascript:parent.ran(7)", "y": "https://evil.test/y"}\n A->>A: $$<iframe srcdoc="<script>parent.parent.ran(7)</script>"></iframe>$$',
  'classDiagram\n class Shape\n link Shape "javascript:ran(8)" "tip"\n callback Shape "ran" "tip"\n Shape : <img src=https://evil.test/member onerror=parent.ran(8)>',
  'gantt\n dateFormat YYYY-MM-DD\n section <img src=https://evil.test/section>\n Task :a1, 2026-01-01, 3d\n click a1 href "javascript:ran(9)"\n click a1 call ran(9)',
  'stateDiagram-v2\n [*] --> A\n note right of A : <img src=https://evil.test/note onerror=parent.ran(10)>\n A : <svg><script>parent.ran(10)</script></svg>',
  'erDiagram\n "<img src=https://evil.test/entity onerror=parent.ran(11)>" ||--o{ B : "<b>x</b>"',
  'C4Context\n title <img src=https://evil.test/c4 onerror=parent.ran(12)>\n Person(a, "A", "x", $sprite="https://evil.test/sprite", $link="javascript:ran(12)")',
  'journey\n title <script>parent.ran(13)</script>\n section <img src=https://evil.test/journey>\n Task: 5: <img src=x onerror=parent.ran(13)>',
  'pie title <img src=https://evil.test/pie onerror=parent.ran(14)>\n "<svg/onload=parent.ran(14)>" : 1',
  'timeline\n title <img src=https://evil.test/time onerror=parent.ran(15)>\n 2002 : <iframe src=https://evil.test/era></iframe>',
  'block-beta\n a["<img src=https://evil.test/block onerror=parent.ran(16)>"]\n style a fill:url(https://evil.test/fill)',
  'kanban\n Todo\n  a[<img src=https://evil.test/kanban onerror=parent.ran(17)>]@{ ticket: 1 }',
  'gitGraph\n commit id: "<img src=https://evil.test/commit onerror=parent.ran(18)>"\n branch "<script>parent.ran(18)</script>"',
  'requirementDiagram\n requirement r {\n id: 1\n text: "<img src=https://evil.test/requirement onerror=parent.ran(19)>"\n }',
  'quadrantChart\n title <img src=https://evil.test/quadrant onerror=parent.ran(20)>\n "<b>x</b>": [0.3, 0.6] color: url(https://evil.test/point)',
  'info\n showInfo',
  'flowchart TD\n A --',
  '<script>parent.ran(21)</script>',
];

/**
 * What a compromised Mermaid could draw. The fake script `echo` (`FAKES` in `pages.ts`) inserts it unchanged into its frame. The test waits for
 * the circle that each drawing contains.
 */
export const HOSTILE_DRAWINGS: readonly string[] = [
  '<script>parent.ran(30)</script><circle r="1" onclick="ran(30)" onload="ran(30)"/>',
  '<a href="javascript:ran(31)" xlink:href="javascript:ran(31)" target="_top"><circle r="1"/></a>',
  '<foreignObject width="10" height="10"><iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.test/in"></iframe><img xmlns="http://www.w3.org/1999/xhtml" src="https://evil.test/img" onerror="parent.ran(32)"/></foreignObject><circle r="1"/>',
  '<image href="https://evil.test/image" width="9" height="9"/><feImage href="https://evil.test/fe"/><circle r="1"/>',
  '<use href="https://evil.test/use#a"/><use href="data:image/svg+xml,&lt;svg id=\'x\' xmlns=\'http://www.w3.org/2000/svg\'&gt;&lt;script&gt;ran(33)&lt;/script&gt;&lt;/svg&gt;#x"/><circle r="1"/>',
  '<style>@import url(https://evil.test/sheet); circle { fill: url(https://evil.test/fill) }</style><circle r="1" style="cursor: url(https://evil.test/cursor), auto; filter: url(https://evil.test/filter#f)"/>',
  '<circle r="1" fill="url(https://evil.test/paint#p)" stroke="url(\'//evil.test/stroke#p\')" clip-path="url(https://evil.test/clip#c)" marker-end="url(https://evil.test/marker#m)" mask="url(https://evil.test/mask#m)" filter="url(https://evil.test/f#f)" cursor="url(https://evil.test/c)"/>',
  '<animate attributeName="href" values="javascript:ran(34)"/><set attributeName="onload" to="ran(34)"/><circle r="1"><animate attributeName="r" onbegin="ran(34)" dur="1s"/></circle>',
  '<circle r="1" id="body" class="ubik-link" data-ubik-action="link" name="location" tabindex="0" role="button" aria-label="Delete" style="position: fixed; inset: 0"/>',
  '<text font-family="x;} * { color: red">text</text><circle r="1" transform="translate(1e9) scale(url(x))"/>',
];
