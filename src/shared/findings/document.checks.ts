import { printable } from '../wasm/printable.ts'
import { hostOf, isHarmlessAddress, isIpHost, isShortener } from './addresses.ts'
import { defineCheck, inField, listWords } from './define-check.ts'
import type { Check, Found } from './define-check.ts'
import { wordsOf } from './fields.ts'
import { trimEndCharacters } from '../trim-characters.ts'
import { countOf } from '../text.ts'

const readme = inField('readme')

/** Distinct addresses in a Markdown text, without trailing punctuation. */
const addressesIn = (text: string): string[] => {
  const found = text.match(/\bhttps?:\/\/[^\s<>"'`)\]]+/gi) ?? []
  return [...new Set(found.map((address) => trimEndCharacters(address, '.,;:!?')))]
}

const quoted = (addresses: readonly string[]): string =>
  listWords(
    addresses.map((address) => printable(address, 100)),
    4,
  )

/** A finding for all links of one kind. A dismissal applies to exactly these links. */
const aboutLinks = (
  links: readonly string[],
  title: (count: string) => string,
  reason: string,
  advice: string,
): Found[] =>
  links.length === 0
    ? []
    : [
        {
          place: readme,
          title: title(countOf(links.length, 'link')),
          reason: `${quoted(links)}: ${reason}`,
          advice,
          key: links.toSorted(),
        },
      ]

/** Only names with a well-known top-level domain, so that `config.json` does not match. */
const SHOWN_HOST =
  /^(?:https?:\/\/|www\.)?((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|gov|edu|info|me|sh|ai|co|uk|de|fr|eu|us|jp|cn))(?=[/:?#]|$)/i

const isSameSite = (a: string, b: string): boolean => a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`)

const longestLabel = 300

/** The links of a Markdown text with their labels. Takes linear time. */
function* linksIn(text: string): Generator<{ label: string; target: string }> {
  const targets = /\]\(\s*<?(https?:\/\/[^\s)>]{1,500})/gi
  let from = 0
  for (let found = targets.exec(text); found !== null; found = targets.exec(text)) {
    const [whole, target = ''] = found
    const before = text.slice(Math.max(from, found.index - longestLabel - 1), found.index)
    const start = before.indexOf('[', Math.max(before.lastIndexOf(']'), before.lastIndexOf('\n')) + 1)
    if (start >= 0 && start + 1 < before.length) {
      yield { label: before.slice(start + 1), target }
      from = found.index + whole.length
    } else {
      // Without a label it is not a link, and one may start within what looked like its target.
      targets.lastIndex = found.index + 2
    }
  }
}

/** Links whose label shows a different site than their target. */
const disguisedLinks = (text: string): string[] => {
  const disguised: string[] = []
  for (const { label, target } of linksIn(text)) {
    const shown = SHOWN_HOST.exec(label.replaceAll(/[`*_]/g, '').trim())?.[1]?.toLowerCase()
    if (shown !== undefined && !isSameSite(shown.replace(/^www\./, ''), hostOf(target))) {
      disguised.push(`“${label.trim()}” leads to ${target}`)
    }
  }
  const withUser = addressesIn(text).filter((address) => /^https?:\/\/[^/?#]*@/i.test(address))
  return [...disguised, ...withUser.map((address) => `${address} leads to ${hostOf(address)}`)]
}

const active =
  /<(?:script|iframe|object|embed|form|meta|link|base)\b|\bjavascript:|\bdata:text\/html|<[a-z][^>\n]{0,200}\son[a-z]{3,20}\s*=/gi

const pipesIntoShell =
  /\b(?:curl|wget|fetch|iwr|invoke-webrequest)\b[^\n|]{0,300}\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k|fi)?sh|python3?|node|iex|invoke-expression)\b|\beval\s*["']?\$\((?:curl|wget)\b|\b(?:ba)?sh\s+(?:-c\s+["']?\$|<)\((?:curl|wget)\b/gi

/** Fewer new words cannot explain how to use a skill. */
const minNewWords = 8

export const documentChecks: readonly Check[] = [
  defineCheck({
    id: 'readme-description',
    severity: 'warning',
    means: 'The readme adds little to the description.',
    find({ manifest }) {
      const known = new Set([...wordsOf(manifest.description), ...wordsOf(manifest.name)])
      const all = wordsOf(manifest.readme)
      const added = all.filter((word) => !known.has(word))
      const different = new Set(added).size
      if (different >= minNewWords && added.length * 10 >= all.length * 3) return []
      return [
        {
          place: readme,
          title: 'The readme adds little to the description',
          reason: `Of its ${countOf(all.length, 'word')}, ${different === 0 ? 'none is' : different === 1 ? 'only one is' : `only ${different} different ones are`} new compared with the name and the description. Users cannot learn how to use the skill, how it handles invalid input, or what its limits are.`,
          advice: 'Ask for a readme that explains usage, limits and errors.',
          key: [manifest.description, manifest.readme],
        },
      ]
    },
  }),
  defineCheck({
    id: 'readme-markup',
    severity: 'warning',
    means: 'The readme contains HTML or links that can run code unless they are sanitized.',
    find({ manifest }) {
      const found = [...new Set(manifest.readme.match(active) ?? [])]
      if (found.length === 0) return []
      return [
        {
          place: readme,
          title: 'The readme contains active markup',
          reason: `${listWords(
            found.map((part) => `“${printable(part, 60)}”`),
            4,
          )}: the desk and the public pages remove it, but other programs that show the readme may not.`,
          advice: 'Find out what it is for. Reject it unless it is an example in a code block.',
          key: found,
        },
      ]
    },
  }),
  defineCheck({
    id: 'readme-shell',
    severity: 'warning',
    means: 'The readme tells users to download a script and run it.',
    find({ manifest }) {
      const commands = [...new Set(manifest.readme.match(pipesIntoShell) ?? [])]
      if (commands.length === 0) return []
      return [
        {
          place: readme,
          title: 'The readme contains a command that runs a download',
          reason: `“${printable(commands[0] ?? '', 160)}” runs a program that was not reviewed and may change at any time.`,
          advice: 'Ask the publisher to remove the command. A skill needs no install script.',
          key: commands,
        },
      ]
    },
  }),
  defineCheck({
    id: 'link-disguised',
    severity: 'error',
    means: 'A link in the readme shows a different site than the one it leads to.',
    find({ manifest }) {
      const links = disguisedLinks(manifest.readme)
      if (links.length === 0) return []
      return [
        {
          place: readme,
          title: 'The readme contains a disguised link',
          reason: `${listWords(
            links.map((link) => printable(link, 180)),
            2,
          )}.`,
          advice: 'Reject it unless both sites belong to the same publisher.',
          key: links,
        },
      ]
    },
  }),
  defineCheck({
    id: 'link-ip',
    severity: 'warning',
    means: 'A link in the readme leads to an IP address instead of a host name.',
    find: ({ manifest }) =>
      aboutLinks(
        addressesIn(manifest.readme).filter(
          (address) => isIpHost(hostOf(address)) && !isHarmlessAddress(address),
        ),
        (count) => `The readme contains ${count} to a bare IP address`,
        'users cannot tell who runs that server.',
        'Ask for a host name, or for the link to be removed.',
      ),
  }),
  defineCheck({
    id: 'link-shortener',
    severity: 'warning',
    means: 'A link in the readme uses a URL shortener.',
    find: ({ manifest }) =>
      aboutLinks(
        addressesIn(manifest.readme).filter((address) => isShortener(hostOf(address))),
        (count) => `The readme contains ${count} through a URL shortener`,
        'the target can change after the review.',
        'Ask for the address it leads to.',
      ),
  }),
  defineCheck({
    id: 'link-insecure',
    severity: 'note',
    means: 'A link in the readme uses http: instead of https:.',
    find: ({ manifest }) =>
      aboutLinks(
        addressesIn(manifest.readme).filter(
          (address) => /^http:/i.test(address) && !isHarmlessAddress(address) && !isIpHost(hostOf(address)),
        ),
        (count) => `The readme contains ${count} without encryption`,
        'an attacker on the network could replace the page.',
        'Ask for https: in the next version.',
      ),
  }),
]
