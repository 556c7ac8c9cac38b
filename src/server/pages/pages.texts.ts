import type { MirrorState } from '../../shared/contracts/mirror.ts'
import { html } from './html.ts'
import { listWords, plural, siteName } from './site.ts'

/** Every user-visible text of the public pages, except that of lists in `skill-list.ts`. */
export const texts = {
  layout: {
    skip: 'Skip to content',
    nav: 'Main',
    breadcrumb: 'Breadcrumb',
    sections: { catalog: 'Catalog', blog: 'Blog', showcase: 'Showcase' },
    search: (skills: number) => (skills === 0 ? 'Search' : `Search ${plural(skills, 'skill')}`),
    searchHeader: 'Search the catalog',
    searchPage: 'Search by name, description, category or publisher',
    feed: `${siteName} blog`,
    asMarkdown: 'This page as Markdown',
    /** In place of the footer's sentence. */
    mirror: ({ of, updatedAt }: MirrorState) =>
      `Read-only mirror of ${of}, ${updatedAt === null ? 'not filled yet' : `last updated ${updatedAt.slice(0, 16).replace('T', ' ')} UTC`}.`,
    footer: 'A person reviews every module before it can be downloaded.',
    footerLinks: { feed: 'Atom feed', markdown: 'Markdown', openapi: 'OpenAPI' },
    /** Title of a later page of a list. */
    titleFrom: (title: string, first: number) => `${title}, from ${first}`,
  },

  pager: {
    label: 'Pages',
    range: (first: number, last: number, total: number | null) =>
      `${first} to ${last}${total === null ? '' : ` of ${total}`}`,
    previous: (size: number) => `Previous ${size}`,
    next: (size: number) => `Next ${size}`,
    /** After the end of a list. */
    pastEnd: 'This page of the list is empty.',
    first: 'Go to the first page',
  },

  home: {
    title: 'Reviewed WebAssembly skills',
    lead:
      'Free command modules for agents and people. Before anyone can download a release, a person reviews it and can ' +
      'run it in a sandbox. Its page shows what the review found.',
    newest: 'Latest releases',
    allSkills: (count: number) => (count === 1 ? 'See 1 skill' : `See all ${plural(count, 'skill')}`),
    projects: 'Made with skills',
    allProjects: 'See the showcase',
    posts: 'From the blog',
    allPosts: 'See all posts',
    developers: {
      title: 'For developers',
      client: (script: string) =>
        html`<code>skill</code> is this registry’s command-line client: a single file that requires Node 20 or
          newer. You can <a href="${script}">read the script</a> first. To install or upgrade the client, run
          this command:`,
      commands: html`<code>skill install NAME</code> adds a skill to a project and pins its version and
        digest. <code>skill run NAME</code> runs it in a sandbox that grants nothing.
        <code>skill init</code> creates a new skill, <code>skill check</code> runs the registry’s checks on
        it, and <code>skill publish</code> submits it for review.`,
    },
    agents: {
      title: 'For agents and programs',
      formats: (guide: string, catalog: string, openapi: string) =>
        html`Skills are also available as Markdown and JSON, posts and projects as Markdown, without a token.
          Start with <a href="${guide}">llms.txt</a>, the <a href="${catalog}">catalog as Markdown</a>, or the
          <a href="${openapi}">OpenAPI description</a>.`,
    },
  },

  catalog: {
    title: 'Catalog',
    searchTitle: (q: string, category: string | undefined) =>
      `“${q}”${category === undefined ? '' : ` in ${category}`}`,
    description: (skills: number) =>
      `${plural(skills, 'skill')} for agents and people: free WASI modules, each reviewed by a person.`,
    summary: (skills: number) => `${plural(skills, 'skill')}, each reviewed by a person`,
    results: (count: number, hasMore: boolean) => `${hasMore ? 'more than ' : ''}${plural(count, 'skill')}`,
    list: 'Skills',
    submitted: 'submitted',
    categories: 'Categories',
    allCategories: 'All',
    none: 'No skills yet. A skill appears here once a reviewer has approved it.',
    noneInCategory: (category: string) => `No approved skills in the category ${category} yet.`,
    noMatch: (q: string, category: string | undefined) =>
      `No skills match “${q}”${category === undefined ? '' : ` in the category ${category}`}.`,
    searchAllCategories: 'Search all categories',
    all: 'See all skills',
  },

  publisher: {
    breadcrumb: 'Publisher',
    description: (name: string) => `Skills published by ${name}, each reviewed by a person.`,
    summary: 'Approved skills, newest submission first',
    list: (name: string) => `Skills by ${name}`,
  },

  blog: {
    title: 'Blog',
    tagTitle: (tag: string) => `Posts tagged ${tag}`,
    description: `News from ${siteName}: what is new in the catalog, and how skills are reviewed.`,
    all: 'All posts',
    seeAll: 'See all posts',
    none: 'No posts yet.',
    noneWithTag: (tag: string) => `No post has the tag ${tag}.`,
    notFound: 'There is no such post. See the blog for all posts.',
    edited: 'edited',
    tags: 'Tags',
  },

  showcase: {
    title: 'Showcase',
    description: `What people have made with skills from ${siteName}.`,
    summary: 'What people have made with skills',
    submit: 'Submit a project',
    featured: 'featured',
    none: 'No projects yet. A project appears here once it is approved.',
    notFound: 'There is no such project. See the showcase for all projects.',
    by: (author: string) => `By ${author}`,
    links: 'Links',
  },

  submit: {
    title: 'Submit a project',
    titleWithErrors: 'Error: Submit a project',
    description: `Show what you have made with skills from ${siteName}.`,
    lead: 'Have you made something with a skill? Show it here. A person reviews each project before it is published.',
    fields: {
      title: { label: 'Title', hint: 'The name of the project, up to 160 characters.' },
      tagline: { label: 'Tagline', hint: 'One sentence for the list of projects, up to 200 characters.' },
      author: { label: 'Your name', hint: 'Shown with the project, up to 100 characters.' },
      description: {
        label: 'Description',
        hint: 'What it does and which skills it uses: Markdown, 20 to 20,000 characters.',
      },
    },
    images: {
      title: 'Images (optional)',
      hint: 'JPEG, PNG, WebP, GIF or AVIF, at most 10 MiB each. Add alt text to each for people who can’t see it. Published copies contain no location data.',
      more: 'More images',
      file: (n: number) => `Image ${n}`,
      alt: 'Alt text',
      kept: (n: number) => `Image ${n} is already uploaded. Choose a file to replace it.`,
    },
    links: {
      title: 'Links (optional)',
      more: 'More links',
      label: (n: number) => `Link ${n} text`,
      url: 'URL',
    },
    trap: 'Leave this empty',
    send: 'Submit for review',
    received: {
      title: 'Your project was submitted',
      lead: 'A person will review it. It appears in the showcase once it is approved.',
      showcase: 'See the showcase',
      again: 'submit another project',
    },
    errors: {
      summary: 'Your project was not submitted. Fix the following and submit it again:',
      title: 'Enter a title of at most 160 characters.',
      tagline: 'Enter a tagline of at most 200 characters.',
      author: 'Enter your name, at most 100 characters.',
      description: 'Enter a description of 20 to 20,000 characters.',
      altMissing: (n: number) => `Add alt text for image ${n}.`,
      altLength: (n: number) => `Enter alt text of at most 300 characters for image ${n}.`,
      fileMissing: (n: number) => `Choose a file for image ${n}, or clear its alt text.`,
      imageTooLarge: (n: string) => `Image ${n} is larger than 10 MiB. Choose a smaller one.`,
      image: (n: number, problem: string) => `Image ${n}: ${problem}`,
      linkLabel: (n: number) => `Enter the text of link ${n}, at most 60 characters.`,
      linkUrl: (n: number) => `Link ${n} needs a URL that starts with https:// or http://.`,
      invalid: (summary: string) => `The form has errors: ${summary}`,
      limit: (perHour: number, minutes: number) =>
        `You’ve reached the limit of ${perHour} projects per hour. Try again in ${minutes} min.`,
    },
  },

  /** Beside the version in a list. */
  deprecated: 'deprecated',

  release: {
    approved: 'Reviewed and approved',
    deprecated: {
      title: 'Deprecated:',
      successor: (link: string, successor: string) => html`Use <a href="${link}">${successor}</a> instead.`,
    },
    aside: 'Install and review',
    readme: 'Readme',
    io: { title: 'Input and output', input: 'Input', output: 'Output' },
    digest: {
      title: 'Digest',
      hint: html`SHA-256 of the module. <code>skill</code> refuses a module with any other digest.`,
    },
    install: {
      title: 'Install',
      download: (link: string, size: string) =>
        html`or <a href="${link}" download>download the module</a>, ${size} bytes`,
      client: (link: string) =>
        html`To install the client <a href="${link}"><code>skill</code></a> (requires Node 20 or newer), run
          this command:`,
    },
    example: {
      title: (n: number, count: number) => (count === 1 ? 'Example' : `Example ${n} of ${count}`),
      input: 'Standard input',
      output: 'Standard output',
      empty: 'empty',
    },
    earlier: { title: 'Earlier reviews', approved: 'approved' },
    newer: 'was submitted later and is also approved.',
    facts: {
      title: 'Details',
      publisher: 'Publisher',
      owners: 'Owners',
      noOwner: 'nobody at present',
      category: 'Category',
      license: 'License',
      submitted: 'Submitted',
      versions: 'Versions',
      agents: 'For agents',
      markdown: 'Markdown',
      manifest: 'manifest',
    },
  },

  review: {
    title: 'Review',
    unknown: 'Unknown capabilities: the stored imports of this module can’t be read.',
    noImports: 'It imports nothing: it can only compute.',
    columns: { capability: 'Capability', called: 'Called' },
    /** `It cannot read or write files, read the environment or the clock, get random numbers or use sockets.` */
    cannot: (phrases: readonly string[]) => `It cannot ${listWords(phrases, 'or')}.`,
    verbs: {
      files: (verbs: readonly string[]) => `${verbs.join(' or ')} files`,
      read: (nouns: readonly string[]) => `read ${nouns.join(' or ')}`,
      environment: 'the environment',
      clock: 'the clock',
      random: 'get random numbers',
      sockets: 'use sockets',
    },
    selfApproved: 'Self-approved by its publisher.',
    provenance: (source: string) => `Published by a job of its repository: ${source}`,
    firstApproved: (reviewer: string, notes: string) => `First approved by ${reviewer}: “${notes}”`,
    openFindings: (count: number) =>
      count === 1
        ? '1 finding was still open at approval.'
        : `${count} findings were still open at approval.`,
    damaged: (reviewer: string, notes: string) =>
      `Approved by ${reviewer}: “${notes}” The evidence for this review is damaged on this server and can’t be shown.`,
    notRun: (reviewer: string, notes: string) => `Approved by ${reviewer}, without a test run: “${notes}”`,
    passed: (passed: number, count: number) => `${passed} of ${count} examples passed`,
    run: (peak: string, reviewer: string, checks: string, notes: string) =>
      ` in a sandbox, peak memory ${peak}. Reviewed by ${reviewer} with checks version ${checks}: “${notes}”`,
    record: 'Full review statement',
  },

  file: { notFound: 'There is no such file.' },

  /** Titles by status; the sentence below is that of the error. */
  error: {
    titles: {
      400: 'Invalid request',
      403: 'Access denied',
      404: 'Page not found',
      405: 'Method not allowed',
      429: 'Too many requests',
      503: 'Temporarily unavailable',
    } as Readonly<Record<number, string>>,
    refused: 'Request refused',
    failed: 'Something went wrong',
    retry: (seconds: number) => `Try again in ${plural(seconds, 'second')}.`,
    links: (catalog: string, home: string) =>
      html`Browse the <a href="${catalog}">catalog</a>, or go to the <a href="${home}">home page</a>.`,
  },
} as const
