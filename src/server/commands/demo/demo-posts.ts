import type { DemoPost } from './demo-texts.ts'

export const demoPosts: readonly DemoPost[] = [
  {
    title: 'A registry where somebody has looked',
    slug: 'a-registry-where-somebody-has-looked',
    summary:
      'What this registry is for, what happens to a module before it appears here, and what we do not promise.',
    tags: ['registry', 'review'],
    cover: { file: 'desk.webp', alt: 'A list of submissions beside the sheet of one of them' },
    markdown: `Small programs travel fast. A function that turns CSV into JSON is copied into five projects before lunch, and by the
evening nobody knows where it came from. This registry slows that down a little, on purpose.

## What happens to a submission

1. The package is checked: one command module, WASI preview 1 and nothing else, every function body type-checked.
2. It waits. Nothing is public until a person has decided.
3. The reviewer reads the documents, looks at what the module imports, and can run its examples in a sandbox.
4. The decision is public together with its reason, and so is whether the examples ran and how they ended.

A name and a version stand for one sequence of bytes for ever. If we take a release back, it is gone from the catalog
with the next request; nobody is left with a cached approval.

## What we do not promise

A review is no proof. It is one careful look by one person, and the reason they wrote is there for you to judge. Pin a
version, compare the SHA-256, and run modules with the rights they need, which for most of them is none:

\`\`\`sh
curl -fsSLO "$REGISTRY/api/marketplace/skills/csv-to-json/1.2.0/package"
wasmtime run csv-to-json-1.2.0.wasm < table.csv
\`\`\`

> Marta once rejected her own module. The readme promised a limit that the code did not have.
`,
    at: [24, '13:05'],
  },
  {
    title: 'Pipes between modules',
    slug: 'pipes-between-modules',
    summary:
      'Three skills, one shell line: from a pasted spreadsheet to compact JSON without installing anything but a runtime.',
    tags: ['how-to', 'wasi'],
    cover: {
      file: 'pipeline.png',
      alt: 'Three boxes joined by arrows, each holding fewer marks than the one before',
    },
    markdown: `Every skill here reads standard input and writes standard output. That is old-fashioned, and it is why they fit together.

A range copied from a spreadsheet is text with tabs. Two modules make JSON of it, a third takes the spaces out:

\`\`\`sh
wasmtime run tsv-to-csv.wasm < pasted.tsv \\
  | wasmtime run csv-to-json.wasm \\
  | wasmtime run json-minify.wasm > table.json
\`\`\`

| Step | Reads | Writes | Asks the host for |
| --- | --- | --- | --- |
| \`tsv-to-csv\` | tabs | RFC 4180 | input, output |
| \`csv-to-json\` | RFC 4180 | an array of objects | input, output |
| \`json-minify\` | JSON | the same JSON, smaller | input, output |

None of them can open a file or a connection: what a module does not import it cannot do. The release page of each shows
the list.

## When something in the middle fails

A skill that refuses its input writes the reason to standard error and ends with a status above zero, so
\`set -o pipefail\` is enough to notice. The line that was wrong is named:

\`\`\`text
csv-to-json: line 4: expected 3 fields and found 2
\`\`\`
`,
    at: [17, '09:40'],
  },
  {
    title: 'Why we run your examples',
    slug: 'why-we-run-your-examples',
    summary:
      'Examples are the one part of a manifest that can be tried. The review desk tries them, in a box within a box.',
    tags: ['review', 'wasi'],
    cover: { file: 'sandbox.jpg', alt: 'Frames within frames around one small point' },
    markdown: `A description can be mistaken, and a readme can be out of date. An example is different: it says what comes in and what goes
out, so it can be tried.

When a reviewer opens a release, the desk runs each example in a frame that has no origin and no connection, within a
worker that is ended when it takes too long. The module gets its input and a clock that stands still. What it printed is
compared with what the manifest promised, byte for byte.

![The sheet of a release with what its examples printed](demo:desk.webp)

## Three things we have learned

- **Write the newline.** Half of all differences are one missing line break at the end.
- **Do not print the time.** An example that depends on today fails tomorrow.
- **Keep one ugly example.** The empty input, the broken line, the name with an accent: the example that shows a limit
  tells a reader more than two that work.

The result is kept with the decision and shown on the page of the release, as a statement of the reviewer. Nothing depends
on it, and everybody can repeat it.
`,
    at: [9, '15:20'],
  },
  {
    title: 'Revoking 0.9.0, and what it taught us',
    slug: 'revoking-0-9-0',
    summary: 'An early csv-to-json ran a pipeline out of memory. Nothing was broken; something was missing.',
    tags: ['review', 'incidents'],
    cover: null,
    markdown: `Version 0.9.0 of \`csv-to-json\` did what it said. It read the whole table before it wrote the first line,
which is fine for a page and not for a night's export. The readme did not mention it.

We revoked it on the day that the pipeline of a team stopped, and asked for one paragraph: *what to plan for*. Tomáš wrote it
for 1.0.0, with figures, and made the reader work line by line while he was there.

Since then the desk shows how much memory the examples used, and reviewers ask one more question: **what happens with a
file that is a thousand times larger?**
`,
    at: [4, '10:15'],
  },
  {
    title: 'Skills of the month',
    slug: 'skills-of-the-month',
    summary: 'Five modules that were used most, and who made them.',
    tags: ['registry'],
    cover: { file: 'shelf.webp', alt: 'A shelf of books in many colours' },
    markdown: `The list is made of complete downloads, and it is short because the registry is young.

1. \`csv-to-json\`, for everything that begins in a spreadsheet.
2. \`isbn-check\`, since a library put its shelves through it.
3. \`word-count\`, which counts what people call words and not what machines do.
`,
    at: [1, '11:30'],
    // Becomes public by itself.
    publishInDays: 2,
  },
  {
    title: 'Writing a readme that gets approved',
    slug: '',
    summary: '',
    tags: ['how-to'],
    cover: null,
    markdown: `Collected from a month of review notes:

- Say what the module refuses, and how.
- Give a figure for time and memory.
- Ask Rita for the example with the two accents
`,
    at: [1, '16:48'],
    isDraft: true,
  },
]
