import { isTooDeep } from '../../../src/server/content/nesting-depth.ts'
import { markdownToHtml } from '../../../src/server/content/markdown-to-html.ts'
import { ascii, assert, textOf } from '../fuzz-target.ts'
import type { Target } from '../fuzz-target.ts'

/** What a browser would run or load from elsewhere, inside a tag. */
const unsafeTag =
  /<(?:script|style|iframe|object|embed|form|meta|link|svg|base)\b|<[a-z][^>]*\s(?:on[a-z]+|style|srcdoc)=|<[a-z][^>]*\s(?:href|src)="\s*(?:javascript|data|vbscript):/i

export function markdownTarget(): Target {
  return {
    batchSize: 100,
    seeds: [
      ascii(
        '# Title\n\nA *text* with [a link](https://example.com "title"), `code` and ![an image](image:abc).\n\n- one\n  1. two\n\n> quoted\n\n```js\nlet x\n```\n',
      ),
      ascii(
        '| a | b |\n| --- | :-: |\n| 1 | <b onclick="x()">2</b> |\n\n[x]: javascript:alert(1)\n\n[x] <script>alert(1)</script>\n',
      ),
    ],
    words: [
      '<script>',
      'javascript:',
      '](',
      '![',
      '```',
      '&#x6A;',
      '<a href="',
      ' onerror=',
      '> ',
      '- ',
      '\n\n',
      '**',
      '[x]: ',
      '<!--',
      '~~',
      '<https://',
    ],
    read(bytes) {
      // Converted in a worker that is terminated after a while, so only short texts must be quick.
      const text = textOf(bytes).slice(0, 4000)
      if (isTooDeep(text)) return
      for (const { html } of markdownToHtml(text, {})) assert(!unsafeTag.test(html), `unsafe HTML: ${html}`)
    },
  }
}
