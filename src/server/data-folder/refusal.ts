/** An expected failure of a command; the message says why and what to do, and is shown without a stack trace. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
