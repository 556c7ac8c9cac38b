/** The sentences of errors about images, except those about their content in `images.texts.ts`. */
export const texts = {
  noImage: 'There is no such image.',
  damagedImage: 'This image is damaged on the server. Upload it again to restore it.',
  imageInUse: 'This image is used by a post or project. Remove it there first.',
  noSpace:
    'There is no space for more images, because too many are not part of an approved project. Unused images are ' +
    'deleted after a day; for the others, an editor must approve pending projects, or reject and delete ' +
    'them. Try again later, or submit your project without images.',
  hourlyLimit: (limit: number, minutes: number) =>
    `You've reached the limit of ${limit} images per hour. Try again in ${minutes} min.`,
} as const
