import { expect, test } from 'vitest'
import {
  digestOf,
  findPictures,
  imageTarget,
  uploadTarget,
  writeAlt,
  writePicture,
} from './picture-references.ts'

const one = imageTarget('a'.repeat(64))
const two = imageTarget('b'.repeat(64))

test('pictures are found with their places and what they show', () => {
  const text = `Before ${writePicture(one, 'First')} and\n\n${writePicture('uploading:b.png')}\n\n${writePicture(one)}`
  const found = findPictures(text)
  expect(found.map(({ target, nth, alt }) => [target, nth, alt])).toEqual([
    [one, 0, 'First'],
    ['uploading:b.png', 0, ''],
    [one, 1, ''],
  ])
  for (const { from, to, altFrom, altTo, alt, target } of found) {
    expect(text.slice(from, to)).toBe(`![${alt}](${target})`)
    expect(text.slice(altFrom, altTo)).toBe(alt)
  }
  expect(findPictures('![far](https://example.com/a.png) [link](image:1) ![short](image:abc)')).toEqual([])
})

test('whatever is said of a picture is read back as it was', () => {
  for (const alt of ['plain', 'with [brackets] in it', 'a \\ in the middle', 'quotes "\'', 'ünï 😀']) {
    expect(findPictures(writePicture(two, alt))[0]?.alt).toBe(alt)
  }
  expect(writeAlt('two\n lines')).toBe('two lines')
  // It would take the bracket along.
  expect(writeAlt('end\\')).toBe('end')
})

test('each file on its way has a target of its own', () => {
  expect(uploadTarget('My names (1).png', '', [])).toBe('uploading:My-names-1-.png')
  expect(uploadTarget('a.png', writePicture('uploading:a.png'), [])).toBe('uploading:a-2.png')
  expect(uploadTarget('a.png', '', ['uploading:a.png', 'uploading:a-2.png'])).toBe('uploading:a-3.png')
  expect(uploadTarget('画像', '', [])).toBe('uploading:picture')
})

test('only a picture of the library has a digest', () => {
  expect(digestOf(one)).toBe('a'.repeat(64))
  expect(digestOf('uploading:a.png')).toBeNull()
})
