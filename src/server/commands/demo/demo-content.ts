import type { Role } from '../../../shared/contracts/people.ts'
import type { SkillManifest } from '../../../shared/contracts/releases.ts'

/** So many days ago at a time of day in UTC (the day is at least 1), or so many minutes ago (fewer than 480). */
export type Moment = readonly [days: number, time: string] | number

export interface DemoPerson {
  subject: string
  name: string
  role: Role
  joined: Moment
}

export interface DemoDecision {
  action: 'approved' | 'rejected' | 'revoked'
  at: Moment
  reason: string
}

export interface DemoRelease {
  /** A folder of resources/skills. */
  skill: string
  version: string
  by: 'tomas' | 'rita'
  at: Moment
  /** What the readme says about this version. */
  news: string
  /** Where this version's manifest was another one than that of the folder. */
  manifest?: Partial<SkillManifest>
  decisions: readonly DemoDecision[]
}

export const demoAdministrator = 'marta'

export const demoPeople: readonly DemoPerson[] = [
  { subject: 'marta', name: 'Marta Okafor', role: 'administrator', joined: [27, '08:12'] },
  { subject: 'tomas', name: 'Tomáš Novák', role: 'developer', joined: [26, '14:05'] },
  { subject: 'rita', name: 'Rita Alvarez', role: 'developer', joined: [26, '14:09'] },
]

const approved = (at: Moment, reason: string): DemoDecision => ({ action: 'approved', at, reason })
const rejected = (at: Moment, reason: string): DemoDecision => ({ action: 'rejected', at, reason })
const revoked = (at: Moment, reason: string): DemoDecision => ({ action: 'revoked', at, reason })

