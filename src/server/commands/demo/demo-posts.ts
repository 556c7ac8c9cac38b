import type { DemoPost } from './demo-texts.ts'

export const demoPosts: readonly DemoPost[] = [
  {
    title: 'A registry with human review',
    slug: 'a-registry-with-human-review',
    summary: 'What this registry is for, how a module gets into it, and what a review does not promise.',
    tags: ['registry', 'review'],
    cover: { file: 'desk.webp', alt: 'A list of submissions next to the details of one of them' },
    markdown: `Small programs travel fast. A function that turns CSV into JSON is copied into five projects before lunch, and by
evening nobody knows where it came from. This registry slows that down a little, on purpose.

## What happens to a submission

1. The package is checked: one command module, WASI preview 1 and nothing else, every function body type-checked.
2. It waits. Nothing is public until a person has decided.
3. The reviewer reads the documentation, checks what the module imports, and can run its examples in a sandbox.
4. The decision is published with the review notes, and so are the results of the examples.

A name and a version always mean the same bytes. If we revoke a release, it disappears from the catalog with the next
request; nobody is left with a cached approval.

## What we do not promise

A review is not a proof. It is one careful look by one person, and you can read their notes and judge for yourself. Pin
a version, compare the SHA-256, and run modules with only the permissions they need; most need no permissions at all:

\`\`\`sh
curl -fsSLOJ "$REGISTRY/api/marketplace/skills/csv-to-json/1.0.1/package"
wasmtime run csv-to-json-1.0.1.wasm < table.csv
\`\`\`

> The rules also apply to administrators. Marta once rejected a module of her own, because its readme promised a limit
> that the code did not have.
`,
    at: [24, '13:05'],
  },
  {
    title: 'Pipes between modules',
    slug: 'pipes-between-modules',
    summary:
      'Three skills, one shell line: from a pasted spreadsheet to compact JSON with nothing installed but a runtime.',
    tags: ['how-to', 'wasi'],
    cover: {
      file: 'pipeline.png',
      alt: 'Three boxes joined by arrows, each with fewer marks than the one before',
    },
    markdown: `Every skill here reads standard input and writes standard output. That is old-fashioned, and it is why they fit together.

A range copied from a spreadsheet is text with tabs. Two modules turn it into JSON, and a third removes the spaces:

\`\`\`sh
wasmtime run tsv-to-csv.wasm < pasted.tsv \\
  | wasmtime run csv-to-json.wasm \\
  | wasmtime run json-minify.wasm > table.json
\`\`\`

| Step | Reads | Writes | Imports |
| --- | --- | --- | --- |
| \`tsv-to-csv\` | tabs | RFC 4180 | input, output |
| \`csv-to-json\` | RFC 4180 | an array of objects | input, output |
| \`json-minify\` | JSON | the same JSON, smaller | input, output |

None of them can open a file or a connection: a module can't do what it doesn't import. Each release page shows the
list.

## When something in the middle fails

A skill that refuses its input writes the reason to standard error and exits with a nonzero status, so
\`set -o pipefail\` is enough to notice. The message names the line:

\`\`\`text
csv-to-json: line 4: the row has fewer fields than the header
\`\`\`
`,
    at: [17, '09:40'],
  },
  {
    title: 'Why we run your examples',
    slug: 'why-we-run-your-examples',
    summary:
      'Examples are the one part of a manifest that can be tested. The review desk runs them in a sandbox within a sandbox.',
    tags: ['review', 'wasi'],
    cover: { file: 'sandbox.jpg', alt: 'Frames within frames around one small point' },
    markdown: `A description can be mistaken, and a readme can be out of date. An example is different: it specifies an input and its
output, so it can be tested.

When a reviewer asks for it, the desk runs each example of a release in a frame without an origin or a network
connection, in a worker that is terminated if it takes too long. The module gets its input, the time and random
numbers, and nothing else. Its output is compared with the manifest, byte for byte.

![The details of a release with the output of its examples](demo:desk.webp)

## Three things we learned

- **Include the newline.** Half of all differences are one missing line break at the end.
- **Don't print the time.** An example that depends on today's date fails tomorrow.
- **Keep one ugly example.** The empty input, the broken line, the name with an accent: an example that shows a limit
  tells readers more than two that work.

The result is stored with the decision and shown on the release page as the reviewer's statement. Nothing depends on it,
and anyone can repeat it.
`,
    at: [9, '15:20'],
  },
  {
    title: 'Revoking 0.9.0, and what it taught us',
    slug: 'revoking-0-9-0',
    summary:
      'An early csv-to-json made a pipeline run out of memory. Nothing was broken; something was missing.',
    tags: ['review', 'incidents'],
    cover: null,
    markdown: `Version 0.9.0 of \`csv-to-json\` did what it said. It read the whole table before writing the first line, which is
fine for a page of data but not for a nightly export. The readme did not mention it.

When it stopped a team's pipeline, we asked for one paragraph: *what to plan for*. Tomáš wrote it for 1.0.0, with a
figure: about three times the size of the input. We approved 1.0.0 the next morning, and revoked 0.9.0 minutes later.

Since then, reviewers have looked at how much memory the examples use, and asked one more question: **what happens with
a file that is a thousand times larger?**
`,
    at: [4, '10:15'],
  },
  {
    title: 'Skills of the month',
    slug: 'skills-of-the-month',
    summary: 'The most downloaded modules, and what people use them for.',
    tags: ['registry'],
    cover: { file: 'shelf.webp', alt: 'A shelf of books in many colors' },
    markdown: `This list counts completed downloads, and it is short because the registry is young.

1. \`csv-to-json\`, for everything that starts in a spreadsheet.
2. \`isbn-check\`, ever since a library checked its shelves with it.
3. \`word-count\`, for texts that are not only ASCII.
`,
    at: [1, '11:30'],
    // Scheduled: becomes public by itself.
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
