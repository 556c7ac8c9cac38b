/** The sentences of errors about posts. */
export const texts = {
  noPost: (id: number) => `There is no post with the id ${id}.`,
  noVersion: (id: number) => `This post has no version ${id}.`,
  editedElsewhere: (by: string) =>
    `${by} saved this post while you were editing it. Compare the two versions before you save.`,
  slugTaken: (slug: string) => `The slug ${slug} is already used by another post. Choose a different one.`,
  alreadyDraft: 'This post is already a draft.',
  notDraft: 'This post is published or scheduled. Unpublish it first.',
  notReady: (problems: string) => `This post can't be published yet: ${problems}.`,
  invalidTime: (problems: string) => `The publish time is invalid: ${problems}.`,
  issues: {
    empty: 'must not be empty',
    noAltText: 'needs alt text for every image',
    unknownImage: (image: string) => `uses the image ${image}…, which is not in the media library`,
    futureTime: 'must not be in the future for a published post; unpublish it first',
  },
} as const
