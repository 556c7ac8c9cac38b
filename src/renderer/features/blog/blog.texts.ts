import { maxSlugCharacters, maxMarkdownCharacters } from '../../../shared/contracts/content.ts'
import { formatCount, listWords, plural } from '../../lib/format.ts'

const untitled = 'Untitled'
const createFailed = "Couldn't create the post"

/** Every user-visible text of the blog: the list of posts, the editor and its panels. */
export const texts = {
  untitled,

  list: {
    title: 'Blog',
    columns: {
      title: 'Post',
      state: 'Status',
      tags: 'Tags',
      public: 'Publish date',
      changed: 'Last updated',
    },
    views: {
      label: 'Filter by status',
      all: 'All',
      draft: 'Drafts',
      scheduled: 'Scheduled',
      published: 'Published',
    },
    search: 'Title, URL or tag',
    newPost: 'New post',
    createFailed,
    loadFailed: "Couldn't load posts",
    loading: 'the posts',
    table: 'Posts',
    edited: 'edited',
    by: (name: string) => `by ${name}`,
    empty: {
      title: 'No posts yet',
      text: 'Posts are drafts, visible only in the desk, until you publish them.',
      action: 'Write the first post',
    },
    noMatches: { title: 'No matching posts', clearSearch: 'Clear search', all: 'All posts' },
    newPostAction: 'write a new post',
    walk: { next: 'next post', previous: 'previous post' },
  },

  page: {
    title: 'Post',
    notFound: { title: 'Post not found', text: 'It may have been deleted.', all: 'All posts' },
    loading: 'the post',
    loadFailed: "Couldn't load the post",
  },

  editor: {
    text: 'The text',
    preview: 'The preview',
    panel: 'This panel',
    loading: 'the editor',
    notPublished: 'Not published yet',
    actions: {
      save: 'save now',
      publish: 'publish…',
      details: 'post details',
      history: 'post history',
      closePanel: 'back to the preview',
    },
  },

  head: {
    untitled: 'Untitled post',
    allPosts: 'All posts',
    title: 'Title',
    edited: 'edited',
    scheduledFor: 'for',
    save: {
      saved: (time: string) => `saved ${time}`,
      saving: 'saving…',
      offline: 'not saved, kept on this computer',
      rejected: 'not saved',
      conflict: 'not saved, changed elsewhere',
    },
    history: 'History',
    details: 'Details',
    publish: {
      draft: 'Publish…',
      published: 'Published…',
      publishedChanges: 'Publish changes…',
      scheduled: 'Scheduled…',
      scheduledChanges: 'Schedule changes…',
    },
  },

  tools: {
    label: 'Formatting',
    heading: 'Heading',
    bold: 'Bold',
    italic: 'Italic',
    link: 'Link',
    code: 'Code',
    quote: 'Quote',
    bullets: 'Bulleted list',
    numbers: 'Numbered list',
    image: 'Image…',
    imageTip: 'Image… (or paste or drop)',
    imageInput: 'Images to insert',
  },

  /** Who else has the post open. */
  others: {
    ownTab: 'Also open in another of your tabs',
    person: (name: string) => `${name} also has this post open`,
    idle: (age: string) => `, idle for ${age}`,
    more: (count: number) => ` And ${count} more.`,
  },

  field: {
    label: 'Post text (Markdown)',
    placeholder: 'Write in Markdown',
    keys: (indent: string, outdent: string) =>
      `Press Tab to leave the text. ${indent} and ${outdent} indent and outdent a line.`,
    /** What a format inserts where nothing is selected. */
    samples: { bold: 'bold text', italic: 'italic text', code: 'code', link: 'link text' },
  },

  foot: {
    label: 'Post status',
    url: 'URL',
    noUrl: 'not set',
    available: 'available',
    taken: 'taken',
    tags: 'Tags',
    tagList: (tags: readonly string[]) => (tags.length === 0 ? 'none' : listWords(tags)),
    cover: 'Cover',
    coverNone: 'none',
    coverSet: 'set',
    characters: (count: string, limit: string) => `${count} of ${limit} characters`,
    words: (count: number) => plural(count, 'word'),
    caret: (line: number, column: number) => `Ln ${line}, Col ${column}`,
  },

  notices: {
    recovered: {
      title: (time: string) => `Recovered unsaved changes from ${time}`,
      text: 'The desk closed before they were saved. The last saved version is in the history.',
      dismiss: 'Dismiss',
    },
    offline: {
      title: "Not saved: Skilldock isn't responding",
      text: 'Keep writing. Your changes are stored on this computer and saved as soon as Skilldock responds.',
      retry: 'Retry now',
      otherPerson: 'Another person has signed in.',
    },
    rejected: {
      title: 'Not saved',
      text: (reason: string) =>
        `${reason} Your text is kept on this computer. Skilldock tries to save it again with your next change.`,
    },
    deleted: {
      title: 'Not saved: this post was deleted',
      text: 'Your text is still here.',
      action: 'Continue as a new post',
      failed: createFailed,
    },
    conflict: {
      title: (name: string, time: string) => `${name} saved a different version of this post (${time})`,
      text: "Your version hasn't been saved yet. The version you don't choose becomes a separate draft.",
      keepMine: 'Keep my version',
      takeTheirs: 'Use their version',
      showDiff: 'Show diff',
      hideDiff: 'Hide diff',
      diff: 'Changes from theirs to yours',
      otherSaved: (title: string) => `The other version of “${title}” was saved as a draft.`,
      open: 'Open',
      failed: "Couldn't resolve the conflict",
    },
  },

  panel: { close: 'Close (Esc)' },

  details: {
    title: 'Details',
    optional: 'optional',
    summary: 'Summary',
    summaryHint: 'One or two sentences for lists, the feed and link previews.',
    tags: 'Tags',
    tagsHint: 'Separate tags with commas.',
    tagsRead: (tags: readonly string[]) => `Saved as ${tags.join(', ')}.`,
  },

  slug: {
    label: 'URL',
    available: 'available',
    taken: 'Another post already uses this URL.',
    none: 'No URL yet.',
    hint: 'Lowercase letters, digits and hyphens.',
    use: (slug: string) => `Use ${slug}`,
    moved: 'After publishing, the old URL returns 404.',
    problems: {
      empty: 'Enter a URL.',
      characters: 'Use lowercase letters, digits and single hyphens.',
      tooLong: `The URL can have at most ${maxSlugCharacters} characters.`,
    },
  },

  cover: {
    title: 'Cover',
    none: 'None',
    choice: (number: number) => `Image ${number}`,
    alt: 'Cover alt text',
    altNeeded: 'Required before publishing.',
    upload: 'Upload…',
    uploading: (percent: number) => `Uploading… ${percent}%`,
    input: 'Cover image file',
    uploadFailed: "Couldn't upload the image",
  },

  imageCard: {
    label: (name: string) => `Image ${name}`,
    interrupted: "The upload didn't finish. Choose the file again.",
    how: { pasted: 'pasted', dropped: 'dropped', chosen: 'chosen' },
    chooseAgain: 'Choose file…',
    cancel: 'Cancel',
    remove: 'Remove',
    alt: 'Alt text',
    altNeeded: 'required before publishing',
    progress: (name: string) => `Uploading ${name}`,
    processing: 'Uploaded. Creating resized copies…',
    sent: (sent: string, total: string, percent: number) => `${sent} of ${total} (${percent}%)`,
    timeLeft: (time: string) => `, about ${time} left`,
  },

  preview: {
    label: 'Preview',
    title: (readingTime: string) => `Preview of the public page, ${readingTime}`,
    readingTime: (minutes: number) => `${minutes} min read`,
    failed: "Couldn't update the preview",
  },

  history: {
    title: 'History',
    kinds: { autosaved: 'autosaved', published: 'published', restored: 'restored' },
    by: (kind: string, name: string) => `${kind} by ${name}`,
    live: 'live',
    size: (characters: number) => plural(characters, 'character'),
    list: 'Versions, newest first',
    loading: 'the history',
    loadFailed: "Couldn't load the history",
    empty:
      'No versions yet. While you write, the last autosave of each hour is kept as a version. Publishing also saves a version.',
    selected: 'Selected version',
    versionFailed: "Couldn't load the version",
    restore: 'Restore this version',
    restoreHint: 'The current text is kept in the history. The published version does not change.',
    restored: 'Version restored. The previous text is in the history.',
    restoreFailed: "Couldn't restore the version",
    notSaved: "Your changes couldn't be saved, so nothing was restored.",
    diff: 'Changes since this version',
  },

  diff: {
    fields: { title: 'Title', slug: 'URL', summary: 'Summary', tags: 'Tags', cover: 'Cover' },
    none: 'No differences.',
    sameText: 'No changes to the text.',
    text: 'Text changes',
  },

  publish: {
    title: 'Publish',
    publicAt: 'Published at',
    edited: '. This draft has unpublished changes.',
    when: 'When',
    now: 'Now',
    later: 'Later',
    time: 'Publish on',
    timeZone: (zone: string) => `Time zone of this computer: ${zone}.`,
    timeMissing: 'Enter a date and time.',
    timePast: 'Choose a time in the future.',
    notSaved: "Your changes couldn't be saved, so nothing was published.",
    failed: "Couldn't publish the post",
    button: { now: 'Publish now', changes: 'Publish changes', schedule: 'Schedule' },
    action: 'confirm publishing',
    done: 'was published.',
    scheduled: (time: string) => `is scheduled for ${time}.`,
    open: 'Open',
    effects: {
      at: (slug: string) => (slug === '' ? 'at its URL' : `at /blog/${slug}`),
      now: (at: string) => `Goes live immediately ${at} and appears in the post list, feed and sitemap.`,
      scheduled: (at: string, time: string) =>
        `Goes live ${at} (scheduled for ${time}) and appears in the post list, feed and sitemap.`,
      changes: (at: string) => `Replaces the published version ${at}. The publish date does not change.`,
      same: 'The published version is up to date.',
    },
    problems: {
      label: 'Before you publish',
      fix: 'Fix',
      title: 'Add a title.',
      slug: 'Add a URL.',
      invalidSlug: (problem: string) => `URL: ${problem}`,
      takenSlug: 'Another post already uses this URL.',
      text: 'Add some text.',
      tooLong: `Shorten the text to ${formatCount(maxMarkdownCharacters)} characters.`,
      coverAlt: 'Add alt text to the cover.',
      alt: 'Add alt text to an image.',
      upload: (name: string) => `Upload or remove ${name}.`,
    },
    tooLongToSave: `The text is longer than ${formatCount(maxMarkdownCharacters)} characters and can't be saved.`,
  },

  unpublish: {
    label: 'Unpublish',
    post: 'The post',
    published:
      'The page returns 404, and the post is removed from the blog and the feed. The text is kept as a draft.',
    scheduled: "The post won't be published. The text is kept as a draft.",
    unpublish: 'Unpublish',
    unschedule: 'Unschedule',
    done: 'is a draft again.',
    failed: "Couldn't unpublish the post",
  },

  deletion: {
    label: 'Delete',
    hint: 'Delete this draft and its history.',
    warning: 'This permanently deletes the text and its history. Images stay in the media library.',
    open: 'Delete…',
    confirm: 'Delete permanently',
    cancel: 'Cancel',
    done: 'was deleted.',
    failed: "Couldn't delete the post",
  },

  hasLocation: "This image contains location data. Published copies don't.",
} as const
