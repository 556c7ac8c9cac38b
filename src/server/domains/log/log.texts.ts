/** The sentences of errors about the transparency log. */
export const texts = {
  beyondLog: (size: number) => `The log has ${size} entries. Choose entries and sizes up to that.`,
  wrongRange: 'The start of a range must not be after its end.',
  indexNotInTree: 'The index must be less than the size of the tree.',
  emptyTree: 'A tree without entries needs no proof. Choose a size of at least 1.',
} as const
