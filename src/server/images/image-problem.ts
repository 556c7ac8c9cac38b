/** Why an uploaded file is not accepted as an image, as a message for the uploader. */
export class ImageProblem extends Error {
  override readonly name = 'ImageProblem'
}
