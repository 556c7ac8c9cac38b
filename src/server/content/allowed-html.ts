import sanitizeHtml from 'sanitize-html'

const linkSchemes = ['http', 'https', 'mailto']
const cell = ['align']

/** The only allow-list: all elements and attributes of rendered Markdown, in the desk and on public pages. */
const policy: sanitizeHtml.IOptions = {
  allowedTags:
    'a blockquote br code del em h2 h3 h4 h5 h6 hr img li ol p pre span strong table tbody td th thead tr ul'.split(
      ' ',
    ),
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    img: ['data-image', 'src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
    code: ['class'],
    span: ['class'],
    pre: ['tabindex'],
    ol: ['start'],
    td: cell,
    th: cell,
  },
  allowedClasses: {
    code: [/^language-[\w+#.-]+$/],
    span: ['hidden-character', 'lines', 'pending-upload'],
  },
  allowedSchemes: linkSchemes,
  allowProtocolRelative: false,
}

export function sanitize(html: string): string {
  return sanitizeHtml(html, policy)
}

/** The normalized address of a link; null if it must not become a link. */
export function safeAddress(href: string): string | null {
  const url = URL.parse(href)
  return url !== null && linkSchemes.includes(url.protocol.slice(0, -1)) ? url.href : null
}
