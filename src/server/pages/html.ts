import { escapeHtml } from '../content/escape-html.ts'

/** Safe HTML: made by `html` or by a sanitizer. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template: text is escaped; null, undefined and false render as nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[]

/** The static parts of each template, with a line break and its indent reduced to one space. */
const shortened = new WeakMap<TemplateStringsArray, readonly string[]>()

function shorten(template: TemplateStringsArray): readonly string[] {
  const parts = template.map((part) => part.replaceAll(/\n\s+/g, ' '))
  shortened.set(template, parts)
  return parts
}

/**
 * Escapes every value; attributes must be in double quotes. A line break with its indent becomes one space in the
 * template, and is kept in values.
 */
export function html(template: TemplateStringsArray, ...values: readonly Content[]): Html {
  const parts = shortened.get(template) ?? shorten(template)
  let text = parts[0] ?? ''
  for (const [index, value] of values.entries()) text += textOf(value) + (parts[index + 1] ?? '')
  return new Html(text)
}

function textOf(value: Content): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return value.map(textOf).join('')
}

/** A JSON-LD script; nothing in the data can close its element. */
export function jsonLd(data: object): Html {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return new Html(`<script type="application/ld+json">${json}</script>`)
}
