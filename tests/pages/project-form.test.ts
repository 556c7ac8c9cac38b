import { rename } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeskProject, ProjectRow } from '../../src/shared/contracts/desk-projects.ts'
import { dataPaths } from '../../src/server/data-folder/data-folder.ts'
import { imageFiles } from '../support/server/uploads.ts'
import { expected, startTestContent } from '../support/server/content.ts'
import type { TestContent } from '../support/server/content.ts'
import { readPage } from '../support/server/html-page.ts'
import type { ReadPage } from '../support/server/html-page.ts'
import { noise } from '../support/fixtures/images.ts'

let app: TestContent
let jpeg: Buffer<ArrayBuffer>
beforeAll(async () => {
  app = await startTestContent({ config: { showcaseUploadsPerHour: 100 } })
  jpeg = Buffer.from(await noise(300, 200).jpeg().toBuffer())
})
afterAll(() => app.stop())

const path = '/showcase/submit'

type Fields = Record<string, string | Buffer<ArrayBuffer>>

/** Sends what a browser would: every field of the page, empty if not filled in. */
async function send(fields: Fields, headers: Record<string, string> = {}, on = app): Promise<ReadPage> {
  const form = new FormData()
  const { text } = await readPage(on.registry + path)
  for (const [, tag] of text.matchAll(/<(?:input|textarea)\s([^>]*)>/g)) {
    const name = / name="([^"]*)"/.exec(` ${tag}`)?.[1]
    if (name === undefined || name === 'q') continue
    const isFile = / type="file"/.test(` ${tag}`)
    form.set(name, isFile ? new File([], '') : '')
  }
  for (const [name, value] of Object.entries(fields)) {
    form.set(
      name,
      typeof value === 'string' ? value : new File([value], 'picture.jpg', { type: 'text/plain' }),
    )
  }
  return readPage(on.registry + path, { method: 'POST', body: form, headers })
}

const filled: Fields = {
  title: 'Timetable',
  tagline: 'Trains of one town.',
  author: 'Ilse <Verbeek>',
  description: 'It reads a timetable\r\nand says when the next train leaves.',
}

const submitted = async (): Promise<ProjectRow[]> =>
  expected(await app.desk.get<{ items: ProjectRow[] }>('/projects')).items

const fieldOf = ({ text }: ReadPage, name: string): string =>
  new RegExp(`<(?:input|textarea)\\s[^>]*name="${name}"[^>]*>`).exec(text)?.[0] ?? ''

