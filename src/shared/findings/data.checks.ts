import { defineCheck, formatBinarySize, inBytes, listWords } from './define-check.ts'
import type { Check, Found } from './define-check.ts'
import type { Mark, Marks } from './module-scan.ts'
import { countOf, formatInteger } from '../text.ts'

const atByte = ({ offset }: Mark): string => `at byte ${formatInteger(offset)}`

/** One finding for all marks of a kind, located at the first one. */
const about = (
  { total, digest, shown }: Marks,
  options: { title: string; show(mark: Mark): string; max?: number; reason: string; advice: string },
): Found[] => {
  const [first] = shown
  if (first === undefined) return []
  const { title, show, max = 3, reason, advice } = options
  const listed = shown.slice(0, max).map(show)
  const others = total - listed.length
  return [
    {
      place: inBytes(first.offset, first.length),
      title,
      reason: `${listWords(others > 0 ? [...listed, `${formatInteger(others)} more`] : listed, max + 1)}. ${reason}`,
      advice,
      key: [digest],
    },
  ]
}

const quotedAt = (mark: Mark): string => `“${mark.text.slice(0, 90)}” ${atByte(mark)}`
const sizedAt = (mark: Mark): string => `${formatBinarySize(mark.length)} ${atByte(mark)}`

export const dataChecks: readonly Check[] = [
  defineCheck({
    id: 'data-secret',
    severity: 'error',
    means: "The module's data contains a private key or a token of a known service.",
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.secret, {
        title: 'The module contains what looks like a secret',
        show: (mark) => `${mark.text} ${atByte(mark)}`,
        reason: 'Anyone who downloads the module gets it too.',
        advice: 'Do not approve it. Tell the publisher to revoke the secret: it has already been exposed.',
      }),
  }),
  defineCheck({
    id: 'data-program',
    severity: 'warning',
    means: "The module's data contains another program, a script or an archive.",
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.program, {
        title: 'The module contains another program or an archive',
        show: (mark) => `${mark.text} ${atByte(mark)}`,
        reason: 'The module cannot run it but can output it, and its contents were not checked.',
        advice: 'Look at the bytes under Module. The readme should say what it is for.',
      }),
  }),
  defineCheck({
    id: 'data-opaque',
    severity: 'warning',
    means: "The module's data contains 64 KiB or more that look compressed, encrypted or random.",
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.opaque, {
        title: 'The module contains opaque data',
        show: sizedAt,
        reason: 'It looks compressed, encrypted or random. So do images, fonts and models.',
        advice: 'The readme should say what it is. If it does not, ask.',
      }),
  }),
  defineCheck({
    id: 'data-base64',
    severity: 'warning',
    means: "The module's data contains 256 or more consecutive characters of Base64.",
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.base64, {
        title: 'The module contains long Base64 text',
        show: (mark) => `${countOf(mark.length, 'byte')} ${atByte(mark)}`,
        reason: 'A program does not need to encode its own data as text, and Base64 hides it from a search.',
        advice: 'Decode it to see what it is.',
      }),
  }),
  defineCheck({
    id: 'data-ip',
    severity: 'warning',
    means: "The module's data contains IP addresses, except loopback, unspecified and broadcast addresses.",
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.ip, {
        title: `The module contains ${countOf(scan.ip.total, 'IP address', 'IP addresses')}`,
        show: quotedAt,
        reason:
          'A skill has no network access, so an address needs a reason. Some version numbers look like one.',
        advice: 'Look at the text around it under Module, and ask what it is for.',
      }),
  }),
  defineCheck({
    id: 'data-address',
    severity: 'note',
    means: "The module's data contains web addresses other than those of common formats.",
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.address, {
        title: `The module contains ${countOf(scan.address.total, 'web address', 'web addresses')}`,
        show: quotedAt,
        reason: 'Web addresses may be part of messages or help texts. The module itself cannot open them.',
        advice: 'Check whether they belong to the publisher or to a library.',
      }),
  }),
  defineCheck({
    id: 'data-path',
    severity: 'warning',
    means: "The module's data contains paths of secrets or shells, such as /etc/passwd, .ssh or /bin/sh.",
    needs: ['scan'],
    find: ({ scan }) =>
      about(scan.path, {
        title: 'The module contains paths of sensitive files',
        show: quotedAt,
        reason: 'It can only access folders that it is given, but a home folder includes files like these.',
        advice: 'Look at the text around them under Module, and ask what the skill needs them for.',
      }),
  }),
]
