import { expect, test } from 'vitest'
import { digestOf, findImages, imageTarget, uploadTarget, writeAlt, writeImage } from './image-references.ts'

const one = imageTarget('a'.repeat(64))
const two = imageTarget('b'.repeat(64))

test('images are found with their offsets and alt text', () => {
  const text = `Before ${writeImage(one, 'First')} and\n\n${writeImage('uploading:b.png')}\n\n${writeImage(one)}`
  const found = findImages(text)
  expect(found.map(({ target, nth, alt }) => [target, nth, alt])).toEqual([
    [one, 0, 'First'],
    ['uploading:b.png', 0, ''],
    [one, 1, ''],
  ])
  for (const { from, to, altFrom, altTo, alt, target } of found) {
    expect(text.slice(from, to)).toBe(`![${alt}](${target})`)
    expect(text.slice(altFrom, altTo)).toBe(alt)
  }
  expect(findImages('![far](https://example.com/a.png) [link](image:1) ![short](image:abc)')).toEqual([])
})

test('alt text survives a round trip', () => {
  for (const alt of ['plain', 'with [brackets] in it', 'a \\ in the middle', 'quotes "\'', 'ünï 😀']) {
    expect(findImages(writeImage(two, alt))[0]?.alt).toBe(alt)
  }
  expect(writeAlt('two\n lines')).toBe('two lines')
  // A trailing backslash would escape the bracket.
  expect(writeAlt('end\\')).toBe('end')
})

test('each file that is being uploaded has a unique target', () => {
  expect(uploadTarget('My names (1).png', '', [])).toBe('uploading:My-names-1-.png')
  expect(uploadTarget('a.png', writeImage('uploading:a.png'), [])).toBe('uploading:a-2.png')
  expect(uploadTarget('a.png', '', ['uploading:a.png', 'uploading:a-2.png'])).toBe('uploading:a-3.png')
  expect(uploadTarget('画像', '', [])).toBe('uploading:image')
})

test('only an image in the media library has a digest', () => {
  expect(digestOf(one)).toBe('a'.repeat(64))
  expect(digestOf('uploading:a.png')).toBeNull()
})
