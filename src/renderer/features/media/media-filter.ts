import { choice, viewFilter } from '../../lib/list/view-filter.ts'
import type { Field } from '../../lib/list/view-filter.ts'

const digest: Field<string | null> = {
  default: null,
  read: (text) => (/^[a-f0-9]{64}$/.test(text) ? text : null),
}

/** Which images are listed, and the digest of the one whose details are open. */
export const mediaFilter = viewFilter('/content/media', {
  use: choice(['all', 'used', 'unused'], 'all'),
  image: digest,
})
export type MediaFilter = typeof mediaFilter.defaults
