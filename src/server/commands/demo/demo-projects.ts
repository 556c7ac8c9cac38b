import type { DemoProject } from './demo-texts.ts'

export const demoProjects: readonly DemoProject[] = [
  {
    title: 'Garden weather station',
    tagline: 'A week of temperatures on one page, from a sensor that only sends raw bytes.',
    author: 'Ines Duarte',
    markdown: `The sensor behind the shed sends eight bytes a minute over a serial line. A small board stores them, and once an hour a
script turns them into a page:

- \`hex-dump\` makes the raw bytes readable while I look for mistakes,
- \`unix-time\` turns its counter into dates,
- \`csv-to-json\` feeds the chart.

The board has 64 MB of memory and no package manager. A runtime and three modules fit.
`,
    links: [{ label: 'Source and wiring', url: 'https://example.org/garden-weather' }],
    images: [{ file: 'station.png', alt: 'Temperatures over seven days as a line, above bars of rainfall' }],
    at: [20, '18:22'],
    decision: { action: 'approved', at: [19, '09:15'], reason: '' },
    isFeatured: true,
  },
  {
    title: 'Village library',
    tagline: 'Four thousand books checked in one evening.',
    author: 'Friends of the library in Altbrunn',
    markdown: `When our catalog moved, nobody knew which numbers on the cards were still correct. We typed them into a spreadsheet and
ran \`isbn-check\` on the column.

It found 212 mistakes, most of them two swapped digits. One book had the number of the bakery's cash register.

## How we did it

1. Save the column as text, one number per line.
2. Run it through \`isbn-check\`.
3. Take the list of failures to the shelves.
`,
    links: [],
    images: [{ file: 'shelf.webp', alt: 'A shelf of books in many colors' }],
    at: [14, '20:11'],
    decision: { action: 'approved', at: [13, '08:47'], reason: '' },
  },
  {
    title: 'Receipts without a server',
    tagline: 'Card numbers are checked in the page, before anything is sent.',
    author: 'Kofi Mensah',
    markdown: `The form on our donation page runs \`luhn-check\` in the browser. A mistyped number is marked immediately, and the check never
sends the number anywhere.

The module is less than 1 KB, and its SHA-256 is in our source code, so a changed file would not load.
`,
    links: [{ label: 'The page', url: 'https://example.org/donate' }],
    images: [{ file: 'pipeline.png', alt: 'Three boxes joined by arrows' }],
    at: [8, '12:30'],
    decision: { action: 'approved', at: [7, '10:04'], reason: '' },
  },
  {
    title: 'BUY FOLLOWERS FAST',
    tagline: 'Best prices for all networks!!!',
    author: 'promo',
    markdown: 'Cheap followers for every network. Visit our page today and save half of everything.',
    links: [{ label: 'SHOP', url: 'https://example.net/shop' }],
    images: [],
    at: [6, '03:14'],
    decision: {
      action: 'rejected',
      at: [6, '08:30'],
      reason: 'Advertising that has nothing to do with skills.',
    },
  },
  {
    title: 'Chronicle of a choir',
    tagline: 'Concert programs since 1931, with their Roman numerals turned into years.',
    author: 'Bohdan Kravets',
    markdown: `Our concert programs are dated MCMXXXI and so on. \`roman-to-decimal\` converts the dates from the text of our scans,
so that people can sort the programs by year.
`,
    links: [{ label: 'Chronicle', url: 'https://example.org/choir' }],
    images: [{ file: 'shelf.webp', alt: 'Bound volumes on a shelf' }],
    at: [1, '17:02'],
  },
  {
    title: 'Checksum kiosk',
    tagline: 'A screen at the lab entrance that shows whether a download is complete.',
    author: 'Mei Tanaka',
    markdown: `People drop a file on the kiosk and see its \`crc32\` next to the one on the label. It runs from a read-only card and has been up
for two months.
`,
    links: [],
    images: [{ file: 'sandbox.jpg', alt: 'Frames within frames around one small point' }],
    at: 95,
  },
]
