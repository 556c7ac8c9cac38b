import { escapeHtml } from '../content/escape-html.ts'

/** HTML that is as it should be: what `html` has made, or a sanitiser. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What stands in a template: text is escaped, nothing gives nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[]

/** What stands in a template between its values, by the template: a line break with its indent is one space. */
const shortened = new WeakMap<TemplateStringsArray, readonly string[]>()

function shorten(template: TemplateStringsArray): readonly string[] {
  const parts = template.map((part) => part.replaceAll(/\n\s+/g, ' '))
  shortened.set(template, parts)
  return parts
}

/**
 * Escapes every value; attributes stand in double quotes. What is indented in the template counts as a space; nothing in
 * a value changes.
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

/** Data for machines; nothing in it can end the element that holds it. */
export function jsonLd(data: object): Html {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return new Html(`<script type="application/ld+json">${json}</script>`)
}
