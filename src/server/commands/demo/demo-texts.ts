import type { Moment } from './demo-content.ts'

/** A file of resources/demo, and what it shows. */
export interface DemoPicture {
  file: string
  alt: string
}

export interface DemoPost {
  title: string
  slug: string
  summary: string
  tags: readonly string[]
  cover: DemoPicture | null
  /** A picture is named `demo:FILE`. */
  markdown: string
  /** When it is published, or last saved. */
  at: Moment
  /** Published with a time to come. */
  publishInDays?: number
  isDraft?: boolean
}

export interface DemoProject {
  title: string
  tagline: string
  author: string
  markdown: string
  links: readonly { label: string; url: string }[]
  pictures: readonly DemoPicture[]
  /** When it is submitted. */
  at: Moment
  /** Pending without it. */
  decision?: { action: 'approved' | 'rejected'; at: Moment; reason: string }
  isFeatured?: boolean
}
