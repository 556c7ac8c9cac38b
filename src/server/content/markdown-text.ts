/** Text as Markdown shows it letter by letter, on one line. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>()#+\-.!|~&$^:@]/g, (character, at: number, whole: string) =>
      isPlain(character, at, whole) ? character : `\\${character}`,
    )
}

/** Punctuation that means nothing where it stands; escaping it all would make text hard to read. */
function isPlain(character: string, at: number, whole: string): boolean {
  // As much as a word of three letters, or one letter of two units: a look at all of it would be one for each character.
  const before = whole.slice(Math.max(0, at - 3), at)
  const after = whole.slice(at + 1, at + 3)
  switch (character) {
    // A list begins with a number and one of these; GitHub makes links of words that begin with www.
    case '.':
    case ')':
      return !/^\d+$/.test(whole.slice(0, at)) && !/www$/i.test(before)
    case '(':
    case '{':
    case '}':
    case '$':
    case '^':
      return true
    case '-':
    case '+':
    case '#':
    case '>':
      return at > 0
    case '_':
      return /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after)
    case '!':
      return !after.startsWith('[')
    case '&':
      return !/^[#\w]/.test(after)
    // Bare addresses become links.
    case ':':
      return !after.startsWith('/')
    default:
      return false
  }
}

/** A block that shows text as it is; its fence is longer than any run of backticks in it. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

/** Text of one line as a paragraph, of several as a block that keeps them. */
export function asText(text: string): string {
  return /[\r\n]/.test(text) ? fenced(text, 'text') : escapeMarkdown(text)
}

/** A link; `url` is one that this program has made. */
export function markdownLink(label: string, url: string): string {
  const address = url.replaceAll(/[<>\s]/g, encodeURIComponent)
  return `[${escapeMarkdown(label)}](${/[()\\]/.test(address) ? `<${address}>` : address})`
}

type FrontValue = string | number | boolean | readonly string[] | null | undefined

/** YAML between two lines of hyphens; what is null or undefined is left out. JSON's strings are YAML's. */
export function frontMatter(fields: Record<string, FrontValue>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`${name}: ${yamlValue(value)}`],
  )
  return ['---', ...lines, '---'].join('\n')
}

function yamlValue(value: string | number | boolean | readonly string[]): string {
  // YAML knows no bare DEL, C1, line separators or non-characters, which JSON leaves as they are.
  return JSON.stringify(value).replaceAll(
    /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