/** In the order of submission. */
export const demoReleases: readonly DemoRelease[] = [
  {
    skill: 'csv-to-json',
    version: '0.9.0',
    by: 'tomas',
    at: [25, '09:41'],
    news: 'First release.',
    decisions: [
      approved(
        [24, '10:20'],
        'Quotes, CR LF and the empty table checked by hand against RFC 4180. Imports are reading and writing only.',
      ),
      revoked(
        [18, '08:55'],
        'The readme of this version names no limit for memory, and a pipeline ran out of it. 1.0.0 says what to plan for; use that.',
      ),
    ],
  },
  {
    skill: 'base64-encode',
    version: '1.0.0',
    by: 'rita',
    at: [25, '11:02'],
    news: 'First release.',
    decisions: [
      approved(
        [24, '10:47'],
        'Every byte value and all three paddings agree with coreutils. Clear readme, thank you.',
      ),
    ],
  },
  {
    skill: 'luhn-check',
    version: '1.0.0',
    by: 'rita',
    at: [24, '15:30'],
    news: 'First release.',
    decisions: [
      approved(
        [23, '09:05'],
        'Ran the published test numbers and a few IMEIs; the answers are right. Nothing is stored or sent.',
      ),
    ],
  },
  {
    skill: 'json-minify',
    version: '1.0.0',
    by: 'tomas',
    at: [23, '13:18'],
    news: 'First release.',
    manifest: { description: 'Validates JSON and removes the white space between its tokens.' },
    decisions: [
      rejected(
        [22, '09:32'],
        'The description promises validation, but the module takes [1 2] and writes [12]. Say what it does, or validate; then send it as a new version.',
      ),
    ],
  },
  {
    skill: 'word-count',
    version: '0.8.0',
    by: 'tomas',
    at: [22, '10:11'],
    news: 'First release, as a preview: the names of the members may still change.',
    decisions: [
      approved(
        [21, '14:40'],
        'Agrees with wc -lwm on our corpus, and with Unicode white space on top. Fine as a preview.',
      ),
    ],
  },
  {
    skill: 'json-minify',
    version: '1.0.1',
    by: 'tomas',
    at: [22, '11:26'],
    news: 'The description no longer promises validation.',
    decisions: [
      approved(
        [21, '14:52'],
        'Description and behaviour agree now, and the readme warns in the right place. Approved.',
      ),
    ],
  },
  {
    skill: 'hex-dump',
    version: '0.9.0',
    by: 'rita',
    at: [21, '16:44'],
    news: 'Work in progress.',
    manifest: { readme: 'Shows bytes in hex. More text will follow.' },
    decisions: [
      rejected(
        [20, '08:30'],
        'A reader cannot tell from this readme how the lines are laid out. Please describe the columns and the last line.',
      ),
    ],
  },
  {
    skill: 'hex-dump',
    version: '1.0.0',
    by: 'rita',
    at: [20, '10:15'],
    news: 'The readme describes the columns.',
    decisions: [
      approved(
        [20, '15:03'],
        'Compared with hexdump -C for lengths 0 to 64, identical apart from the fold that the readme explains.',
      ),
    ],
  },
  {
    skill: 'csv-to-json',
    version: '1.0.0',
    by: 'tomas',
    at: [19, '09:20'],
    news: 'The readme says how much memory a table takes. Names that stand twice in the header are refused.',
    decisions: [
      approved(
        [18, '08:49'],
        'Duplicate columns are refused with the line number, as promised. The note on memory is what was missing.',
      ),
    ],
  },
  {
    skill: 'isbn-check',
    version: '1.0.0',
    by: 'rita',
    at: [18, '13:37'],
    news: 'First release.',
    decisions: [
      approved(
        [17, '09:10'],
        'Checked with forty numbers from our shelves, ten of them with a wrong digit. All answers are right.',
      ),
      revoked(
        [9, '11:15'],
        'Withdrawn on the wish of the publisher, who wants people to take 1.1.0 with its stricter readme.',
      ),
    ],
  },
  {
    skill: 'crc32',
    version: '1.0.0',
    by: 'tomas',
    at: [17, '10:58'],
    news: 'First release.',
    manifest: {
      readme:
        '# crc32\n\nWrites the CRC-32 of everything it reads, in eight hexadecimal digits. Use it to make sure that nobody has changed a file on the way.',
    },
    decisions: [
      approved(
        [17, '16:21'],
        'The check value cbf43926 comes out, and a megabyte agrees with gzip. Small and to the point.',
      ),
      revoked(
        [15, '09:40'],
        'I overlooked that the readme recommends a CRC against tampering, which it cannot stop. 1.0.1 puts that right; the module itself is sound.',
      ),
    ],
  },
  {
    skill: 'rot13',
    version: '1.0.0',
    by: 'rita',
    at: [16, '12:00'],
    news: 'First release.',
    manifest: { description: 'Encrypts a text so that nobody without the key can read it.' },
    decisions: [
      rejected(
        [16, '15:48'],
        'ROT13 is not encryption and has no key. Somebody may trust this sentence with a password; please rewrite it.',
      ),
    ],
  },
  {
    skill: 'rot13',
    version: '1.0.1',
    by: 'rita',
    at: [15, '08:25'],
    news: 'Describes itself honestly.',
    decisions: [
      approved(
        [15, '09:31'],
        'Good, and the bold warning in the readme is better than what I had asked for.',
      ),
    ],
  },
  {
    skill: 'crc32',
    version: '1.0.1',
    by: 'tomas',
    at: [15, '09:12'],
    news: 'The readme says what a checksum is good for, and what not.',
    decisions: [
      approved(
        [15, '09:38'],
        'Only the readme has changed, and it now sends people to SHA-2 for what they meant. Approved.',
      ),
    ],
  },
  {
    skill: 'word-count',
    version: '0.9.0',
    by: 'tomas',
    at: [14, '17:20'],
    news: 'The names of the members are final.',
    decisions: [
      approved(
        [13, '08:58'],
        'Members renamed as announced in 0.8.0, examples updated with them. No other change found.',
      ),
    ],
  },
  {
    skill: 'unix-time',
    version: '1.0.0',
    by: 'rita',
    at: [13, '10:33'],
    news: 'First release.',
    decisions: [
      approved(
        [12, '09:15'],
        'Leap days of 2000, 2024 and 2100 are right, and so is the last second of 9999.',
      ),
    ],
  },
  {
    skill: 'base64-encode',
    version: '1.0.1',
    by: 'rita',
    at: [12, '14:14'],
    news: 'The readme shows how a trailing line feed changes the result.',
    decisions: [
      approved(
        [11, '10:02'],
        'Same behaviour on my samples; the added warning about echo will save somebody an hour.',
      ),
    ],
  },
  {
    skill: 'tsv-to-csv',
    version: '1.0.0',
    by: 'tomas',
    at: [12, '16:50'],
    news: 'First release.',
    decisions: [
      approved(
        [11, '10:24'],
        'Pasted ranges from two spreadsheets, with quotes, commas and an empty last column. The result opens cleanly.',
      ),
    ],
  },
  {
    skill: 'roman-to-decimal',
    version: '1.0.0',
    by: 'tomas',
    at: [11, '11:47'],
    news: 'First release.',
    manifest: { license: 'free for personal use' },
    decisions: [
      rejected(
        [10, '09:00'],
        'That is no licence that we can pass on: other teams run these skills too. Choose one with an SPDX name, Apache-2.0 for example.',
      ),
    ],
  },
  {
    skill: 'roman-to-decimal',
    version: '1.0.1',
    by: 'tomas',
    at: [10, '13:29'],
    news: 'Licensed under Apache-2.0.',
    decisions: [
      approved(
        [9, '10:41'],
        'Licence settled. All 3999 numerals come out right, and IIII is refused as the readme says.',
      ),
    ],
  },
  {
    skill: 'isbn-check',
    version: '1.1.0',
    by: 'rita',
    at: [10, '15:06'],
    news: 'Only the prefixes 978 and 979 count as an ISBN-13; other EAN numbers are invalid.',
    decisions: [
      approved([9, '11:02'], 'The EAN of my coffee is no longer a book. Everything else answers as before.'),
    ],
  },
  {
    skill: 'luhn-check',
    version: '1.1.0',
    by: 'rita',
    at: [8, '09:55'],
    news: 'Hyphens are ignored as spaces are, so IMEIs may be pasted as they are printed.',
    decisions: [
      approved(
        [7, '13:11'],
        'Hyphens work in any place, letters are still refused with exit code 2. Example added for the IMEI.',
      ),
    ],
  },
  {
    skill: 'hex-dump',
    version: '1.0.1',
    by: 'rita',
    at: [7, '10:40'],
    news: 'The readme says how it differs from hexdump.',
    decisions: [
      approved(
        [7, '13:26'],
        'Output unchanged on the files from the last review. The sentence on folding is helpful.',
      ),
    ],
  },
  {
    skill: 'word-count',
    version: '1.0.0',
    by: 'tomas',
    at: [6, '09:08'],
    news: 'Input that is not UTF-8 is refused, with the place where it stops making sense.',
    decisions: [
      approved(
        [5, '16:35'],
        'Fed it Latin-1 and a cut emoji: exit code 2 and the right byte each time. Ready for 1.0.',
      ),
    ],
  },
  {
    skill: 'unix-time',
    version: '1.0.1',
    by: 'rita',
    at: [5, '11:13'],
    news: 'The readme names the range and says that leap seconds do not exist in Unix time.',
    decisions: [
      approved([4, '10:09'], 'Checked both ends of the range that the readme now names. Approved.'),
    ],
  },
  {
    skill: 'csv-to-json',
    version: '1.0.1',
    by: 'tomas',
    at: [4, '14:31'],
    news: 'Drops a UTF-8 byte order mark at the start.',
    decisions: [
      approved(
        [3, '09:22'],
        'Files saved by the usual spreadsheet work without an odd first column name now. Nothing else differs.',
      ),
    ],
  },
  {
    skill: 'json-minify',
    version: '1.0.2',
    by: 'tomas',
    at: [3, '15:15'],
    news: 'The readme says that numbers and escapes stay byte for byte.',
    decisions: [
      approved(
        [2, '08:47'],
        'Confirmed with 1e21 and 1.10, which a round trip through a parser would have rewritten.',
      ),
    ],
  },
  {
    skill: 'rot13',
    version: '1.1.0',
    by: 'rita',
    at: [2, '16:02'],
    news: 'An example shows that letters beyond ASCII stay as they are.',
    decisions: [
      approved(
        [1, '09:18'],
        'The example with umlauts runs as written. No change in the code that I could find.',
      ),
    ],
  },
  {
    skill: 'tsv-to-csv',
    version: '1.1.0',
    by: 'tomas',
    at: [1, '10:36'],
    news: 'A carriage return counts as part of a line end only in front of a line feed.',
    decisions: [],
  },
  {
    skill: 'crc32',
    version: '1.1.0',
    by: 'tomas',
    at: [1, '14:58'],
    news: 'Works in one page of memory whatever the length of the input.',
    decisions: [],
  },
  {
    skill: 'roman-to-decimal',
    version: '1.1.0',
    by: 'tomas',
    at: 334,
    news: 'Small letters are read like capitals.',
    decisions: [],
  },
  {
    skill: 'base64-encode',
    version: '1.1.0',
    by: 'rita',
    at: 152,
    news: 'Input of any length is worked through in pieces of 48 KiB.',
    decisions: [],
  },
  {
    skill: 'isbn-check',
    version: '1.2.0',
    by: 'rita',
    at: 41,
    news: 'A small x is taken for the check digit, as some catalogues print it.',
    decisions: [],
  },
]
