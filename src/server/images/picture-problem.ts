/** Why a file is no picture that is taken, in words for whoever sent it. */
export class PictureProblem extends Error {
  override readonly name = 'PictureProblem'
}
