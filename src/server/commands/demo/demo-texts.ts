import type { Moment } from './demo-content.ts'

/** A file in resources/demo, with its alt text. */
export interface DemoImage {
  file: string
  alt: string
}

export interface DemoPost {
  title: string
  slug: string
  summary: string
  tags: readonly string[]
  cover: DemoImage | null
  /** Refers to an image as `demo:FILE`. */
  markdown: string
  /** When it was published or last saved. */
  at: Moment
  /** Scheduled this many days ahead. */
  publishInDays?: number
  isDraft?: boolean
}

export interface DemoProject {
  title: string
  tagline: string
  author: string
  markdown: string
  links: readonly { label: string; url: string }[]
  images: readonly DemoImage[]
  /** When it was submitted. */
  at: Moment
  /** Without it, the project is pending. */
  decision?: { action: 'approved' | 'rejected'; at: Moment; reason: string }
  isFeatured?: boolean
}
