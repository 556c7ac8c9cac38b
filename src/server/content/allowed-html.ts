import sanitizeHtml from 'sanitize-html'

const linkSchemes = ['http', 'https', 'mailto']
const cell = ['align']

/** The one allow-list: every element and attribute that rendered Markdown may hold, in the desk and on the public pages. */
const policy: sanitizeHtml.IOptions = {
  allowedTags:
    'a blockquote br code del em h2 h3 h4 h5 h6 hr img li ol p pre span strong table tbody td th thead tr ul'.split(
      ' ',
    ),
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    img: ['data-picture', 'src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding'],
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

/** The address of a link as it is written into HTML; null for one that has to stay text. */
export function safeAddress(href: string): string | null {
  const url = URL.parse(href)
  return url !== null && linkSchemes.includes(url.protocol.slice(0, -1)) ? url.href : null
}