describe('the form', () => {
  test('submits a project with images and links, which is pending until it is approved', async () => {
    const reply = await send({
      ...filled,
      picture1: jpeg,
      alt1: 'A platform',
      label2: 'Source',
      url2: 'https://example.com/source',
    })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/showcase/submit?sent=1'])
    const thanks = await readPage(`${app.registry}/showcase/submit?sent=1`)
    expect(thanks.text).toContain('<h1>Your project was submitted</h1>')
    expect(thanks.text).not.toContain('<form class="sheet"')

    const [row] = await submitted()
    const project = expected(await app.desk.get<DeskProject>(`/projects/${row?.id}`))
    expect(project.status).toBe('pending')
    expect(project.content).toEqual({
      title: 'Timetable',
      slug: 'timetable',
      tagline: 'Trains of one town.',
      author: 'Ilse <Verbeek>',
      markdown: 'It reads a timetable\nand says when the next train leaves.',
      links: [{ label: 'Source', url: 'https://example.com/source' }],
      pictures: [{ sha256: expect.stringMatching(/^[a-f0-9]{64}$/) as string, alt: 'A platform' }],
    })
    expect((await readPage(`${app.registry}/showcase/timetable`)).status).toBe(404)
    expected(await app.desk.send('POST', `/projects/${row?.id}/decision`, { action: 'approved' }))
    const shown = await readPage(`${app.registry}/showcase/timetable`)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('Ilse &lt;Verbeek&gt;')
    const media = /src="(\/media\/[^"]*)"/.exec(shown.text)?.[1] ?? ''
    expect((await fetch(app.registry + media)).status).toBe(200)
  })

  test('keeps the input and the images, and shows an error at each invalid field', async () => {
    const before = await submitted()
    const reply = await send({
      ...filled,
      title: 'With "quotes" & <tags>',
      tagline: '',
      description: '\n  short',
      picture1: jpeg,
      alt1: 'Saved',
      url1: 'javascript:alert(1)',
      label1: 'Click',
      alt3: 'No file for it',
    })
    expect(reply.status).toBe(400)
    expect(fieldOf(reply, 'title')).toContain('value="With &quot;quotes&quot; &amp; &lt;tags&gt;"')
    expect(reply.text).toContain('>\n\n  short</textarea>')
    for (const name of ['tagline', 'description', 'url1', 'picture3']) {
      expect(fieldOf(reply, name)).toContain(`aria-describedby="${name}-wrong"`)
      expect(reply.links).toContain(`#${name}`)
    }
    expect(fieldOf(reply, 'title')).not.toContain('aria-invalid')
    expect(reply.text).toContain('Image 1 is already uploaded.')
    const savedImage = /name="kept1" value="([a-f0-9]{64})"/.exec(reply.text)?.[1] ?? ''
    expect(await submitted()).toEqual(before)

    const again = await send({ ...filled, title: 'Second attempt', kept1: savedImage, alt1: 'Saved' })
    expect(again.status).toBe(303)
    const row = (await submitted()).find(({ title }) => title === 'Second attempt')
    expect(row?.imageCount).toBe(1)
  })

  test('shows why an image is not accepted, and keeps the others', async () => {
    const reply = await send({
      ...filled,
      picture1: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'),
      alt1: 'Drawn',
      picture2: jpeg,
      alt2: 'Taken',
    })
    expect(reply.status).toBe(400)
    expect(reply.text).toMatch(/Image 1: [^<]*SVG/)
    expect(reply.text).toContain('Image 2 is already uploaded.')
  })

  test('keeps the input and the other images if one is too large', async () => {
    const reply = await send({
      ...filled,
      picture1: Buffer.alloc(10_485_761),
      alt1: 'A wide view',
      picture2: jpeg,
      alt2: 'Taken',
      label1: 'Source',
      url1: 'https://example.com/source',
    })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Image 1 is larger than 10 MiB. Choose a smaller one.')
    expect(fieldOf(reply, 'picture1')).toContain('aria-invalid="true"')
    expect(reply.text).toContain('>\nIt reads a timetable\nand says')
    expect(fieldOf(reply, 'alt1')).toContain('value="A wide view"')
    expect(fieldOf(reply, 'url1')).toContain('value="https://example.com/source"')
    expect(reply.text).toContain('Image 2 is already uploaded.')
  })

  test('keeps the input if every image is too large', async () => {
    const large = Buffer.alloc(11_000_000)
    const all = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`picture${n}`, large]))
    const reply = await send({ ...filled, ...all })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Image 6 is larger than 10 MiB.')
    expect(fieldOf(reply, 'title')).toContain('value="Timetable"')
  })

  test.skipIf(process.platform === 'win32')(
    'keeps the input if the server is temporarily unavailable',
    async () => {
      const { pictures } = dataPaths(app.folder)
      await rename(pictures, `${pictures}.away`)
      let reply: ReadPage
      try {
        reply = await send({ ...filled, picture1: jpeg, alt1: 'A platform' })
      } finally {
        await rename(`${pictures}.away`, pictures)
      }
      expect(reply.status).toBe(503)
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(fieldOf(reply, 'title')).toContain('value="Timetable"')
      expect(fieldOf(reply, 'alt1')).toContain('value="A platform"')
    },
  )

  test('requires alt text for every image', async () => {
    const reply = await send({ ...filled, picture1: jpeg })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Add alt text for image 1.')
  })

  test('discards a submission that fills in the hidden field, but shows the usual thanks', async () => {
    const before = await submitted()
    const image = Buffer.from(await noise(40, 40).png().toBuffer())
    const files = await imageFiles(app.folder)
    const reply = await send({ ...filled, website: 'https://spam.example', picture1: image, alt1: 'x' })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/showcase/submit?sent=1'])
    expect(await submitted()).toEqual(before)
    expect(await imageFiles(app.folder)).toEqual(files)
  })

  test('responds to programs with an ErrorResponse', async () => {
    const reply = await send({ ...filled, tagline: '' }, { accept: 'application/json' })
    expect(reply.status).toBe(400)
    expect(JSON.parse(reply.text)).toMatchObject({ code: 'VALIDATION_FAILED', issues: [{ path: 'tagline' }] })
  })

  test('refuses anything that is not this form', async () => {
    expect((await send({ ...filled, other: 'x' })).status).toBe(400)
    expect((await send({ ...filled, title: 'x'.repeat(5000) })).status).toBe(400)
    expect((await send({ ...filled, title: jpeg })).status).toBe(400)
    const plain = { method: 'POST', body: new URLSearchParams({ title: 'x' }) }
    expect((await readPage(app.registry + path, plain)).status).toBe(400)
    const broken = {
      method: 'POST',
      body: '--x\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    }
    expect((await readPage(app.registry + path, broken)).status).toBe(400)
  })
})

test('anonymous images are limited per hour, projects without images are not', async () => {
  const few = await startTestContent({ config: { showcaseUploadsPerHour: 1 } })
  const one = { ...filled, picture1: jpeg, alt1: 'One' }
  expect((await send(one, {}, few)).status).toBe(303)
  const refused = await send(one, {}, few)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(refused.text).toContain('You&#39;ve reached the limit of 1 images per hour')
  expect(fieldOf(refused, 'title')).toContain('value="Timetable"')
  for (let count = 2; count <= 60; count += 1) {
    expect((await send(filled, {}, few)).status).toBe(303)
  }
  const last = await send(filled, {}, few)
  expect(last.status).toBe(429)
  expect(last.text).toContain('>\nIt reads a timetable\nand says')
  await few.stop()
})
