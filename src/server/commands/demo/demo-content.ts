import type { Role } from '../../../shared/contracts/people.ts'
import type { SkillManifest } from '../../../shared/contracts/manifest.ts'

/** A number of days ago (at least 1) at a time of day in UTC, or a number of minutes ago (fewer than 480). */
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
  /** The readme's text about this version. */
  news: string
  /** What this version's manifest had instead of the folder's. */
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
    manifest: {
      readme:
        '# csv-to-json\n\nConverts CSV (RFC 4180) into a JSON array. The first row contains the member names. Each row after it becomes one object, on a line of its own.\n\nAll values are strings: `007` and `1e5` are not converted to numbers. Invalid input ends the run with exit code 2, and standard error names the line and the reason.',
    },
    decisions: [
      approved(
        [24, '10:20'],
        'Checked quotes, CR LF and the empty table by hand against RFC 4180. Imports only reading and writing.',
      ),
      revoked(
        [18, '08:55'],
        "This version's readme gives no memory limit, and a pipeline ran out of memory. Use 1.0.0, which says what to plan for.",
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
        'Every byte value and all three paddings match coreutils. Clear readme, thank you.',
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
        'Ran the published test numbers and a few IMEIs; all results are correct. Nothing is stored or sent.',
      ),
    ],
  },
  {
    skill: 'json-minify',
    version: '1.0.0',
    by: 'tomas',
    at: [23, '13:18'],
    news: 'First release.',
    manifest: { description: 'Validates JSON and removes the whitespace between its tokens.' },
    decisions: [
      rejected(
        [22, '09:32'],
        'The description promises validation, but the module accepts [1 2] and writes [12]. Describe what it does, or validate, and submit a new version.',
      ),
    ],
  },
  {
    skill: 'word-count',
    version: '0.8.0',
    by: 'tomas',
    at: [22, '10:11'],
    news: 'First release, as a preview: member names may still change.',
    decisions: [
      approved(
        [21, '14:40'],
        'Matches wc -lwm on our corpus, and handles Unicode whitespace as well. Fine as a preview.',
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
        'Description and behavior match now, and the readme warns in the right place. Approved.',
      ),
    ],
  },
  {
    skill: 'hex-dump',
    version: '0.9.0',
    by: 'rita',
    at: [21, '16:44'],
    news: 'Work in progress.',
    manifest: { readme: 'Shows bytes in hex. More documentation to come.' },
    decisions: [
      rejected(
        [20, '08:30'],
        'The readme does not explain the line layout. Please describe the columns and the last line.',
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
        'Compared with hexdump -C for lengths 0 to 64; identical except for the folding that the readme explains.',
      ),
    ],
  },
  {
    skill: 'csv-to-json',
    version: '1.0.0',
    by: 'tomas',
    at: [19, '09:20'],
    news: 'The readme says how much memory a table takes. Duplicate column names are refused.',
    decisions: [
      approved(
        [18, '08:49'],
        'Duplicate columns are refused with the line number, as promised. The readme now covers memory as well.',
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
        'Checked forty numbers from our shelves, ten of them with a wrong digit. All results are correct.',
      ),
      revoked(
        [9, '11:15'],
        "Revoked at the publisher's request: please use 1.1.0, which only accepts the prefixes 978 and 979.",
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
        '# crc32\n\nWrites the CRC-32 of its input as eight hexadecimal digits. Use it to check that nobody tampered with a file in transit.',
    },
    decisions: [
      approved(
        [17, '16:21'],
        'Produces the check value cbf43926, and matches gzip for a megabyte of data. Small and to the point.',
      ),
      revoked(
        [15, '09:40'],
        'I missed that the readme recommends a CRC against tampering, which it cannot prevent. 1.0.1 corrects that; the module itself is fine.',
      ),
    ],
  },
  {
    skill: 'rot13',
    version: '1.0.0',
    by: 'rita',
    at: [16, '12:00'],
    news: 'First release.',
    manifest: { description: 'Encrypts text so that only someone with the key can read it.' },
    decisions: [
      rejected(
        [16, '15:48'],
        'ROT13 is not encryption and has no key. Someone might trust it with a password; please rewrite the description.',
      ),
    ],
  },
  {
    skill: 'rot13',
    version: '1.0.1',
    by: 'rita',
    at: [15, '08:25'],
    news: 'The description no longer claims encryption.',
    decisions: [
      approved([15, '09:31'], 'Good. The bold warning in the readme is better than what I asked for.'),
    ],
  },
  {
    skill: 'crc32',
    version: '1.0.1',
    by: 'tomas',
    at: [15, '09:12'],
    news: 'The readme says what a checksum is good for and what it cannot do.',
    decisions: [
      approved(
        [15, '09:38'],
        'Only the readme has changed, and it now points people to SHA-2 for integrity. Approved.',
      ),
    ],
  },
  {
    skill: 'word-count',
    version: '0.9.0',
    by: 'tomas',
    at: [14, '17:20'],
    news: 'Member names are final.',
    decisions: [
      approved(
        [13, '08:58'],
        'Members renamed as announced in 0.8.0, and the examples updated. I found no other change.',
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
        'Leap days in 2000, 2024 and 2100 are correct, and so is the last second of 9999.',
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
        'Same behavior on my samples; the new warning about echo will save someone an hour.',
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
        'Tested ranges pasted from two spreadsheets, with quotes, commas and an empty last column. The result opens cleanly.',
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
        'We cannot redistribute a skill under this license: other teams run it too. Choose one with an SPDX identifier, such as Apache-2.0.',
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
        'License settled. All 3999 numerals are correct, and IIII is refused as the readme says.',
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
      approved(
        [9, '11:02'],
        'The EAN of my coffee is no longer accepted as an ISBN. Everything else is unchanged.',
      ),
    ],
  },
  {
    skill: 'luhn-check',
    version: '1.1.0',
    by: 'rita',
    at: [8, '09:55'],
    news: 'Hyphens are ignored like spaces, so IMEIs can be pasted as printed.',
    decisions: [
      approved(
        [7, '13:11'],
        'Hyphens work anywhere, and letters are still refused with exit code 2. There is a new example with an IMEI.',
      ),
    ],
  },
  {
    skill: 'hex-dump',
    version: '1.0.1',
    by: 'rita',
    at: [7, '10:40'],
    news: 'The readme explains the differences from hexdump.',
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
    news: 'Input that is not UTF-8 is refused, with the position of the first invalid byte.',
    decisions: [
      approved(
        [5, '16:35'],
        'Fed it Latin-1 and a truncated emoji: exit code 2 and the right position each time. Ready for 1.0.',
      ),
    ],
  },
  {
    skill: 'unix-time',
    version: '1.0.1',
    by: 'rita',
    at: [5, '11:13'],
    news: 'The readme gives the range and explains that Unix time has no leap seconds.',
    decisions: [
      approved([4, '10:09'], 'Checked both ends of the range that the readme now gives. Approved.'),
    ],
  },
  {
    skill: 'csv-to-json',
    version: '1.0.1',
    by: 'tomas',
    at: [4, '14:31'],
    news: 'Ignores a leading UTF-8 byte order mark.',
    decisions: [
      approved(
        [3, '09:22'],
        'Files saved by common spreadsheets no longer get an odd first column name. Nothing else changed.',
      ),
    ],
  },
  {
    skill: 'json-minify',
    version: '1.0.2',
    by: 'tomas',
    at: [3, '15:15'],
    news: 'The readme says that numbers and escapes are kept byte for byte.',
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
    news: 'An example shows that letters beyond ASCII are left unchanged.',
    decisions: [
      approved([1, '09:18'], 'The example with umlauts runs as written. I found no change in the code.'),
    ],
  },
  {
    skill: 'tsv-to-csv',
    version: '1.1.0',
    by: 'tomas',
    at: [1, '10:36'],
    news: 'A carriage return counts as part of a line break only before a line feed.',
    decisions: [],
  },
  {
    skill: 'crc32',
    version: '1.1.0',
    by: 'tomas',
    at: [1, '14:58'],
    news: 'Uses one page of memory, whatever the length of the input.',
    decisions: [],
  },
  {
    skill: 'roman-to-decimal',
    version: '1.1.0',
    by: 'tomas',
    at: 334,
    news: 'Accepts lowercase letters.',
    decisions: [],
  },
  {
    skill: 'base64-encode',
    version: '1.1.0',
    by: 'rita',
    at: 152,
    news: 'Processes input of any length in chunks of 48 KiB.',
    decisions: [],
  },
  {
    skill: 'isbn-check',
    version: '1.2.0',
    by: 'rita',
    at: 41,
    news: 'Accepts a lowercase x as the check digit, as some catalogs print it.',
    decisions: [],
  },
]
