/** A command cannot do what it was asked to; the message says why and what to do, and needs no stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
