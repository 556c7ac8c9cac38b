import { countOf, defineCheck, inBinary, inBytes, inDigits, listWords } from './check.ts'
import type { Check, Found } from './check.ts'
import type { Mark, Marks } from './module-scan.ts'

const atByte = ({ offset }: Mark): string => `at byte ${inDigits(offset)}`

/** One finding for all marks of a kind, at the first of them. */
const about = (
  { total, digest, shown }: Marks,
  words: { title: string; show(mark: Mark): string; most?: number; reason: string; advice: string },
): Found[] => {
  const [first] = shown
  if (first === undefined) return []
  const { title, show, most = 3, reason, advice } = words
  const listed = shown.slice(0, most).map(show)
  const others = total - listed.length
  return [
    {
      place: inBytes(first.offset, first.length),
      title,
      reason: `${listWords(others > 0 ? [...listed, `${inDigits(others)} more`] : listed, most + 1)}. ${reason}`,
      advice,
      key: [digest],
    },
  ]
}

const quotedAt = (mark: Mark): string => `“${mark.text.slice(0, 90)}” ${atByte(mark)}`
const sizedAt = (mark: Mark): string => `${inBinary(mark.length)} ${atByte(mark)}`

export const dataChecks: readonly Check[] = [
  defineCheck({
    id: 'data-secret',
    severity: 'error',
    means: 'The data of the module has a private key or a token of a known service.',
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.secret, {
        title: 'The module holds what looks like a secret',
        show: (mark) => `${mark.text} ${atByte(mark)}`,
        reason: 'Whoever downloads the module has it too.',
        advice: 'Do not approve it. Tell the publisher to withdraw the secret: it is out already.',
      }),
  }),
  defineCheck({
    id: 'data-program',
    severity: 'warning',
    means: 'The data of the module has another program, a script or an archive in it.',
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.program, {
        title: 'The module carries another program or an archive',
        show: (mark) => `${mark.text} ${atByte(mark)}`,
        reason: 'The module cannot start it, but it can give it out, and nothing of it was checked.',
        advice: 'Look at the bytes under Inside. The readme has to say what it is for.',
      }),
  }),
  defineCheck({
    id: 'data-opaque',
    severity: 'warning',
    means: 'The data of the module has 64 KiB or more that look compressed, encrypted or random.',
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.opaque, {
        title: 'The module has data that nobody can read',
        show: sizedAt,
        reason: 'It looks compressed, encrypted or random. Pictures, fonts and models look so as well.',
        advice: 'The readme should say what it is. Where it does not, ask.',
      }),
  }),
  defineCheck({
    id: 'data-base64',
    severity: 'warning',
    means: 'The data of the module has 256 characters of base64 or more in one piece.',
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.base64, {
        title: 'The module has long base64 in its data',
        show: (mark) => `${countOf(mark.length, 'byte')} ${atByte(mark)}`,
        reason:
          'A program that carries data of its own has no need to write it as text; base64 hides it from a search.',
        advice: 'Decode it and look at what it is.',
      }),
  }),
  defineCheck({
    id: 'data-ip',
    severity: 'warning',
    means: 'The data of the module has IP addresses other than those of this computer.',
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.ip, {
        title: `The module has ${countOf(scan.ip.total, 'IP address', 'IP addresses')} in its data`,
        show: quotedAt,
        reason:
          'A skill here has no network of its own; an address is there for a reason. Some versions look like one.',
        advice: 'Look at the text around it under Inside, and ask what it is for.',
      }),
  }),
  defineCheck({
    id: 'data-address',
    severity: 'note',
    means: 'The data of the module has web addresses; names of formats do not count.',
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.address, {
        title: `The module has ${countOf(scan.address.total, 'web address', 'web addresses')} in its data`,
        show: quotedAt,
        reason: 'They may stand in messages and help texts. The module itself cannot open them.',
        advice: 'See whether they belong to the publisher or to a library.',
      }),
  }),
  defineCheck({
    id: 'data-path',
    severity: 'warning',
    means: 'The data of the module names files of secrets or shells: /etc/passwd, .ssh, /bin/sh.',
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.path, {
        title: 'The module names files that are none of its business',
        show: quotedAt,
        reason: 'It reaches only what it is given, but whoever gives it their home folder gives it these.',
        advice: 'Look at the text around it under Inside. Ask what the skill wants there.',
      }),
  }),
]
