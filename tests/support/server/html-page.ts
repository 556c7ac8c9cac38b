/** A public page as served, before a browser changes anything. */
export interface ReadPage {
  status: number
  headers: Headers
  text: string
  title: string
  canonical: string | null
  /** The content of a meta element by name or property, or null. */
  meta(name: string): string | null
  /** The `rel=alternate` links by media type. */
  alternate(type: string): string | null
  jsonLd: Record<string, unknown>[]
  links: string[]
}

const decode = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

const first = (text: string, pattern: RegExp): string | null => {
  const found = pattern.exec(text)?.[1]
  return found === undefined ? null : decode(found)
}

/** Requests a page like a browser, without following redirects. */
export async function readPage(address: string, init: RequestInit = {}): Promise<ReadPage> {
  const response = await fetch(address, {
    redirect: 'manual',
    ...init,
    headers: {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      ...(init.headers as Record<string, string>),
    },
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    title: first(text, /<title>([^<]*)<\/title>/) ?? '',
    canonical: first(text, /<link rel="canonical" href="([^"]*)"/),
    meta: (name) => first(text, new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`)),
    alternate: (type) =>
      first(
        text,
        new RegExp(`<link rel="alternate" type="${type.replaceAll('+', '\\+')}"[^>]* href="([^"]*)"`),
      ),
    jsonLd: [...text.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(
      ([, json]) => JSON.parse(json ?? '') as Record<string, unknown>,
    ),
    links: [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => decode(href ?? '')),
  }
}
