import type { SkillManifest } from '../contracts/manifest.ts'

/** A text of a manifest and its name in a sentence. */
export interface Field {
  field: string
  called: string
  text: string
}

/** The texts that describe the skill. */
export function ownTexts({ description, readme, inputs, outputs, license }: SkillManifest): Field[] {
  return [
    { field: 'description', called: 'The description', text: description },
    { field: 'readme', called: 'The readme', text: readme },
    { field: 'inputs', called: 'The description of inputs', text: inputs },
    { field: 'outputs', called: 'The description of outputs', text: outputs },
    { field: 'license', called: 'The license', text: license },
  ]
}

export function exampleTexts({ examples }: SkillManifest): Field[] {
  return examples.flatMap(({ input, output }, index) => [
    { field: `examples.${index}.input`, called: `The input of example ${index + 1}`, text: input },
    { field: `examples.${index}.output`, called: `The output of example ${index + 1}`, text: output },
  ])
}

/** Lowercase words. In scripts without spaces between words, each character counts as a word. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .match(
        /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]|[\p{L}\p{M}\p{N}]+/gu,
      ) ?? []
  )
}
