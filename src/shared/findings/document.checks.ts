import { printable } from '../wasm/printable.ts'
import { hostOf, isHarmlessAddress, isIpHost, isShortener } from './addresses.ts'
import { countOf, defineCheck, inField, listWords } from './check.ts'
import type { Check, Found } from './check.ts'
import { wordsOf } from './fields.ts'
import { trimEndCharacters } from '../trim-characters.ts'

const readme = inField('readme')

/** Addresses in a Markdown text, without what ends the sentence around them; each once. */
const addressesIn = (text: string): string[] => {
  const found = text.match(/\bhttps?:\/\/[^\s<>"'`)\]]+/gi) ?? []
  return [...new Set(found.map((address) => trimEndCharacters(address, '.,;:!?')))]
}

const quoted = (addresses: readonly string[]): string =>
  listWords(
    addresses.map((address) => printable(address, 100)),
    4,
  )

/** A finding for the links of one kind; its judgement holds for exactly these. */
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

/** Only names with an end that people know for one of the web: `config.json` is none. */
const SHOWN_HOST =
  /^(?:https?:\/\/|www\.)?((?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|gov|edu|info|me|sh|ai|co|uk|de|fr|eu|us|jp|cn))(?=[/:?#]|$)/i

const isSameSite = (a: string, b: string): boolean => a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`)

const longestLabel = 300

/** Links of a Markdown text with their labels, of which each is read once. */
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
      // Without a label it is no link, and one may begin in what looked like its target.
      targets.lastIndex = found.index + 2
    }
  }
}

/** Links that show another place than the one to which they lead. */
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

/** Fewer new words than these tell nobody how to use something. */
const leastNewWords = 8

export const documentChecks: readonly Check[] = [
  defineCheck({
    id: 'readme-description',
    severity: 'warning',
    means: 'The readme says little more than the description.',
    find({ manifest }) {
      const known = new Set([...wordsOf(manifest.description), ...wordsOf(manifest.name)])
      const all = wordsOf(manifest.readme)
      const added = all.filter((word) => !known.has(word))
      const different = new Set(added).size
      if (different >= leastNewWords && added.length * 10 >= all.length * 3) return []
      return [
        {
          place: readme,
          title: 'The readme says little more than the description',
          reason: `Of its ${countOf(all.length, 'word')} ${different === 0 ? 'none is' : different === 1 ? 'only one is' : `only ${different} different ones are`} not in the name or the description, so nobody learns from it how to use the skill, what it does with wrong input, or where it ends.`,
          advice: 'Ask for a readme with a way to use it, its limits and its errors.',
          key: [manifest.description, manifest.readme],
        },
      ]
    },
  }),
  defineCheck({
    id: 'readme-markup',
    severity: 'warning',
    means: 'The readme has HTML or links that would run something where they are not taken out.',
    find({ manifest }) {
      const found = [...new Set(manifest.readme.match(active) ?? [])]
      if (found.length === 0) return []
      return [
        {
          place: readme,
          title: 'The readme has markup that can run',
          reason: `${listWords(
            found.map((part) => `“${printable(part, 60)}”`),
            4,
          )}: the desk and the public pages take it out; other programs that show the readme may not.`,
          advice: 'Find out what it is for. Reject it where it is no example in a code block.',
          key: found,
        },
      ]
    },
  }),
  defineCheck({
    id: 'readme-shell',
    severity: 'warning',
    means: 'The readme tells people to run what they have just downloaded.',
    find({ manifest }) {
      const commands = [...new Set(manifest.readme.match(pipesIntoShell) ?? [])]
      if (commands.length === 0) return []
      return [
        {
          place: readme,
          title: 'The readme has a command that runs a download',
          reason: `“${printable(commands[0] ?? '', 160)}”: whoever follows it runs a program on their computer that nobody has reviewed and that may be another one tomorrow.`,
          advice: 'Ask for the line to be left out; a skill needs no installation.',
          key: commands,
        },
      ]
    },
  }),
  defineCheck({
    id: 'link-disguised',
    severity: 'error',
    means: 'A link of the readme shows another site than the one to which it leads.',
    find({ manifest }) {
      const links = disguisedLinks(manifest.readme)
      if (links.length === 0) return []
      return [
        {
          place: readme,
          title: 'The readme has a link that leads elsewhere than it says',
          reason: `${listWords(
            links.map((link) => printable(link, 180)),
            2,
          )}.`,
          advice: 'Reject it unless both belong to the same publisher.',
          key: links,
        },
      ]
    },
  }),
  defineCheck({
    id: 'link-ip',
    severity: 'warning',
    means: 'A link of the readme leads to a number instead of a name.',
    find: ({ manifest }) =>
      aboutLinks(
        addressesIn(manifest.readme).filter(
          (address) => isIpHost(hostOf(address)) && !isHarmlessAddress(address),
        ),
        (count) => `The readme has ${count} to a bare IP address`,
        'nobody can tell whose computer that is, and it has no certificate of a name.',
        'Ask for the name of the site, or for the link to be left out.',
      ),
  }),
  defineCheck({
    id: 'link-shortener',
    severity: 'warning',
    means: 'A link of the readme goes through a shortener.',
    find: ({ manifest }) =>
      aboutLinks(
        addressesIn(manifest.readme).filter((address) => isShortener(hostOf(address))),
        (count) => `The readme has ${count} through a shortener`,
        'it leads wherever its owner wants, also after the review.',
        'Ask for the address to which it leads.',
      ),
  }),
  defineCheck({
    id: 'link-insecure',
    severity: 'note',
    means: 'A link of the readme begins with http: and not with https:.',
    find: ({ manifest }) =>
      aboutLinks(
        addressesIn(manifest.readme).filter(
          (address) => /^http:/i.test(address) && !isHarmlessAddress(address) && !isIpHost(hostOf(address)),
        ),
        (count) => `The readme has ${count} without encryption`,
        'on the way anybody can put another page in its place.',
        'Ask for https: in the next version.',
      ),
  }),
]
