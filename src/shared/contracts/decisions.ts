import { z } from 'zod'
import { requiredText } from './text-schemas.ts'

export const reviewActions = ['approved', 'rejected', 'revoked'] as const
export type ReviewAction = (typeof reviewActions)[number]

/** Characters of a reviewer's reason (section 2.5). */
export const minReasonLength = 10
export const maxReasonLength = 2000

/** Section 2.5. */
export const registryReviewSchema = z
  .strictObject({
    action: z.enum(reviewActions),
    reason: requiredText(minReasonLength, maxReasonLength),
  })
  .meta({ id: 'RegistryReview' })

export type RegistryReview = z.infer<typeof registryReviewSchema>
