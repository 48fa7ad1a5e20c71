/** A sample of each language with constructs that span lines: comments, strings, blocks, data. */
export const CODE_SAMPLES: Readonly<Record<string, string>> = {
  bash: '#!/bin/bash\nset -e\ncat <<EOF\nHello $USER, it is\n  not a `comment` # here\nEOF\nif [ -f "$1" ]; then\n  echo "over\n  two lines" # note\nfi\nf() { local x=1; return $x; }\n',
  c: '#include <stdio.h>\n/* a note\n   over lines */\n#define MAX(a, b) \\\n  ((a) > (b) ? (a) : (b))\nstatic int f(const char *s) {\n  return printf("%s\\n", s); // end\n}\n',
  cpp: '#include <map>\ntemplate <typename T>\nclass A : public B {\n public:\n  /* note\n  goes on */\n  A() = default;\n  auto f() { return R"x(raw\n "text" )x"; }\n};\n',
  csharp:
    'using System;\n/// <summary>\n/// Words\n/// </summary>\nclass A {\n  string s = @"over\n  ""two"" lines";\n  [Test] public async Task F(int x) => await G($"{x}");\n}\n',
  css: '@media (min-width: 30em) {\n  /* note\n  goes on */\n  .a > #b:hover {\n    color: #fff;\n    background: url(\n      x.png);\n  }\n}\n',
  diff: '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n',
  dockerfile:
    'FROM node:20 AS base\nRUN apt-get update && \\\n  apt-get install -y "curl" && \\\n  echo done\n# note\nCMD ["node", "x.js"]\n',
  go: 'package main\n/* note\nover */\nfunc main() {\n\ts := `raw\n"text"`\n\tfor i := 0; i < 3; i++ { fmt.Println(s, i) } // end\n}\n',
  graphql:
    'query A($x: Int = 1) {\n  """\n  words\n  """\n  field(arg: "x") { ...F @include(if: $x) }\n}\n# note\n',
  http: 'POST /x HTTP/1.1\nHost: a.test\nContent-Type: application/json\n\n{"a": [1, true]}\n',
  ini: '; note\n[section]\nkey = "value"\nlist = [1,\n  2, # note\n  3]\ntext = """\nover\nlines"""\n',
  java: 'package a;\n/**\n * Doc {@code x}\n * @param x y\n */\npublic class A<T> extends B {\n  @Override\n  public String f(int x) {\n    return """\n      text "block"\n      """;\n  }\n}\n',
  javascript:
    '/* note\nover */\nconst t = `over ${\n  1 + f("x")\n} lines`;\nclass A extends B {\n  get x() { return /re/g.test(t); } // end\n}\n',
  json: '{\n  "a": [1, 2.5e3, null],\n  "b": { "c": "text", "d": true }\n}\n',
  julia:
    'function f(x)\n  #= note\n  over =#\n  s = """\n  text $x\n  """\n  return x^2 # end\nend\n',
  kotlin:
    '/* note\nover */\nclass A(val x: Int) {\n  fun f(): String {\n    return """\n      raw ${x}\n    """\n  }\n}\n',
  latex:
    '\\begin{verbatim}\n\\not a $command\n\\end{verbatim}\n% note\n\\section{A}\n$$\nx^2\n$$\n',
  lua: '--[[ note\nover ]]\nlocal s = [==[\ntext\n]==]\nfunction f(x) return x .. "a" end -- end\n',
  makefile: 'A = x \\\n  y\n.PHONY: all\nall: $(A)\n\t@echo "done" # note\ndefine B\ntext\nendef\n',
  markdown: '# Title\n\nText **bold\nover** [a](b)\n\n- item `code`\n\n> quote\n',
  matlab: "%{\nnote\n%}\nfunction y = f(x)\n  y = x' * [1, 2; 3 4]; % end\n  s = 'text';\nend\n",
  nginx:
    'server {\n  listen 80; # note\n  location ~ \\.php$ {\n    return 301 "https://$host";\n  }\n}\n',
  perl: 'use strict;\n=pod\nwords\n=cut\nmy $x = <<"EOF";\ntext $y\nEOF\nsub f { return qw(a\nb); } # end\n',
  php: "<?php\n/**\n * Doc\n */\nclass A {\n  function f() {\n    $x = <<<EOT\ntext $y\nEOT;\n    return 'over\nlines'; // end\n  }\n}\n",
  powershell:
    '<#\nnote\n#>\nfunction F {\n  param([string]$X)\n  $s = @"\ntext $X\n"@\n  Write-Host $s # end\n}\n',
  python:
    '@dec\nclass A(B):\n    """Doc\n    over lines\n    """\n    x = f"{1:>3}" # end\n    async def f(self, *a) -> int:\n        return 0x1F\n',
  r: '# note\nf <- function(x, ...) {\n  s <- \'over\n  lines\'\n  r"(raw\n text)"\n  x %>% g(TRUE, 1e-3)\n}\n',
  ruby: '=begin\nnote\n=end\nclass A < B\n  def f(x)\n    s = <<~EOS\n      text #{x}\n    EOS\n    %w[a\n    b].each { |y| puts :sym } # end\n  end\nend\n',
  rust: '/* note /* inner\n*/ over */\n#[derive(Debug)]\nstruct A<\'a> { x: &\'a str }\nfn f() -> u8 {\n  let s = r#"raw\n"text""#;\n  println!("{}", s); // end\n  1\n}\n',
  scala:
    '/** Doc\n * over */\nobject A extends B {\n  val s = """raw\n  text"""\n  def f[T](x: Int): T = x match { case 1 => s"$x" } // end\n}\n',
  scss: '$a: 1px;\n/* note\nover */\n.a {\n  &:hover { width: $a + 2; } // end\n  @include b(\n    $a);\n}\n',
  sql: "/* note\nover */\nSELECT a, COUNT(*) AS n\nFROM t -- end\nWHERE b = 'over\nlines' AND c IN (1, 2)\nGROUP BY a;\n",
  swift:
    '/* note /* inner\n*/ over */\nstruct A: B {\n  let s = """\n  text \\(x)\n  """\n  func f(_ x: Int) -> Int { return x } // end\n}\n',
  typescript:
    '/** Doc\n * over */\ninterface A<T> {\n  x?: string;\n}\nconst t = `over\n${1 as number} lines`;\nabstract class B implements A<string> {\n  @dec() private y: number = 1; // end\n}\n',
  xml: '<!DOCTYPE html>\n<!-- note\nover -->\n<a href="x"\n   class="over\nlines">text &amp;</a>\n<![CDATA[ raw\ndata ]]>\n',
  yaml: '# note\na:\n  - b: "text"\n    c: |\n      block\n      of text\n  - &x 12\nd: *x\n---\ne: >-\n  folded\n  text\n',
};
