import { texts } from '../validation.texts.ts'
import { requiredText } from './text-schemas.ts'

/** Maximum characters of the label of a token or passkey. */
export const maxLabelCharacters = 100
/** The label of a token or passkey, as shown in lists. */
export const labelSchema = requiredText(1, maxLabelCharacters).regex(
  /^[^\p{Cc}\p{Cs}]*$/u,
  texts.controlCharacters,
)
